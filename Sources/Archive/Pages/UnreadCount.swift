internal import Messages

extension MessageAssembler {
    /// If more messages than this are unread, they are counted without reading them.
    static let mostRead = 5_000
    /// How many messages to read at once in the search for one from another person.
    static let readAtOnce = 256
    /// How many presence lines may be read instead of a message.
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

    /// Whether the index shows that no message follows the last read one. Then no file needs to be read, which matters
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

    /// The messages that concern the reader: they mention the reader, reply to the reader, or are replies in the reader's threads.
    func naming(_ me: PersonID, _ messages: [StoredMessage]) throws(StoreError) -> [StoredMessage] {
        if messages.isEmpty { return [] }
        let person = people.names([me], in: conversation)[me] ?? Person(id: me, name: me.rawValue)
        let reader = Addressee(person, highlight: highlight)
        let quoted = try self.reader.blocks.records.cuttingTexts(to: 0) { () throws(StoreError) in
            try self.reader.messages(Set(messages.compactMap(\.replyTo)))
        }
        let inThreads = try inOwnThreads(me, messages)
        return messages.filter { message in
            reader.isMentioned(in: message.text) || message.replyTo.map { quoted[$0]?.sender == me } ?? false
                || inThreads.contains(message.id)
        }
    }

    /// The first unread message of the main timeline from another person; nil if there is none.
    /// - Parameter isPatient: whether to read the whole part of the log that the index does not cover, or only its end.
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

    /// Whether a message can be unread: the reader's own ones are not, nor are joins and the like.
    func isNew(_ message: StoredMessage, for reader: PersonID?) -> Bool {
        message.presence == nil && (reader == nil || message.sender != reader)
    }

    /// The place after which messages are unread.
    struct UnreadStart {
        let place: LinePlace
        /// Whether the last read message belongs to the main timeline.
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
