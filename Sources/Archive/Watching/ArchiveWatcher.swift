package import Messages
internal import Threads

/// Watches all conversations and sleeps until one receives a message.
///
///     a folder changes → inotify → signal → queue → the messages after the last known line
///
/// It has its own thread and its own readers, so that pages never wait for it. For each conversation it remembers only the end of
/// the log, and a hash of the last lines.
actor ArchiveWatcher {
    /// The number of messages to return at once. The last file read may exceed it.
    private static let batch = 1_024

    private let executor: SerialThread
    private let archive: JSONArchive
    private let isFollowed: @Sendable (ConversationID) -> Bool
    private let blocks = BlockReader()
    private let people: People
    private let index: IndexReader
    private nonisolated let signal = Wakeup<Set<CInt>>()
    private var isStarted = false
    private var watch: FolderWatch?
    /// The watch of the folder that contains the conversations.
    private var root: CInt?
    /// The watched conversations and the ends of their logs, by the number of the folder.
    private var followed: [CInt: (id: ConversationID, end: LogEnd)] = [:]
    /// The last bytes read of each conversation. While they are unchanged, lines were at most appended.
    private var marks: [CInt: TailMark] = [:]
    /// The conversations whose files are being rewritten.
    private var settling: [CInt: Settling] = [:]
    /// The conversations for which a timer is running.
    private var timed: Set<CInt> = []
    /// The conversations that have changed and are not read yet, each once, in the order of their changes.
    private var waiting: ArraySlice<CInt> = []
    private var isWaiting: Set<CInt> = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter isFollowed: true if a `ConversationWatcher` currently reports the messages of a conversation.
    /// - Throws: `unavailable` if the system cannot start a thread.
    init(
        _ archive: JSONArchive, besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) throws(StoreError) {
        self.isFollowed = isFollowed
        executor = try .forReading()
        self.archive = archive
        index = IndexReader(archive.service)
        people = People(path: archive.peoplePath)
    }

    deinit { signal.stop() }

    /// Waits for messages. Returns nil after `stop`, and if the system cannot watch the folders.
    func next() async -> [Arrival]? {
        if !isStarted { await start() }
        guard watch != nil else { return nil }
        while let changed = waiting.isEmpty ? await signal.next() : signal.now() {
            await take(changed)
            var arrivals: [Arrival] = []
            while arrivals.count < ArchiveWatcher.batch, let number = waiting.popFirst() {
                isWaiting.remove(number)
                arrivals += read(number)
            }
            if !arrivals.isEmpty { return arrivals }
        }
        return nil
    }

    /// Ends the watching; `next` returns nil from now on.
    nonisolated func stop() { signal.stop() }

    private func start() async {
        isStarted = true
        do {
            let signal = signal
            let watch = try FolderWatch { signal.send($0) }
            signal.onStop { watch.stop() }
            root = try watch.add(archive.catalogue.root)
            self.watch = watch
            await look(isFirst: true)
        } catch {
            signal.stop()
            await archive.note("\(error)", unwatched: nil)
        }
    }

    private func take(_ changed: Set<CInt>) async {
        if changed.contains(FolderWatch.lost) {
            for number in followed.keys { enqueue(number) }
        }
        if changed.contains(FolderWatch.lost) || root.map(changed.contains) ?? false {
            await look(isFirst: false)
        }
        for number in changed { enqueue(number) }
    }

    private func enqueue(_ number: CInt) {
        if followed[number] != nil, isWaiting.insert(number).inserted { waiting.append(number) }
    }

    // MARK: - Folders

    /// Watches exactly the folders that exist now.
    /// - Parameter isFirst: true if the existing messages count as known. Later, all messages of a new folder count as
    ///   arrived.
    private func look(isFirst: Bool) async {
        guard let watch, let ids = try? archive.catalogue.ids() else { return }
        var numbers: [ConversationID: CInt] = [:]
        for (number, known) in followed { numbers[known.id] = number }
        var gone = Set(followed.keys)
        var failures: (count: Int, reason: String) = (0, "")
        for id in ids {
            do {
                // The watch starts before the folder is read, so that no change in between is missed.
                let number = try watch.add(archive.catalogue.path(of: id))
                gone.remove(number)
                if followed[number]?.id == id { continue }
                // The folder may have been renamed, or another folder may have taken its name.
                let known = followed[number]?.end ?? numbers[id].flatMap { followed[$0]?.end }
                followed[number] = (id, try known ?? LogEnd(of: isFirst ? segments(of: id) : []))
                if !isFirst { enqueue(number) }
            } catch {
                failures = (failures.count + 1, "\(error)")
            }
        }
        for number in gone {
            watch.remove(number)
            (followed[number], marks[number], settling[number]) = (nil, nil, nil)
        }
        await archive.note(failures.reason, unwatched: failures.count)
    }

    private func segments(of id: ConversationID) throws(StoreError) -> [Segment] {
        try Segment.all(in: archive.catalogue.path(of: id), of: id)
    }

    // MARK: - Messages

    private func read(_ number: CInt) -> [Arrival] {
        guard let (id, known) = followed[number] else { return [] }
        do throws(StoreError) {
            let segments = try segments(of: id)
            let end = known.moved(in: segments)
            followed[number] = (id, end)
            if isFollowed(id) { return skip(number, segments) }
            guard settling[number] == nil, isContinued(number, by: segments) else {
                return settle(number, segments) ? skip(number, segments) : []
            }
            if end == LogEnd(of: segments) { return [] }
            let new = try arrivals(in: id, segments, after: end.place)
            followed[number] = (id, LogEnd(at: new.end, of: segments))
            marks[number] =
                segments.indices.contains(new.end.segment)
                ? try TailMark(of: segments[new.end.segment].path, before: new.end.offset) : nil
            if new.isMore { enqueue(number) }
            return new.arrivals
        } catch {
            // The files are changing, and their next change wakes this watcher again.
            return []
        }
    }

    /// Treats everything in these files as known.
    private func skip(_ number: CInt, _ segments: [Segment]) -> [Arrival] {
        if let id = followed[number]?.id { followed[number] = (id, LogEnd(of: segments)) }
        (marks[number], settling[number]) = (nil, nil)
        return []
    }

    /// True if these are the known files, with lines at most appended.
    private func isContinued(_ number: CInt, by segments: [Segment]) -> Bool {
        guard let end = followed[number]?.end, end.isWithin(segments) else { return false }
        guard let mark = marks[number], segments.indices.contains(end.place.segment) else { return true }
        return mark.isThere(in: segments[end.place.segment].path)
    }

    /// Waits for rewritten files to settle. Their messages count as known then.
    /// - Returns: true if they have settled.
    private func settle(_ number: CInt, _ segments: [Segment]) -> Bool {
        let pace = archive.pace
        var current = settling[number] ?? Settling(pace: pace, at: pace.now())
        let isCutOff = followed[number]?.end.isCutOff(in: segments) ?? false
        let verdict = current.look(
            Settling.State(segments: segments, isHalfWritten: isCutOff || !segments.endsWithLine), at: pace.now())
        settling[number] = current
        guard case .wait(let duration) = verdict else { return true }
        if timed.insert(number).inserted {
            Task { [weak self, sleep = pace.sleep] in
                await sleep(duration)
                await self?.lookAgain(at: number)
            }
        }
        return false
    }

    private func lookAgain(at number: CInt) {
        timed.remove(number)
        signal.send([number])
    }

    private func arrivals(
        in id: ConversationID, _ segments: [Segment], after place: LinePlace
    ) throws(StoreError) -> (arrivals: [Arrival], end: LinePlace, isMore: Bool) {
        try index.read(id, segments) { (view) throws(StoreError) in
            // An arrival does not justify a scan of the whole log for a distant quote, as if an index would come soon.
            let assembly = Assembly(people: people, isIndexed: true, me: archive.me, highlight: [])
            let pages = try assembly.pages(of: id, segments, view, by: blocks)
            return try ChangeReader(pages: pages).arrivals(after: place)
        }
    }
}

extension JSONArchive {
    /// Reports messages that any process appends to the files of any conversation; of a new conversation, all messages.
    /// Replaced or shortened files are reported from their current end on. If the system cannot watch folders,
    /// `problems` says so.
    package nonisolated func arrivals(
        besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) -> AsyncStream<[Arrival]> {
        do {
            let watcher = try ArchiveWatcher(self, besides: isFollowed)
            return AsyncStream(unfolding: { await watcher.next() }, onCancel: { watcher.stop() })
        } catch {
            Task { await note("\(error)", unwatched: nil) }
            return AsyncStream { $0.finish() }
        }
    }
}
