internal import Messages

extension PageReader {
    /// More than these are counted without a look at what they say.
    private static let mostRead = 5_000

    /// What came in behind a message. Nothing when that is not there any more.
    /// - Parameter reader: who has read; nil when nobody knows.
    func unread(since position: ReadPosition, for me: PersonID?) throws(StoreError) -> Unread {
        guard let last = try reader.message(position.message) else { return Unread() }
        let new = try reader.strand(.main).messages(from: last.place, orAt: false, limit: PageReader.mostRead + 1)
        guard new.count <= PageReader.mostRead else {
            let place = try reader.strand(.main).position(of: last.place)
            return Unread(count: place.map { $0.total - $0.index - 1 } ?? new.count)
        }
        let others = new.filter { $0.sender != me || me == nil }
        guard let me else { return Unread(count: others.count) }
        let person = people.names([me])[me] ?? Person(id: me, name: me.rawValue)
        let quoted = try reader.messages(Set(others.compactMap(\.replyTo)))
        let mentions = others.count { message in
            person.isMentioned(in: message.text) || message.replyTo.map { quoted[$0]?.sender == me } ?? false
        }
        return Unread(count: others.count, mentions: mentions)
    }
}
