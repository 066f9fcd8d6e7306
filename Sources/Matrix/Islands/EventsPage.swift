package import Formats

/// A page of the events in a gap, as records.
package struct EventsPage: Sendable {
    /// Records, the oldest first.
    package let lines: [UInt8]
    /// How many events the server sent.
    package let count: Int
    /// The token for the next page; nil if there is none.
    package let end: String?
    /// Whether the room was created in it: nothing is older.
    package let isStart: Bool
    /// The IDs of its events.
    package let ids: Set<String>
    /// Whether one of them is a message, and not only a change of one.
    package var hasMessages: Bool { lines.withUnsafeBytes { $0.offset(of: "\"type\":\"message\"", from: 0) } != nil }
    /// The names of people who had none before.
    package let people: [ForeignPerson]

    /// Nil if it is no response to /messages.
    /// - Parameter direction: of the request: it says in which order the events stand.
    package init?(
        _ body: UnsafeRawBufferPointer, _ direction: FillDirection, tree: JSONTree, events: MatrixEvents
    ) {
        guard let value = tree.parse(body), let chunk = value["chunk"], chunk.isArray else { return nil }
        var writer = RecordWriter()
        var ids: Set<String> = []
        var isStart = false
        var count = 0
        let values = Array(chunk.elements)
        people = events.convertOlder(state: value["state"]) {
            for value in direction == .forward ? values : values.reversed() {
                let event = MatrixEvent(value)
                count += 1
                if event.stateKey != nil, event.type == "m.room.create" { isStart = true }
                guard let id = event.id?.string, ids.insert(id).inserted else { continue }
                _ = events.convert(event, into: &writer)
            }
        }
        self.count = count
        self.isStart = isStart
        self.ids = ids
        end = value["end"]?.string
        lines = writer.lines
    }
}
