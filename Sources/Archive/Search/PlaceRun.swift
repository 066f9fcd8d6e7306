internal import Messages
internal import Search

/// Finds the positions of the hits of a query in the main timeline of one conversation. Runs on the search thread and
/// finds one batch for each call of `next`.
actor PlaceRun {
    /// How many thread roots to remember with their positions. Replies to the same root mostly follow each other
    /// closely.
    private static let rememberedRoots = 4_096
    /// How many roots to look up before checking the deadline again.
    private static let rootsAtOnce = 64

    private let archive: JSONArchive
    private let conversation: ConversationID
    private let query: ResolvedQuery
    private var source: HitSource?
    private var roots: [MessageID: Int?] = [:]
    /// Hits of one block, newest first, whose positions are not known yet.
    private var unplaced: [FoundMessage] = []
    private var isOver = false
    /// From 0 to 1; never falls, even if work has to be repeated.
    private var progress = 0.0
    /// Whether the query excludes this conversation.
    private var isElsewhere = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { archive.searches.asUnownedSerialExecutor() }

    init(_ archive: JSONArchive, _ query: ResolvedQuery, in conversation: ConversationID) {
        self.archive = archive
        self.conversation = conversation
        self.query = query
    }

    /// Returns nil after the last batch and after a failure.
    func next() async -> Result<PlaceBatch, StoreError>? {
        if isOver { return nil }
        do throws(StoreError) {
            let source = try await opened()
            let isNothing = query.isEmpty || isElsewhere
            let places = isNothing ? [] : try await look(source)
            isOver = isNothing || (source.isOver && unplaced.isEmpty)
            let share = source.work == 0 ? 1 : Double(source.done) / Double(source.work)
            progress = isOver ? 1 : max(progress, share)
            return .success(PlaceBatch(places: places, progress: progress))
        } catch {
            isOver = true
            return .failure(error)
        }
    }

    private func opened() async throws(StoreError) -> HitSource {
        if let source { return source }
        let segments = try await archive.segments(of: conversation)
        if query.query.filters.nameConversations {
            isElsewhere = !query.accepts(try await archive.conversation(conversation))
        }
        var request = SearchRequest(query)
        // Only the places of the hits are told.
        request.textLimit = 0
        let criteria = HitCriteria(request, people: People(path: archive.peoplePath))
        let source = HitSource(
            conversation, segments, criteria, blocks: BlockReader(), lookups: BlockReader(),
            index: archive.searchIndex(), givesPlaces: true)
        self.source = source
        return source
    }

    private func look(_ source: HitSource) async throws(StoreError) -> [HitPlace] {
        let deadline = ContinuousClock.now + SearchRun.batchTime
        var places: [HitPlace] = []
        while !source.isOver || !unplaced.isEmpty, ContinuousClock.now < deadline, !Task.isCancelled {
            if let some = source.nextPlaces() {
                places += some
                continue
            }
            if let failure = source.indexFailure { await archive.noteIndexFailure(failure) }
            if unplaced.isEmpty {
                try source.step()
                unplaced = try source.marked(source.takeAll())
            }
            if unplaced.isEmpty { continue }
            if unplaced.contains(where: { $0.mainCountBefore == nil || !$0.message.isMain }), !source.isCounted {
                try source.count()
                continue
            }
            if try !findRoots(of: unplaced, source) { continue }
            places += try self.places(of: unplaced, source)
            unplaced = []
        }
        return places
    }

    /// - Parameter found: the hits of one step, newest first.
    private func places(of found: [FoundMessage], _ source: HitSource) throws(StoreError) -> [HitPlace] {
        zip(found, try source.orders(of: found)).map { hit, order in
            if hit.message.isMain { return HitPlace(order: order, index: order) }
            let root = hit.message.thread.flatMap { roots[$0] ?? nil }
            return HitPlace(order: order, index: root ?? max(0, order - 1), isReply: true)
        }
    }

    /// Looks up the positions of some roots that are not known yet.
    /// - Returns: whether all roots are known now.
    private func findRoots(of found: [FoundMessage], _ source: HitSource) throws(StoreError) -> Bool {
        let wanted = Set(found.filter { !$0.message.isMain }.compactMap(\.message.thread))
        let missing = wanted.filter { roots[$0] == nil }
        guard let place = found.last?.message.place, !missing.isEmpty else { return true }
        if roots.count + missing.count > PlaceRun.rememberedRoots { roots = roots.filter { wanted.contains($0.key) } }
        let some = Set(missing.prefix(PlaceRun.rootsAtOnce))
        let orders = try source.orders(of: some, near: place)
        for id in some { roots.updateValue(orders[id], forKey: id) }
        return some.count == missing.count
    }
}
