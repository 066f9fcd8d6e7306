internal import Messages

/// Follows all conversations at once: asleep until a message comes into one of them.
///
///     a folder changes → inotify → signal → its turn → what has come in behind the last line that was known
///
/// It works on a thread of its own, with readers of its own, so that no page ever waits for it. Of a conversation it keeps
/// only where its log ended.
actor ArrivalFollower {
    /// Messages that are told together, at most, but for those of one more look into a file.
    private static let batch = 1_024

    private let executor: ThreadExecutor
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
    /// What has changed, in its order, and has still to be looked into: each once.
    private var waiting: ArraySlice<CInt> = []
    private var isWaiting: Set<CInt> = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter isFollowed: whether what comes into a conversation is told elsewhere at that moment.
    /// - Throws: `unavailable` when the system gives no thread.
    init(
        _ archive: JSONArchive, besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
    ) throws(StoreError) {
        self.isFollowed = isFollowed
        executor = try ThreadExecutor()
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
            while arrivals.count < ArrivalFollower.batch, let number = waiting.popFirst() {
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
            followed[number] = nil
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
            guard end.isWithin(segments), !isFollowed(id) else {
                followed[number] = (id, LogEnd(of: segments))
                return []
            }
            if end == LogEnd(of: segments) { return [] }
            let news = try arrivals(in: id, segments, behind: end.place)
            followed[number] = (id, LogEnd(at: news.end, of: segments))
            if news.isMore { enqueue(number) }
            return news.messages.map { Arrival(conversation: id, message: $0) }
        } catch {
            // The files are changing: the next change tells.
            return []
        }
    }

    private func arrivals(
        in id: ConversationID, _ segments: [Segment], behind place: LinePlace
    ) throws(StoreError) -> (messages: [Message], end: LinePlace, isMore: Bool) {
        try index.read(id, segments) { (view) throws(StoreError) in
            let reader = try ConversationReader(segments, blocks: blocks, index: view)
            // As with an index on its way: what is quoted from afar is not worth a look through the whole log.
            let pages = PageReader(reader: reader, conversation: id, people: people, isIndexed: true)
            return try NewsReader(pages: pages).arrivals(behind: place)
        }
    }
}
