package import Messages

extension JSONArchive {
    /// Reports lines that any process appends to the files, replaced files, and the index when it is up to date with
    /// the files. If the system cannot watch the files, `problems` says so, and only the index is reported.
    package nonisolated func changes(
        in conversation: ConversationID, since: Cursor?
    ) -> AsyncStream<[StoreChange]> {
        let watcher = ConversationWatcher(self, conversation, since: since)
        return AsyncStream(unfolding: { await watcher.next() }, onCancel: { watcher.stop() })
    }

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

    /// The current files of a conversation, compared with an earlier state.
    /// - Parameter known: the earlier state.
    func look(at id: ConversationID, since known: KnownLog?) throws(StoreError) -> LogLook {
        LogLook(try catalogue.folder(of: id) == nil ? nil : try segments(of: id), since: known)
    }

    /// - Parameter place: how far the files have been read; nil for their end.
    func known(_ segments: [Segment], upTo place: LinePlace?) throws(StoreError) -> KnownLog {
        try KnownLog(segments, end: place ?? .end(of: segments))
    }

    /// The changes in the lines after a place. The lines before it must be unchanged.
    /// - Parameters:
    ///   - now: the current files.
    ///   - place: how far the files have been read; nil for their end.
    func news(
        in id: ConversationID, _ now: [Segment], after place: LinePlace?
    ) throws(StoreError) -> (KnownLog, News) {
        let end = LinePlace.end(of: now)
        guard let place, place != end else { return (try KnownLog(now, end: end), News(end: end)) }
        var news = try pages(of: id, now) { (pages) throws(StoreError) in
            try NewsReader(pages: pages).news(after: place)
        }
        if !news.passedOver.isEmpty {
            for line in news.passedOver { passedOver[id, default: ProblemList()].add(line) }
            found.replace("\(id) (edits)", with: passedOver[id] ?? ProblemList())
            news.changes.append(.passedOver)
        }
        return (try KnownLog(now, end: news.end), news)
    }

    /// The changes by segments that have come into gaps. The index covers them first, since a page would else have to read
    /// the whole log.
    /// - Parameter new: the indices of these segments.
    func filled(
        _ id: ConversationID, _ now: [Segment], _ new: [Int]
    ) async throws(StoreError) -> [StoreChange] {
        if new.isEmpty { return [] }
        if keepsIndex { await indexRecords(first: id) }
        return try pages(of: id, now) { (pages) throws(StoreError) in try NewsReader(pages: pages).news(of: new) }
    }

    package func noteTyping(by person: PersonID?, in conversation: ConversationID) {
        typing?.make()
        typing?.note(person, in: conversation)
    }

    /// The people who are writing in other processes.
    func typists(in conversation: ConversationID) -> [Person] {
        let ids = typing?.people(in: conversation) ?? []
        let names = people.names(Set(ids), in: conversation)
        return ids.map { names[$0] ?? Person(id: $0, name: $0.rawValue) }
    }

    func note(_ failure: some CustomStringConvertible, watching id: ConversationID) {
        var problems = ProblemList()
        problems.add("\(id): changes are not noticed (\(failure)); open the conversation again")
        found.replace("\(id) (changes)", with: problems)
    }
}

extension JSONArchive {
    /// - Parameter unwatched: the number of conversations whose arrivals cannot be seen; nil for all. 0 removes the
    ///   problem.
    func note(_ failure: String, unwatched: Int?) {
        var problems = ProblemList()
        if unwatched != 0 {
            let which = unwatched.map { "\($0) conversations" } ?? "conversations"
            problems.add("\(which): new messages are not noticed until they are opened (\(failure))")
        }
        found.replace("conversations (arrivals)", with: problems)
    }
}
