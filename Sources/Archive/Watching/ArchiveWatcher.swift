internal import Messages
internal import Threads

/// Follows all conversations at once: asleep until a message comes into one of them.
///
///     a folder changes → inotify → signal → its turn → the messages after the last line that was known
///
/// It works on a thread of its own, with readers of its own, so that no page ever waits for it. Of a conversation it keeps
/// only where its log ended.
actor ArchiveWatcher {
    /// Messages that are told together, at most, but for those of one more look into a file.
    private static let batch = 1_024

    private let executor: SerialThread
    private let archive: JSONArchive
    private let isFollowed: @Sendable (ConversationID) -> Bool
    private let blocks = BlockReader()
    private let people: People
    private let index: CurrentIndex
    private nonisolated let signal = Signal<Set<CInt>>()
    private var isStarted = false
    private var watch: FolderWatch?
    /// Of the folder that the conversations are in.
    private var root: CInt?
    /// By the number of the folder.
    private var followed: [CInt: (id: ConversationID, end: LogEnd)] = [:]
    /// The last bytes that were read of each conversation: while they are still there, something was appended at most.
    private var marks: [CInt: TailMark] = [:]
    /// Those that are being rewritten.
    private var settling: [CInt: Settling] = [:]
    /// Those of them for which it will wake by itself.
    private var timed: Set<CInt> = []
    /// The conversations that have changed and have still to be looked into, in the order of their changes: each once.
    private var waiting: ArraySlice<CInt> = []
    private var isWaiting: Set<CInt> = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter isFollowed: whether what comes into a conversation is told elsewhere at that moment.
    /// - Throws: `unavailable` when the system gives no thread.
    init(
        _ archive: JSONArchive, besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) throws(StoreError) {
        self.isFollowed = isFollowed
        executor = try .forReading()
        self.archive = archive
        index = CurrentIndex(archive.service)
        people = People(path: archive.peoplePath)
    }

    deinit { signal.stop() }

    /// Waits for what comes in. Nil when nobody wants to know any more, or nothing can be known.
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

    /// From now on nothing is told any more.
    nonisolated func stop() { signal.stop() }

    private func start() async {
        isStarted = true
        do {
            let signal = signal
            let watch = try FolderWatch { signal.tell($0) }
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

    /// Watches the folders that there are now, and no others.
    /// - Parameter isFirst: whether what is there is known. Later, all that is in a new folder has come in.
    private func look(isFirst: Bool) async {
        guard let watch, let ids = try? archive.catalogue.ids() else { return }
        var numbers: [ConversationID: CInt] = [:]
        for (number, known) in followed { numbers[known.id] = number }
        var gone = Set(followed.keys)
        var failures: (count: Int, reason: String) = (0, "")
        for id in ids {
            do {
                // Watched before it is looked into, so that nothing comes in between.
                let number = try watch.add(archive.catalogue.path(of: id))
                gone.remove(number)
                if followed[number]?.id == id { continue }
                // A folder may have another name now, or a name another folder.
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
        var strays = ProblemList()
        return try Segment.all(in: archive.catalogue.path(of: id), of: id, &strays)
    }

    // MARK: - Messages

    private func read(_ number: CInt) -> [Arrival] {
        guard let (id, end) = followed[number] else { return [] }
        do throws(StoreError) {
            let segments = try segments(of: id)
            if isFollowed(id) { return skip(number, segments) }
            guard settling[number] == nil, isContinued(number, by: segments) else {
                return settle(number, segments) ? skip(number, segments) : []
            }
            if end == LogEnd(of: segments) { return [] }
            let news = try arrivals(in: id, segments, behind: end.place)
            followed[number] = (id, LogEnd(at: news.end, of: segments))
            marks[number] =
                segments.indices.contains(news.end.segment)
                ? try TailMark(of: segments[news.end.segment].path, before: news.end.offset) : nil
            if news.isMore { enqueue(number) }
            return news.messages.map { Arrival(conversation: id, message: $0) }
        } catch {
            // The files are changing: the next change tells.
            return []
        }
    }

    /// Counts all that is in these files as known.
    private func skip(_ number: CInt, _ segments: [Segment]) -> [Arrival] {
        if let id = followed[number]?.id { followed[number] = (id, LogEnd(of: segments)) }
        (marks[number], settling[number]) = (nil, nil)
        return []
    }

    /// Whether these are the files that were known, and something was appended at most.
    private func isContinued(_ number: CInt, by segments: [Segment]) -> Bool {
        guard let end = followed[number]?.end, end.isWithin(segments) else { return false }
        guard let mark = marks[number], segments.indices.contains(end.place.segment) else { return true }
        return mark.isThere(in: segments[end.place.segment].path)
    }

    /// Files that are being rewritten count from their end when they are final.
    /// - Returns: whether they are.
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
        signal.tell([number])
    }

    private func arrivals(
        in id: ConversationID, _ segments: [Segment], behind place: LinePlace
    ) throws(StoreError) -> (messages: [Message], end: LinePlace, isMore: Bool) {
        try index.read(id, segments) { (view) throws(StoreError) in
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            // As with an index on its way: what is quoted from afar is not worth a look through the whole log.
            let pages = MessageAssembler(reader: reader, conversation: id, people: people, isIndexed: true)
            return try NewsReader(pages: pages).arrivals(behind: place)
        }
    }
}
