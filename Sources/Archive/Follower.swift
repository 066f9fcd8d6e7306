internal import Messages
internal import Synchronization

/// Follows one conversation for one who looks at it: asleep until something changes.
///
///     files change ────→ inotify ┐
///     somebody writes ─→ inotify ┼→ signal → what has come in behind the last line that was read, who writes
///     index comes up ────────────┘
actor Follower {
    private let archive: JSONArchive
    private let conversation: ConversationID
    private nonisolated let signal = Signal()
    private var isStarted = false
    /// How far the files, as they were then, have been read.
    private var known: (segments: [Segment], end: LinePlace)?
    private let since: Cursor?
    /// Whether the files are not those any more of which it was to tell.
    private var isReplaced = false
    /// Whether somebody was told to be writing.
    private var isTyping = false

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
            // Watched before it is read: what comes in between is told twice rather than not at all.
            let watch = try FolderWatch(try await archive.folder(of: conversation)) { signal.tell(.files) }
            signal.onStop { watch.stop() }
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

    private func read() async -> [StoreChange] {
        do throws(StoreError) {
            let (segments, news) = try await archive.news(in: conversation, behind: known)
            known = (segments, news.end)
            if news.isMore { signal.tell(.files) }
            return news.changes
        } catch .noSuchConversation {
            known = nil
            return [.replaced]
        } catch {
            // They are changing: the next change tells.
            return []
        }
    }
}

/// What wakes a follower.
private final class Signal: Sendable {
    struct Reasons: OptionSet {
        let rawValue: Int
        static let files = Reasons(rawValue: 1)
        static let index = Reasons(rawValue: 2)
        static let typing = Reasons(rawValue: 4)
    }

    private struct State {
        var reasons: Reasons = []
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
        var ends: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Waits for a reason. For one who asks at a time.
    func next() async -> Reasons? {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                let isReady = state.isOver || !state.reasons.isEmpty
                if !isReady { state.waiting = continuation }
                return isReady
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { state in
            defer { state.reasons = [] }
            return state.isOver ? nil : state.reasons
        }
    }

    func tell(_ reason: Reasons) { wake { $0.reasons.formUnion(reason) } }

    /// What is to be done when it is over.
    func onStop(_ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.ends.append(end) }
            return state.isOver
        }
        if isOver { end() }
    }

    func stop() {
        let ends = state.withLock { state in
            defer { state.ends = [] }
            return state.ends
        }
        wake { $0.isOver = true }
        for end in ends { end() }
    }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
