internal import Messages

extension MessageAssembler {
    /// The replies in threads that wait for the reader now.
    /// - Parameters:
    ///   - state: how far he has read; while that is not known nothing waits.
    ///   - known: what waited when that was last noted. Replies behind it are looked through, of a log that the index does
    ///     not cover those near its end.
    /// - Returns: nil when nobody knows who reads, or nothing has been said.
    func threadMarks(
        since state: ReadState, _ known: ThreadMarks?, for me: PersonID?
    ) throws(StoreError) -> ThreadMarks? {
        guard let me, let last = try reader.blocks.lastMessage(of: reader.log, before: .end(of: reader.log.segments))
        else { return nil }
        return ThreadMarks(upTo: last, open: try waiting(since: state, known, for: me))
    }

    /// The same without the place up to which they were looked through.
    func waiting(since state: ReadState, _ known: ThreadMarks?, for me: PersonID) throws(StoreError) -> [ThreadReply] {
        var start: UnreadStart?
        if let known { start = try self.start(of: .upTo(known.upTo), isPatient: false) }
        // That message may be gone.
        if start == nil { start = try self.start(of: state, isPatient: false) }
        var others: [StoredMessage] = []
        if let start { others = try replies(behind: start).filter { isOfOthers($0, than: me) } }
        let new = try naming(me, others)
        return try stillThere(known)
            + new.compactMap { message in
                message.thread.map { ThreadReply(thread: $0, message: message.id) }
            }
    }

    /// Files may have been rewritten since these were noted.
    func stillThere(_ known: ThreadMarks?) throws(StoreError) -> [ThreadReply] {
        guard let open = known?.open, !open.isEmpty, canReadAll else { return known?.open ?? [] }
        let there = try reader.messages(Set(open.map(\.message)))
        return open.filter { there[$0.message].map { !$0.isMain } ?? false }
    }

    /// Thread replies that the main timeline does not show, in the order of the log: the first ones of very many.
    private func replies(behind start: UnreadStart) throws(StoreError) -> [StoredMessage] {
        var found: [StoredMessage] = []
        var next = start.place
        if next < reader.covered, let view = reader.index {
            if let first = try view.record(atOrBehind: next) {
                found = try reader.messages(at: try view.replies(from: first.row, limit: MessageAssembler.mostRead))
            }
            next = reader.covered
        }
        if !canReadAll {
            let end = stretch(around: .end(of: reader.log.segments))
            next = max(next, try reader.lineStart(of: end.lowerBound))
        }
        var uncovered: [StoredMessage] = []
        while found.count + uncovered.count < MessageAssembler.mostRead, let block = try reader.block(from: next) {
            try reader.forEachRecord(of: block) { (place, head, fields) throws(StoreError) in
                guard head.isReply else { return }
                uncovered.append(try reader.blocks.records.message(head, fields, at: place))
            }
            next = block.end
        }
        return (found + (try reader.marked(uncovered))).filter { !$0.isMain && $0.place > start.place }
    }
}

extension IndexView {
    /// The thread replies that the main timeline does not show, from a row on.
    fileprivate func replies(from row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        try records(
            "row >= ? AND row < ? AND \(RecordKind.isReplySQL) ORDER BY row LIMIT ?",
            [row, rows.upperBound, Int64(limit)])
    }
}

extension BlockReader {
    /// The last message of a log before a place, a thread reply too; nil when there is none.
    func lastMessage(of log: PlainLog, before end: LinePlace) throws(StoreError) -> MessageID? {
        let walk = BlockWalk(segments: log.segments)
        var next = end
        while let block = try walk.block(before: next) {
            if let last = try lastMessage(in: block, of: log, before: end) { return last }
            next = block.place
        }
        return nil
    }

    private func lastMessage(
        in block: Block, of log: PlainLog, before end: LinePlace
    ) throws(StoreError) -> MessageID? {
        var last: MessageID?
        var known: Set<MessageID> = []
        try forEachRecord(of: block, in: log) { place, head, _ in
            guard place < end else { return false }
            // A line that repeats an ID counts for nothing: that ID would be looked for further up.
            if head.isMessage {
                let id = MessageID(String(decoding: head.id, as: UTF8.self))
                if known.insert(id).inserted { last = id }
            }
            return true
        }
        return last
    }
}
