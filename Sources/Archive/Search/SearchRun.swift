internal import JSON
package import Messages
internal import Search

/// One search. Runs on the search thread and looks further only when `next` is called.
///
///     conversations → one source of hits each → merged, newest first → names → batches
actor SearchRun {
    /// The limits of a batch, in time and in hits. They keep the progress display current, and they bound how long an
    /// abandoned search delays the next one.
    static let batchTime = Duration.milliseconds(20)
    static let batchSize = 2_048
    /// The most bytes of texts in a batch; the last hit may exceed it.
    static let batchBytes = 1 << 20

    private let archive: JSONArchive
    private let request: SearchRequest
    private let people: People
    /// Sorted so that the source with the newest next hit comes last; nil before the first batch.
    private var sources: [(number: Int, source: HitSource)]?
    private var failures: ArraySlice<StoreError> = []
    private var isOver = false
    private var left: Int
    /// The duration of the last search for the names of senders, which reads the whole file of people.
    private var namingTime = Duration.zero
    /// The bytes of all sources, and the bytes that are searched so far.
    private var work: Int64 = 0
    private var done: Int64 = 0
    private var progress = 0.0

    nonisolated var unownedExecutor: UnownedSerialExecutor { archive.searches.asUnownedSerialExecutor() }

    init(_ archive: JSONArchive, _ request: SearchRequest) {
        self.archive = archive
        self.request = request
        people = People(path: archive.peoplePath)
        left = max(0, request.limit ?? .max)
    }

    /// Returns nil after the end of the search.
    func next() async -> Result<SearchBatch, StoreError>? {
        if request.query.isEmpty { sources = [] }
        await open()
        if let failure = failures.popFirst() { return .failure(failure) }
        if isOver { return nil }
        let isCounting = left == 0 && request.countsAll
        let (hits, more) = isCounting ? ([], await count()) : (await look(), [:])
        // A failure is reported after the hits that were found before it.
        if hits.isEmpty, more.isEmpty, let failure = failures.popFirst() { return .failure(failure) }
        if left == 0, !request.countsAll { sources = [] }
        isOver = sources?.isEmpty ?? true
        if isOver { await archive.report(ofPeople: people.problems) }
        return .success(SearchBatch(hits: named(hits), more: more, progress: nextProgress()))
    }

    /// True if a name or an ID matches a known person or a sender. Also true if that cannot be determined, so that an
    /// unreadable file never makes Kedge claim that a person does not exist.
    func knows(sender: String) async -> Bool {
        let filter = SenderFilter(QueryNames([QueryName(sender)]), people: people)
        return filter.isKnown ? true : await hasWritten(where: filter.passes)
    }

    /// True if there is a message from exactly this ID. Also true if that cannot be determined.
    func hasWritten(_ id: PersonID) async -> Bool {
        let wanted = Array(id.rawValue.utf8)
        return await hasWritten { $0.elementsEqual(wanted) }
    }

    private func hasWritten(where isMeant: (UnsafeRawBufferPointer) -> Bool) async -> Bool {
        await open()
        do {
            if try archive.searchIndex()?.records.knowsPerson(where: isMeant) ?? false { return true }
            let blocks = BlockReader()
            for (_, source) in sources ?? [] {
                var isFound = false
                try source.forEachUncoveredRecord(blocks) { head, fields in
                    isFound = head.isMessage && isMeant(fields.bytes(RecordKey.from))
                    return !isFound
                }
                if isFound { return true }
            }
            return false
        } catch {
            return true
        }
    }

    private func open() async {
        guard sources == nil else { return }
        var opened: [(number: Int, source: HitSource)] = []
        do throws(StoreError) {
            let ids = try await conversations()
            let criteria = HitCriteria(request, people: people)
            let (blocks, lookups) = (BlockReader(), BlockReader())
            let (index, budget) = (archive.searchIndex(), EditBudget())
            for (number, (id, segments)) in zip(ids, await archive.segments(of: ids)).enumerated() {
                switch segments {
                case .success(let segments):
                    let source = HitSource(
                        id, segments, criteria, blocks: blocks, lookups: lookups, index: index, budget: budget)
                    work += source.work
                    opened.append((number, source))
                case .failure(let error): failures.append(error)
                }
            }
        } catch {
            failures.append(error)
        }
        sources = opened.sorted { SearchRun.isBefore($1, $0) }
    }

    private func conversations() async throws(StoreError) -> [ConversationID] {
        guard request.query.query.filters.nameConversations else {
            if let conversation = request.conversation { return [conversation] }
            return try await archive.conversationIDs()
        }
        if let conversation = request.conversation {
            return request.query.accepts(try await archive.conversation(conversation)) ? [conversation] : []
        }
        let accepted = Set(try await archive.conversations().filter(request.query.accepts).map(\.id))
        return try await archive.conversationIDs().filter(accepted.contains)
    }

    private func look() async -> [(conversation: ConversationID, found: FoundMessage)] {
        // At most half of the time goes to names.
        let deadline = ContinuousClock.now + max(SearchRun.batchTime, namingTime)
        var hits: [(conversation: ConversationID, found: FoundMessage)] = []
        var bytes = 0
        while left > 0, let next = sources?.popLast() {
            let source = next.source
            let before = source.done
            if let found = source.take() {
                hits.append((source.conversation, found))
                bytes += found.text.utf8.count
                left -= 1
            } else {
                do throws(StoreError) {
                    try source.step()
                    if let failure = source.indexFailure { await archive.noteIndexFailure(failure) }
                } catch {
                    failures.append(error)
                    done += source.work - before
                    break
                }
            }
            done += (source.isOver ? source.work : source.done) - before
            if !source.isOver { enqueue(next) }
            let isFull = hits.count >= SearchRun.batchSize || bytes >= SearchRun.batchBytes
            if isFull || ContinuousClock.now >= deadline || Task.isCancelled { break }
        }
        return hits
    }

    /// Counts hits beyond the limit.
    private func count() async -> [ConversationID: Int] {
        let deadline = ContinuousClock.now + SearchRun.batchTime
        var counts: [ConversationID: Int] = [:]
        while ContinuousClock.now < deadline, !Task.isCancelled, let next = sources?.popLast() {
            let source = next.source
            let before = source.done
            do throws(StoreError) {
                let count = try source.countMore()
                if count > 0 { counts[source.conversation, default: 0] += count }
                if let failure = source.indexFailure { await archive.noteIndexFailure(failure) }
                done += (source.isOver ? source.work : source.done) - before
                // Counting needs no order.
                if !source.isOver { sources?.append(next) }
            } catch {
                failures.append(error)
                done += source.work - before
                break
            }
        }
        return counts
    }

    private func enqueue(_ source: (number: Int, source: HitSource)) {
        let index = sources?.partitioningIndex { SearchRun.isBefore($0, source) } ?? 0
        sources?.insert(source, at: index)
    }

    /// True if source `a` comes before source `b`: first by the time of the next hit. At equal times, a source that
    /// does not know its next hit comes first, since it may still find a hit of that time; then the order of the
    /// conversations decides.
    private static func isBefore(
        _ a: (number: Int, source: HitSource), _ b: (number: Int, source: HitSource)
    ) -> Bool {
        let (one, other) = (a.source.time, b.source.time)
        if one != other { return one > other }
        return a.source.hasFound == b.source.hasFound ? a.number < b.number : !a.source.hasFound
    }

    private func named(_ hits: [(conversation: ConversationID, found: FoundMessage)]) -> [Hit] {
        let start = ContinuousClock.now
        let groups = Dictionary(grouping: hits, by: \.conversation)
        let all = groups.mapValues { people.names(Set($0.compactMap(\.found.message.sender)), in: $0[0].conversation) }
        namingTime = .now - start
        return hits.map { conversation, found in
            let message = found.message
            let names = all[conversation] ?? [:]
            return Hit(
                conversation: conversation, message: message.id, at: message.at,
                sender: message.sender.map { names[$0] ?? Person(id: $0, name: $0.rawValue) },
                text: found.text, files: message.attachments.map(\.name))
        }
    }

    /// The progress never falls, even if the index fails and some work is repeated.
    private func nextProgress() -> Double {
        if isOver || work == 0 { return 1 }
        progress = max(progress, min(1, Double(done) / Double(work)))
        return progress
    }
}

