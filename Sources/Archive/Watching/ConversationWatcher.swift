internal import Messages

/// Follows one conversation for one who looks at it: asleep until something changes.
///
///     files change ────→ inotify ┐
///     somebody writes ─→ inotify ┼→ signal → the messages after the last line that was read, who writes
///     index comes up ────────────┘
///
/// Files that were not only appended to are told of when they have settled, and nothing of them before.
actor ConversationWatcher {
    private let archive: JSONArchive
    private let conversation: ConversationID
    private nonisolated let signal = Signal<Reasons>()
    private var isStarted = false
    /// How far the files, as they were then, have been read.
    private var known: KnownLog?
    private let since: Cursor?
    /// While the files are being rewritten.
    private var settling: Settling?
    /// Whether it will wake by itself.
    private var isTimed = false
    private var watch: FolderWatch?
    /// The folders that are watched, by their paths: another one may stand there by now.
    private var watched: [String: CInt] = [:]
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
        /// It was to look at the files again.
        static let time = Reasons(rawValue: 8)
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
            if reasons.contains(.time) { isTimed = false }
            if !reasons.isDisjoint(with: [.files, .time]) { changes += await read() }
            if reasons.contains(.index) { changes.append(.indexed) }
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
            let watch = try FolderWatch { _ in signal.tell(.files) }
            signal.onStop { watch.stop() }
            self.watch = watch
            // Watched before it is read: what comes in between is told twice rather than not at all.
            watchAgain()
            if watched[folder] == nil { try watch.add(folder) }
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
            let isReplaced = end.map { !$0.isWithin(segments) } ?? false
            if !isReplaced { known = try await archive.known(segments, upTo: end?.place) }
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

    private var folder: String { archive.catalogue.path(of: conversation) }

    /// A watch stays with its folder, wherever that goes. So the folders above are watched too: they tell when another one
    /// takes its place. Without that, its files are followed all the same.
    private func watchAgain() {
        guard let watch else { return }
        let catalogue = archive.catalogue
        var wanted = [folder, catalogue.root, catalogue.archive]
        // Where all of the archive is gone, it can come back.
        if (try? Folder.exists(catalogue.archive)) == false { wanted.append(catalogue.parent) }
        for path in wanted {
            guard let number = try? watch.add(path), number != watched[path] else { continue }
            if let old = watched[path] { watch.remove(old) }
            watched[path] = number
        }
        for (path, number) in watched where !wanted.contains(path) {
            watch.remove(number)
            watched[path] = nil
        }
    }

    private func read() async -> [StoreChange] {
        watchAgain()
        do throws(StoreError) {
            let look = try await archive.look(at: conversation, since: known)
            if settling != nil || !look.isContinued { return try await settle(look) }
            return try await readOn(look.segments ?? [], from: known?.end)
        } catch {
            // They are changing: the next change tells, or when they were to be looked at again.
            if settling != nil { wake(after: archive.pace.quiet) }
            return []
        }
    }

    private func readOn(_ segments: [Segment], from place: LinePlace?) async throws(StoreError) -> [StoreChange] {
        let (log, news) = try await archive.news(in: conversation, segments, behind: place)
        known = log
        if news.isMore { signal.tell(.files) }
        return news.changes
    }

    /// Files that are being rewritten are not told of before they are final.
    private func settle(_ look: LogLook) async throws(StoreError) -> [StoreChange] {
        let now = archive.pace.now()
        var settling = settling ?? Settling(pace: archive.pace, at: now)
        let verdict = settling.look(look.state, at: now)
        self.settling = settling
        if case .wait(let duration) = verdict {
            wake(after: duration)
            return []
        }
        guard let segments = look.segments else {
            (self.settling, known) = (nil, nil)
            defer { isGone = true }
            return isGone ? [] : [.replaced]
        }
        // The lines that were read may still be there: the lines after them have come in.
        let changes = try await readOn(segments, from: look.isExtended ? known?.end : nil)
        self.settling = nil
        isGone = false
        return [.replaced] + changes
    }

    /// Looks again then, whatever happens until then.
    private func wake(after duration: Duration) {
        guard !isTimed else { return }
        isTimed = true
        Task { [signal, sleep = archive.pace.sleep] in
            await sleep(duration)
            signal.tell(.time)
        }
    }
}
