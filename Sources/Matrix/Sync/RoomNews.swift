/// The part of a response to /sync that is about a room.
package struct RoomNews: Sendable {
    package let room: String
    /// Records of the new events, in their order.
    package var lines: [UInt8]
    /// Whether events before them were left out.
    package let isLimited: Bool
    /// The token before the first of the events.
    package let from: String?
    /// Whether the room was created in them: nothing is older.
    package let isStart: Bool
    /// The facts about the room after them.
    package private(set) var facts: RoomFacts

    package init(
        room: String, lines: [UInt8], isLimited: Bool, from: String?, isStart: Bool, facts: RoomFacts
    ) {
        (self.room, self.lines, self.isLimited) = (room, lines, isLimited)
        (self.from, self.isStart, self.facts) = (from, isStart, facts)
    }

    /// Of a room whose events up to a token are all to be asked for.
    package init(missingUpTo token: String, _ facts: RoomFacts) {
        self.init(room: facts.room, lines: [], isLimited: true, from: token, isStart: false, facts: facts)
    }

    /// Sets the event up to which this account has read, if it is known.
    mutating func mark(fullyRead event: String?) { if let event { facts.fullyRead = event } }

    /// Whether there is anything new in it.
    /// - Parameter known: what was known of the room before; nil for a new one.
    func changes(_ known: RoomFacts?) -> Bool { facts != known || !lines.isEmpty || isLimited }
}
