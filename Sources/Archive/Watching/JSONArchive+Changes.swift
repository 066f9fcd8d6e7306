package import Messages

extension JSONArchive {
    /// Tells of what is appended to the files, by whomever, of files that were replaced, and when the index has come up to
    /// them. What the system cannot watch is among the problems; then only the index is told of.
    package nonisolated func changes(
        in conversation: ConversationID, since: Cursor?
    ) -> AsyncStream<[StoreChange]> {
        let watcher = ConversationWatcher(self, conversation, since: since)
        return AsyncStream(unfolding: { await watcher.next() }, onCancel: { watcher.stop() })
    }

    /// Tells of messages that are appended to the files of any conversation, by whomever; of a conversation that is new, all.
    /// Files that were replaced or have become shorter count from their end. Folders that the system cannot watch are among
    /// the problems.
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

    /// The files of a conversation as they are now.
    /// - Parameter known: what was known of them.
    func look(at id: ConversationID, since known: KnownLog?) throws(StoreError) -> LogLook {
        LogLook(try catalogue.folder(of: id) == nil ? nil : try segments(of: id), since: known)
    }

    /// - Parameter place: how far they have been read; nil for all that there is.
    func known(_ segments: [Segment], upTo place: LinePlace?) throws(StoreError) -> KnownLog {
        try KnownLog(segments, end: place ?? .end(of: segments))
    }

    /// The changes that came in after a place, in files whose earlier lines are still as they were read.
    /// - Parameters:
    ///   - now: the files as they are.
    ///   - place: nil for all that there is now.
    func news(
        in id: ConversationID, _ now: [Segment], behind place: LinePlace?
    ) throws(StoreError) -> (KnownLog, News) {
        let end = LinePlace.end(of: now)
        guard let place, place != end else { return (try KnownLog(now, end: end), News(end: end)) }
        var news = try pages(of: id, now) { (pages) throws(StoreError) in
            try NewsReader(pages: pages).news(behind: place)
        }
        if !news.passedOver.isEmpty {
            for line in news.passedOver { passedOver[id, default: ProblemList()].add(line) }
            found.replace("\(id) (edits)", with: passedOver[id] ?? ProblemList())
            news.changes.append(.passedOver)
        }
        return (try KnownLog(now, end: news.end), news)
    }

    package func noteTyping(by person: PersonID?, in conversation: ConversationID) {
        typing?.make()
        typing?.note(person, in: conversation)
    }

    /// Who writes in other processes.
    func typists(in conversation: ConversationID) -> [Person] {
        let ids = typing?.people(in: conversation) ?? []
        let names = people.names(Set(ids))
        return ids.map { names[$0] ?? Person(id: $0, name: $0.rawValue) }
    }

    func note(_ failure: some CustomStringConvertible, watching id: ConversationID) {
        var problems = ProblemList()
        problems.add("\(id): what changes is not seen (\(failure)); open it again")
        found.replace("\(id) (changes)", with: problems)
    }
}

extension JSONArchive {
    /// - Parameter unwatched: conversations of whose arrivals nobody is told; nil for all, 0 for none any more.
    func note(_ failure: String, unwatched: Int?) {
        var problems = ProblemList()
        if unwatched != 0 {
            let which = unwatched.map { "\($0) conversations" } ?? "conversations"
            problems.add("\(which): what comes in is not seen while they are not open (\(failure))")
        }
        found.replace("conversations (arrivals)", with: problems)
    }
}
