internal import Messages

extension PageReader {
    /// More than these are counted without a look at what they say.
    static let mostRead = 5_000
    /// Messages that are read at once while one of somebody else is looked for.
    private static let readAtOnce = 256

    /// What came in since somebody has read so far. Nothing when the last message that was read is not there any more.
    /// - Parameter reader: who has read; nil when nobody knows.
    func unread(
        since state: ReadState, threads: ThreadMarks?, for me: PersonID?
    ) throws(StoreError) -> Unread {
        let waiting = try threadMarks(since: state, threads, for: me)?.open.count ?? 0
        return try unreadMains(since: state, for: me) + Unread(mentions: waiting)
    }

    private func unreadMains(since state: ReadState, for me: PersonID?) throws(StoreError) -> Unread {
        guard let start = try start(of: state, isPatient: true) else { return Unread() }
        let new = try reader.strand(.main)
            .messages(from: start.place, orAt: start.isIncluded, limit: PageReader.mostRead + 1)
        guard new.count <= PageReader.mostRead else {
            let place = try reader.strand(.main).position(of: start.place)
            return Unread(count: place.map { $0.total - $0.index - (start.isMain ? 1 : 0) } ?? new.count)
        }
        let others = new.filter { isOfOthers($0, than: me) }
        guard let me else { return Unread(count: others.count) }
        return Unread(count: others.count, mentions: try naming(me, others).count)
    }

    /// Those of some messages that name somebody or reply to him.
    func naming(_ me: PersonID, _ messages: [StoredMessage]) throws(StoreError) -> [StoredMessage] {
        if messages.isEmpty { return [] }
        let person = people.names([me])[me] ?? Person(id: me, name: me.rawValue)
        let quoted = try reader.messages(Set(messages.compactMap(\.replyTo)))
        return messages.filter { message in
            person.isMentioned(in: message.text) || message.replyTo.map { quoted[$0]?.sender == me } ?? false
        }
    }

    /// The first message of the main timeline that somebody else than the reader has written since; nil for none.
    /// - Parameter isPatient: whether to read all of a log that the index does not cover, or only its end.
    func firstUnread(since state: ReadState, isPatient: Bool) throws(StoreError) -> StoredMessage? {
        guard let start = try start(of: state, isPatient: isPatient) else { return nil }
        var (place, isIncluded, limit, count) = (start.place, start.isIncluded, 1, 0)
        while count < PageReader.mostRead {
            let next = try reader.strand(.main).messages(from: place, orAt: isIncluded, limit: limit)
            if let found = next.first(where: { isOfOthers($0, than: me) }) { return found }
            guard let last = next.last, next.count == limit else { return nil }
            (place, isIncluded, limit, count) = (last.place, false, PageReader.readAtOnce, count + limit)
        }
        return nil
    }

    func isOfOthers(_ message: StoredMessage, than reader: PersonID?) -> Bool {
        reader == nil || message.sender != reader
    }

    /// Where what is unread begins.
    struct UnreadStart {
        let place: LinePlace
        /// Whether the message at that place is unread, too.
        let isIncluded: Bool
        /// Whether the last message that was read is of the main timeline.
        let isMain: Bool
    }

    func start(of state: ReadState, isPatient: Bool) throws(StoreError) -> UnreadStart? {
        switch state {
        case .unknown: return nil
        case .nothing: return UnreadStart(place: .first, isIncluded: true, isMain: false)
        case .upTo(let id):
            let isWhole = isPatient || canReadAll
            let end = LinePlace.end(of: reader.log.segments)
            guard let last = try reader.messages([id], in: isWhole ? nil : stretch(around: end))[id] else { return nil }
            return UnreadStart(place: last.place, isIncluded: false, isMain: last.isMain)
        }
    }
}