/// Finds the positions of the hits of a query in the main timeline of one conversation. Runs on the search thread and
/// finds one batch for each call of `next`.
actor PlaceRun {
    /// The number of thread roots to remember with their positions. Replies to the same root mostly follow each other
    /// closely.
    private static let rememberedRoots = 4_096
    /// The number of roots to look up before checking the deadline again.
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
    /// True if the query excludes this conversation.
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
        // Only the places of the hits are returned.
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
    /// - Returns: true if all roots are known now.
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

extension JSONArchive {
    /// Searches the files backwards, one batch for each request of the stream. Uses memory for one block, its hits and
    /// a bounded number of edits. Messages of the same time in several conversations are ordered by the bytes of the
    /// conversation IDs.
    ///
    /// A batch may fail with the errors of `page`.
    package nonisolated func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>> {
        let run = SearchRun(self, request)
        return AsyncStream { await run.next() }
    }

    /// A reply whose root is not in the main timeline has the position of the message before it.
    package nonisolated func places(
        of query: ResolvedQuery, in conversation: ConversationID
    ) -> AsyncStream<Result<PlaceBatch, StoreError>> {
        let run = PlaceRun(self, query, in: conversation)
        return AsyncStream { await run.next() }
    }

    /// The index for use on the search thread; nil if the archive has no index.
    nonisolated func searchIndex() -> SearchIndex? { service.map { SearchIndex($0.folder) } }

    /// Looks in the people file first, then in all messages.
    package nonisolated func knows(sender: String) async -> Bool {
        await SearchRun(self, SearchRequest(Query(phrase: sender))).knows(sender: sender)
    }
}
