internal import Messages

/// Follows one conversation for one who looks at it: asleep until something changes.
///
///     files change ────→ inotify ┐
///     somebody writes ─→ inotify ┼→ signal → what has come in behind the last line that was read, who writes
///     index comes up ────────────┘
actor Follower {
    private let archive: JSONArchive
    private let conversation: ConversationID
    private nonisolated let signal = Signal<Reasons>()
    private var isStarted = false
    /// How far the files, as they were then, have been read.
    private var known: (segments: [Segment], end: LinePlace)?
    private let since: Cursor?
    /// Whether the files are not those any more of which it was to tell.
    private var isReplaced = false
    /// The folder that is watched: another one may stand at its path by now.
    private var watched: (watch: FolderWatch, path: String, number: CInt)?
    /// Whether there was no such conversation when it was last looked for.
    private var isGone = false
    /// Whether somebody was told to be writing.
    private var isTyping = false

    /// Why it wakes.
    private struct Reasons: OptionSet {
        let rawValue: Int
        static let files = Reasons(rawValue: 1)
        static let index = Reasons(rawValue: 2)
        static let typing = Reasons(rawValue: 4)
    }

    init(_ archive: JSONArchive, _ conversation: ConversationID, since: Cursor?) {
        self.archive = archive
        self.conversation = conversation
        self.since = since
    }

    /// Waits for what changes. Nil when nobody wants to know any more.
    func next() async -> [StoreChange]? {
        if !isStarted { await start() }
        while let reasons = await signal.next() {
            var changes: [StoreChange] = []
            if isReplaced {
                isReplaced = false
                changes = [.replaced]
            }
            if reasons.contains(.files) { changes += await read() }
            if reasons.contains(.index) { changes.append(.surveyed) }
            if reasons.contains(.typing) { changes += await typists() }
            if !changes.isEmpty { return changes }
        }
        return nil
    }

    /// From now on nothing is told any more.
    nonisolated func stop() { signal.stop() }

    private func start() async {
        isStarted = true
        let signal = signal
        if let service = archive.service {
            signal.onStop(
                service.watch(IndexService.Watcher(progress: { _ in }, settled: { signal.tell(.index) })))
            // It may have come up between the page and now.
            signal.tell(.index)
        }
        do {
            let path = try await archive.folder(of: conversation)
            let watch = try FolderWatch { _ in signal.tell(.files) }
            signal.onStop { watch.stop() }
            // Watched before it is read: what comes in between is told twice rather than not at all.
            watched = (watch, path, try watch.add(path))
            // Tells when another folder takes its place; without that, its files are followed all the same.
            _ = try? watch.add(archive.catalogue.root)
        } catch {
            await archive.note("\(error)", watching: conversation)
        }
        if let typing = archive.typing {
            typing.make()
            if let watch = try? FolderWatch(typing.path, onChange: { signal.tell(.typing) }) {
                signal.onStop { watch.stop() }
                signal.tell(.typing)
            }
        }
        do throws(StoreError) {
            let segments = try await archive.segments(of: conversation)
            let end = try since.map { (cursor) throws(StoreError) in try LogEnd(cursor) }
            isReplaced = end.map { !$0.isWithin(segments) } ?? false
            known = (segments, isReplaced ? LinePlace.end(of: segments) : end?.place ?? LinePlace.end(of: segments))
            if end != nil { signal.tell(.files) }
        } catch {
            await archive.note(error, watching: conversation)
        }
    }

    /// Who writes, when there is somebody or was.
    private func typists() async -> [StoreChange] {
        let people = await archive.typists(in: conversation)
        defer { isTyping = !people.isEmpty }
        return people.isEmpty && !isTyping ? [] : [.typing(people)]
    }

    /// A watch stays with its folder, wherever that goes.
    private func watchAgain() {
        guard let old = watched, let number = try? old.watch.add(old.path), number != old.number else { return }
        old.watch.remove(old.number)
        watched?.number = number
    }

    private func read() async -> [StoreChange] {
        watchAgain()
        do throws(StoreError) {
            let (segments, news) = try await archive.news(in: conversation, behind: known)
            known = (segments, news.end)
            if news.isMore { signal.tell(.files) }
            defer { isGone = false }
            return isGone ? [.replaced] : news.changes
        } catch .noSuchConversation {
            known = nil
            defer { isGone = true }
            return isGone ? [] : [.replaced]
        } catch {
            // They are changing: the next change tells.
            return []
        }
    }
}
