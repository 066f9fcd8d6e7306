internal import Messages

extension MessageAssembler {
    /// The thread replies that concern the reader and are unread.
    /// - Parameters:
    ///   - state: how far the reader has read. While it is unknown, no reply is unread.
    ///   - known: the earlier result of this function. Only replies after it are examined; if the index does not cover
    ///     the log, only those near its end.
    /// - Returns: nil if the reader is unknown or the log has no messages.
    func threadMarks(
        since state: ReadState, _ known: ThreadMarks?, for me: PersonID?
    ) throws(StoreError) -> ThreadMarks? {
        guard let me, let last = try lastMessage() else { return nil }
        return ThreadMarks(upTo: last, open: try waiting(since: state, known, for: me))
    }

    /// The last message of all, a thread reply too.
    private func lastMessage() throws(StoreError) -> MessageID? {
        let end = LinePlace.end(of: reader.log.segments)
        if let view = reader.index, reader.covered >= end {
            let last = try view.messages(before: view.rows.upperBound, limit: 1)
            return try reader.messages(at: view.keep(last)).first?.id
        }
        return try reader.blocks.lastMessage(of: reader.log, before: end)
    }

    /// The replies of `threadMarks`, without the place up to which the log was examined.
    func waiting(since state: ReadState, _ known: ThreadMarks?, for me: PersonID) throws(StoreError) -> [ThreadReply] {
        var start: UnreadStart?
        if let known { start = try self.start(of: .upTo(known.upTo), isPatient: false) }
        // The message that the marks name may be gone.
        if start == nil { start = try self.start(of: state, isPatient: false) }
        var others: [StoredMessage] = []
        if let start { others = try replies(after: start).filter { isNew($0, for: me) } }
        let new = try naming(me, others)
        return try stillThere(known)
            + new.compactMap { message in
                message.thread.map { ThreadReply(thread: $0, message: message.id) }
            }
    }

    /// Those replies in threads that come from others, where the reader has begun the thread or has written in it before. If the index
    /// does not cover the log, only its end is searched for the reader's own replies.
    func inOwnThreads(_ me: PersonID, _ messages: [StoredMessage]) throws(StoreError) -> Set<MessageID> {
        let replies = Dictionary(grouping: messages.filter { $0.thread != nil && isNew($0, for: me) }, by: \.thread)
        if replies.isEmpty { return [] }
        let end = LinePlace.end(of: reader.log.segments)
        let ids = Set(replies.keys.compactMap(\.self))
        let roots = canReadAll ? try reader.messages(ids) : try self.messages(ids, near: end)
        let start = canReadAll ? .start : try reader.lineStart(of: stretch(around: end).lowerBound)
        var found: Set<MessageID> = []
        for case (let thread?, let others) in replies {
            let last = others.map(\.place).max() ?? start
            let first =
                roots[thread]?.sender == me ? .start : try firstReply(of: me, in: thread, from: start, before: last)
            if let first { found.formUnion(others.lazy.filter { $0.place > first }.map(\.id)) }
        }
        return found
    }

    private func firstReply(
        of me: PersonID, in thread: MessageID, from start: LinePlace, before end: LinePlace
    ) throws(StoreError) -> LinePlace? {
        let timeline = reader.timeline(.thread(thread))
        var (next, isFirst) = (start, true)
        while true {
            let some = try timeline.messages(from: next, orAt: isFirst, limit: MessageAssembler.readAtOnce)
            if let own = some.first(where: { $0.sender == me }) { return own.place }
            guard let last = some.last, some.count == MessageAssembler.readAtOnce, last.place < end else { return nil }
            (next, isFirst) = (last.place, false)
        }
    }

    /// The known replies that still exist: the files may have been rewritten.
    func stillThere(_ known: ThreadMarks?) throws(StoreError) -> [ThreadReply] {
        guard let open = known?.open, !open.isEmpty, canReadAll else { return known?.open ?? [] }
        let there = try reader.messages(Set(open.map(\.message)))
        return open.filter { there[$0.message].map { !$0.isMain } ?? false }
    }

    /// Thread replies that are not in the main timeline, in the order of the log. The number is limited; the earliest
    /// come first.
    private func replies(after start: UnreadStart) throws(StoreError) -> [StoredMessage] {
        var found: [StoredMessage] = []
        var next = start.place
        if next < reader.covered, let view = reader.index {
            if let first = try view.record(atOrAfter: next) {
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
    /// The thread replies that are not in the main timeline, from a row on.
    fileprivate func replies(from row: Int64, limit: Int) throws(StoreError) -> [IndexedRecord] {
        try records(from: row, limit: limit) { $0.isHiddenReply }
    }
}

extension BlockReader {
    /// The last message of a log before a place, thread replies included; nil if there is none.
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
            // A line that repeats an ID is not a message, and a lookup of its ID would find the earlier line.
            if head.isMessage {
                let id = MessageID(String(decoding: head.id, as: UTF8.self))
                if known.insert(id).inserted { last = id }
            }
            return true
        }
        return last
    }
}
