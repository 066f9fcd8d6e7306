internal import JSON

/// An event and its neighbours, as records.
package struct ContextPage: Sendable {
    /// Records, the oldest first.
    package let lines: [UInt8]
    /// The tokens to continue before the first event and after the last one.
    package let start: String?
    package let end: String?
    /// True if the page contains the creation of the room: there are no older events.
    package let isStart: Bool
    /// The IDs of the events before the requested one, and of those after it.
    package let before: Set<String>
    package let after: Set<String>
    /// The names of people who had none.
    package let people: [ForeignPerson]

    package init(
        lines: [UInt8], start: String?, end: String?, isStart: Bool, before: Set<String>, after: Set<String>,
        people: [ForeignPerson]
    ) {
        (self.lines, self.start, self.end, self.isStart) = (lines, start, end, isStart)
        (self.before, self.after, self.people) = (before, after, people)
    }
}

/// A page of the events in a gap, as records.
package struct EventsPage: Sendable {
    /// Records, the oldest first.
    package let lines: [UInt8]
    /// The number of events that the server sent.
    package let count: Int
    /// The token for the next page; nil if there is none.
    package let end: String?
    /// True if the page contains the creation of the room: there are no older events.
    package let isStart: Bool
    /// The IDs of the events.
    package let ids: Set<String>
    /// True if one of the records is a message; edits and reactions are not.
    package var hasMessages: Bool { lines.withUnsafeBytes { $0.offset(of: "\"type\":\"message\"", from: 0) } != nil }
    /// The names of people who had none.
    package let people: [ForeignPerson]

    package init(
        lines: [UInt8], count: Int, end: String?, isStart: Bool, ids: Set<String>, people: [ForeignPerson]
    ) {
        (self.lines, self.count, self.end, self.isStart) = (lines, count, end, isStart)
        (self.ids, self.people) = (ids, people)
    }
}

/// The direction in which a gap is filled.
package enum FillDirection: String, Hashable, Sendable {
    /// From the newer end of the gap.
    case backward = "b"
    /// From the older end of the gap.
    case forward = "f"
}
