package import Messages
internal import Search

/// Finds where the hits of a query stand in the main timeline of one conversation, on the thread of searches, a batch
/// whenever somebody asks for one.
actor PlaceRun {
    /// Roots of threads whose index is remembered, at most: replies come in crowds.
    private static let rememberedRoots = 4_096
    /// Roots that are looked up before the time is looked at again.
    private static let rootsAtOnce = 4

    private let archive: JSONArchive
    private let conversation: ConversationID
    private let query: ResolvedQuery
    private let lookups = BlockReader()
    private var source: HitSource?
    private var roots: [MessageID: Int?] = [:]
    /// Hits of one block, the newest first, whose places are not known yet.
    private var unplaced: [FoundMessage] = []
    private var isOver = false
    /// Whether the query asks for other conversations only.
    private var isElsewhere = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { archive.searches.asUnownedSerialExecutor() }

    init(_ archive: JSONArchive, _ query: Query, in conversation: ConversationID) {
        self.init(archive, ResolvedQuery(query), in: conversation)
    }

    init(_ archive: JSONArchive, _ query: ResolvedQuery, in conversation: ConversationID) {
        self.archive = archive
        self.conversation = conversation
        self.query = query
    }

    /// Nil when all is looked through, and after a failure.
    func next() async -> Result<PlaceBatch, StoreError>? {
        if isOver { return nil }
        do throws(StoreError) {
            let source = try await opened()
            let isNothing = query.isEmpty || isElsewhere
            let places = isNothing ? [] : try await look(source)
            isOver = isNothing || (source.isOver && unplaced.isEmpty)
            let progress = isOver || source.work == 0 ? 1 : Double(source.done) / Double(source.work)
            return .success(PlaceBatch(places: places, progress: progress))
        } catch {
            isOver = true
            return .failure(error)
        }
    }

    private func opened() async throws(StoreError) -> HitSource {
        if let source { return source }
        let opening = try await archive.opening(of: conversation)
        if query.query.filters.nameConversations {
            isElsewhere = !query.accepts(try await archive.conversation(conversation))
        }
        let criteria = HitCriteria(query, people: People(path: archive.peoplePath))
        let source = HitSource(conversation, opening, criteria, blocks: BlockReader(), lookups: lookups)
        self.source = source
        return source
    }

    private func look(_ source: HitSource) async throws(StoreError) -> [HitPlace] {
        let deadline = ContinuousClock.now + SearchRun.batchTime
        var places: [HitPlace] = []
        while !source.isOver || !unplaced.isEmpty, ContinuousClock.now < deadline, !Task.isCancelled {
            if unplaced.isEmpty {
                if try source.step(), let survey = source.survey { await archive.keep(survey, of: conversation) }
                unplaced = source.takeAll()
            }
            guard let survey = source.survey, !unplaced.isEmpty else { continue }
            let reader = SurveyReader(survey: survey, blocks: lookups)
            if try !findRoots(of: unplaced, reader) { continue }
            places += try self.places(of: unplaced, reader)
            unplaced = []
        }
        return places
    }

    /// - Parameter found: of one block, the newest first.
    private func places(
        of found: [FoundMessage], _ reader: SurveyReader
    ) throws(StoreError) -> [HitPlace] {
        let orders = try orders(of: found, reader)
        return zip(found, orders).map { hit, order in
            if hit.message.isMain { return HitPlace(order: order, index: order) }
            let root = hit.message.thread.flatMap { roots[$0] ?? nil }
            return HitPlace(order: order, index: root ?? max(0, order - 1), isReply: true)
        }
    }

    /// How many messages of the main timeline stand before each.
    private func orders(of found: [FoundMessage], _ reader: SurveyReader) throws(StoreError) -> [Int] {
        guard let oldest = found.last, let index = reader.survey.block(at: oldest.message.place) else { return [] }
        let block = reader.survey.blocks[index]
        var order = block.mainsBefore
        var orders: [Int] = []
        try reader.blocks.forEachRecord(of: block, in: reader.survey) { place, head, _ in
            if place == found[found.count - 1 - orders.count].message.place { orders.append(order) }
            if head.isMain { order += 1 }
            return orders.count < found.count
        }
        // Only when the block was overwritten since its survey.
        while orders.count < found.count { orders.append(min(order, reader.survey.mains)) }
        return orders.reversed()
    }

    /// Looks up some roots of replies that are not known yet.
    /// - Returns: whether all are known now.
    private func findRoots(of found: [FoundMessage], _ reader: SurveyReader) throws(StoreError) -> Bool {
        let wanted = Set(found.filter { !$0.message.isMain }.compactMap(\.message.thread))
        let missing = wanted.filter { roots[$0] == nil }
        guard let place = found.last?.message.place, !missing.isEmpty else { return true }
        if roots.count + missing.count > PlaceRun.rememberedRoots { roots = roots.filter { wanted.contains($0.key) } }
        let some = Set(missing.prefix(PlaceRun.rootsAtOnce))
        let messages = try reader.messages(some, near: place)
        for id in some {
            let root = messages[id].flatMap { $0.isMain ? $0.place : nil }
            var index: Int?
            if let root { index = try reader.mains(before: root) }
            roots.updateValue(index, forKey: id)
        }
        return some.count == missing.count
    }
}

extension JSONArchive {
    /// A reply whose root is not in the main timeline stands where the message before it does.
    package nonisolated func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> {
        let run = PlaceRun(self, query, in: conversation)
        return AsyncStream { await run.next() }
    }
}
