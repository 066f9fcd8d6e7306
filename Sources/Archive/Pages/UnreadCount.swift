internal import Index
internal import JSON
internal import Messages

extension MessageAssembler {
    /// If more messages than this are unread, they are counted without reading them.
    static let mostRead = 5_000
    /// The number of messages to read at once in the search for one from another person.
    static let readAtOnce = 256
    /// The number of presence lines that may be read instead of a message.
    private static let presenceForMessage = 16

    /// The unread messages of a conversation. Zero if the last read message no longer exists.
    /// - Parameter me: the reader; nil if unknown.
    func unread(
        since state: ReadState, threads: ThreadMarks?, for me: PersonID?
    ) throws(StoreError) -> Unread {
        if try isReadToEnd(state) { return Unread(mentions: me == nil ? 0 : try stillThere(threads).count) }
        var unread = try unreadMains(since: state, for: me)
        if let me { unread.mentions += try waiting(since: state, threads, for: me).count }
        return unread
    }

    /// True if the index shows that no message follows the last read one. Then no file needs to be read, which matters
    /// if there are very many conversations.
    private func isReadToEnd(_ state: ReadState) throws(StoreError) -> Bool {
        guard case .upTo(let id) = state, let view = reader.index,
            reader.covered >= .end(of: reader.log.segments),
            let last = try view.messages(before: view.rows.upperBound, limit: 1).first
        else { return false }
        let known = try view.records(ofID: IDHash(id))
        return known.count == 1 && known[0].row == last.row
    }

    private func unreadMains(since state: ReadState, for me: PersonID?) throws(StoreError) -> Unread {
        guard let start = try start(of: state, isPatient: true) else { return Unread() }
        let new = try reader.timeline(.main)
            .messages(from: start.place, orAt: false, limit: MessageAssembler.mostRead + 1)
        guard new.count <= MessageAssembler.mostRead else {
            let place = try reader.timeline(.main).position(of: start.place)
            guard let place else { return Unread(count: new.count { isNew($0, for: me) }) }
            var own = 0
            if let me { own = try reader.index?.mainCount(of: me, after: start.place) ?? 0 }
            let presence = try reader.index?.presenceCount(besides: me, after: start.place) ?? 0
            return Unread(count: place.total - place.index - (start.isMain ? 1 : 0) - own - presence)
        }
        let others = new.filter { isNew($0, for: me) }
        guard let me else { return Unread(count: others.count) }
        return Unread(count: others.count, mentions: try naming(me, others).count)
    }

    /// The messages that concern the reader and are not deleted: they mention the reader, reply to the reader, or are replies in the
    /// reader's threads.
    func naming(_ me: PersonID, _ messages: [StoredMessage]) throws(StoreError) -> [StoredMessage] {
        if messages.isEmpty { return [] }
        let person = assembly.people.names([me], in: conversation)[me] ?? Person(id: me, name: me.rawValue)
        let reader = Addressee(person, highlight: assembly.highlight)
        let quoted = try self.reader.blocks.records.cuttingTexts(to: 0) { () throws(StoreError) in
            try self.reader.messages(Set(messages.compactMap(\.replyTo)))
        }
        let inThreads = try inOwnThreads(me, messages)
        return try notDeleted(
            messages.filter { message in
                reader.isMentioned(in: message.text) || message.replyTo.map { quoted[$0]?.sender == me } ?? false
                    || inThreads.contains(message.id)
            })
    }

    private func notDeleted(_ messages: [StoredMessage]) throws(StoreError) -> [StoredMessage] {
        let folded = try reader.folded(messages, countingRepliesTo: [], wholeTextsOf: [])
        return messages.filter { folded[$0.id]?.isDeleted != true }
    }

    /// The first unread message of the main timeline from another person; nil if there is none.
    /// - Parameter isPatient: true to read the whole part of the log that the index does not cover; false to read only its end.
    func firstUnread(since state: ReadState, isPatient: Bool) throws(StoreError) -> StoredMessage? {
        guard let start = try start(of: state, isPatient: isPatient) else { return nil }
        var (place, limit, count) = (start.place, 1, 0)
        while count < MessageAssembler.mostRead {
            let next = try reader.timeline(.main).messages(from: place, orAt: false, limit: limit)
            if let found = next.first(where: { isNew($0, for: me) }) { return found }
            guard let last = next.last, next.count == limit else { return nil }
            // A quiet channel has many joins and few messages.
            let talk = next.count { $0.presence == nil }
            count += max(talk, limit / MessageAssembler.presenceForMessage)
            (place, limit) = (last.place, MessageAssembler.readAtOnce)
        }
        return nil
    }

    /// True if a message can be unread: not one of the reader's own, and not a presence line.
    func isNew(_ message: StoredMessage, for reader: PersonID?) -> Bool {
        message.presence == nil && (reader == nil || message.sender != reader)
    }

    /// The place after which messages are unread.
    struct UnreadStart {
        let place: LinePlace
        /// True if the last read message belongs to the main timeline.
        let isMain: Bool
    }

    func start(of state: ReadState, isPatient: Bool) throws(StoreError) -> UnreadStart? {
        switch state {
        case .unknown: return nil
        case .nothing: return UnreadStart(place: .start, isMain: false)
        case .upTo(let id):
            let end = LinePlace.end(of: reader.log.segments)
            let isWhole = isPatient || canReadAll
            let found = isWhole ? try reader.messages([id]) : try messages([id], near: end)
            guard let last = found[id] else { return nil }
            return UnreadStart(place: last.place, isMain: last.isMain)
        }
    }
}

extension MessageAssembler {
    /// The thread replies that concern the reader and are unread.
    /// - Parameters:
    ///   - state: the read position of the reader. While it is unknown, no reply is unread.
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

    /// The replies of others in threads that the reader has begun or has written in before. If the index
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

    /// The known replies that still exist: they may be deleted, and the files may have been rewritten.
    func stillThere(_ known: ThreadMarks?) throws(StoreError) -> [ThreadReply] {
        guard let open = known?.open, !open.isEmpty, canReadAll else { return known?.open ?? [] }
        let there = try notDeleted(Array(try reader.messages(Set(open.map(\.message))).values))
        let waiting = Set(there.lazy.filter { !$0.isMain }.map(\.id))
        return open.filter { waiting.contains($0.message) }
    }

    /// Thread replies that are not in the main timeline, in the order of the log. The number is limited; the earliest
    /// come first.
    private func replies(after start: UnreadStart) throws(StoreError) -> [StoredMessage] {
        var found: [StoredMessage] = []
        var next = start.place
        if next < reader.covered, let view = reader.index {
            if let first = try view.record(atOrAfter: next) {
                let replies = try view.records(from: first.row, limit: MessageAssembler.mostRead) { $0.isHiddenReply }
                found = try reader.messages(at: replies)
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
                let id = head.messageID
                if known.insert(id).inserted { last = id }
            }
            return true
        }
        return last
    }
}
