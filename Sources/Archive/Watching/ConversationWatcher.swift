package import Messages

/// Watches one open conversation and sleeps until something changes.
///
///     files change ────────→ inotify ┐
///     a person is writing ─→ inotify ┼→ signal → the messages after the last known line, the people writing
///     the index is updated ──────────┘
///
/// A server's older segments that come into a gap are reported, too, and do not count as arrivals.
/// If files change in any other way, it waits until they have settled, then reports them as replaced.
actor ConversationWatcher {
    private let archive: JSONArchive
    private let conversation: ConversationID
    private nonisolated let signal = Wakeup<Reasons>()
    private var isStarted = false
    /// The files as they were last read, and the end of the part that was read.
    private var known: KnownLog?
    private let since: Cursor?
    /// Set while the files are being rewritten.
    private var settling: Settling?
    /// True if messages came into a gap between the page (`since`) and the start.
    private var isFilledBefore = false
    /// True if a timer is running.
    private var isTimed = false
    private var watch: FolderWatch?
    /// The watched folders by path. Another folder may have taken the path since.
    private var watched: [String: CInt] = [:]
    /// True if the conversation was missing when it was last looked up.
    private var isGone = false
    /// True if the last report named people who are writing.
    private var isTyping = false

    /// The reasons for waking up.
    private struct Reasons: OptionSet {
        let rawValue: Int
        static let files = Reasons(rawValue: 1)
        static let index = Reasons(rawValue: 2)
        static let typing = Reasons(rawValue: 4)
        /// The timer for another look at the files has fired.
        static let time = Reasons(rawValue: 8)
    }

    init(_ archive: JSONArchive, _ conversation: ConversationID, since: Cursor?) {
        self.archive = archive
        self.conversation = conversation
        self.since = since
    }

    /// Waits for changes. Returns nil after `stop`.
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

    /// Ends the watching; `next` returns nil from now on.
    nonisolated func stop() { signal.stop() }

    private func start() async {
        isStarted = true
        let signal = signal
        if let service = archive.service {
            signal.onStop(
                service.watch(IndexService.Watcher(progress: { _ in }, settled: { signal.send(.index) })))
            // The index may have been updated after the page was read.
            signal.send(.index)
        }
        do {
            let watch = try FolderWatch { _ in signal.send(.files) }
            signal.onStop { watch.stop() }
            self.watch = watch
            // The watch starts before the files are read: a change in between is reported twice instead of being
            // missed.
            watchAgain()
            if watched[folder] == nil { try watch.add(folder) }
        } catch {
            await archive.note("\(error)", watching: conversation)
        }
        if let typing = archive.typing {
            typing.make()
            if let watch = try? FolderWatch(typing.path, onChange: { signal.send(.typing) }) {
                signal.onStop { watch.stop() }
                signal.send(.typing)
            }
        }
        do throws(StoreError) {
            let segments = try await archive.segments(of: conversation)
            let first = try since.map { (cursor) throws(StoreError) in try LogEnd(cursor) }
            let end = first?.moved(in: segments)
            isFilledBefore = end != first
            let isReplaced = end.map { !$0.isWithin(segments) } ?? false
            if !isReplaced { known = try await archive.known(segments, upTo: end?.place) }
            if end != nil { signal.send(.files) }
        } catch {
            await archive.note(error, watching: conversation)
        }
    }

    /// Reports the people who are typing, and once more when nobody is.
    private func typists() async -> [StoreChange] {
        let people = await archive.typists(in: conversation)
        defer { isTyping = !people.isEmpty }
        return people.isEmpty && !isTyping ? [] : [.typing(people)]
    }

    private var folder: String { archive.catalogue.path(of: conversation) }

    /// Watches the folders again. A watch stays with its folder even if that is renamed, so the parent folders are
    /// watched too, to notice that another folder takes the path. Failures are ignored: then only the files of the old
    /// folder are watched.
    private func watchAgain() {
        guard let watch else { return }
        let catalogue = archive.catalogue
        var wanted = [folder, catalogue.root, catalogue.archive]
        // If the whole archive is gone, its parent reports its return.
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
            let segments = look.segments ?? []
            let filled = try await archive.filled(conversation, segments, look.filled)
            let changes = try await filled + readOn(segments, from: look.known?.end)
            defer { isFilledBefore = false }
            return isFilledBefore ? [.filled] + changes : changes
        } catch {
            // The files are changing. Their next change wakes this watcher again, or the timer does.
            if settling != nil { wake(after: archive.pace.quiet) }
            return []
        }
    }

    private func readOn(_ segments: [Segment], from place: LinePlace?) async throws(StoreError) -> [StoreChange] {
        let (log, new) = try await archive.newChanges(in: conversation, segments, after: place)
        known = log
        if new.isMore { signal.send(.files) }
        return new.changes
    }

    /// Waits for rewritten files to settle, and reports nothing before that.
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
        // If the new files begin with the lines read so far, the lines after them have arrived.
        let changes = try await readOn(segments, from: look.isExtended ? known?.end : nil)
        self.settling = nil
        isGone = false
        return [.replaced] + changes
    }

    /// Starts a timer for another look at the files, unless one is running.
    private func wake(after duration: Duration) {
        guard !isTimed else { return }
        isTimed = true
        Task { [signal, sleep = archive.pace.sleep] in
            await sleep(duration)
            signal.send(.time)
        }
    }
}

extension JSONArchive {
    /// Reports lines that any process appends to the files, replaced files, and the index when it is up to date with
    /// the files. If the system cannot watch the files, `problems` says so, and only the index is reported.
    package nonisolated func changes(
        in conversation: ConversationID, since: Cursor?
    ) -> AsyncStream<[StoreChange]> {
        let watcher = ConversationWatcher(self, conversation, since: since)
        return AsyncStream(unfolding: { await watcher.next() }, onCancel: { watcher.stop() })
    }
}
