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
        guard
            let text = LongJSON(document: body, by: tree)?.fields(named: ["chunk", "state", "end"]),
            let chunk = text["chunk"], chunk.isArray
        else { return nil }
        var writer = RecordWriter()
        var ids: Set<String> = []
        var isStart = false
        var count = 0
        let values = Array(chunk.elements.prefix(LongJSON.mostElements + 1))
        guard values.count <= LongJSON.mostElements else { return nil }
        // The values of the loop below are parsed one at a time.
        let last = text["end"]?.string
        people = events.convertOlder(state: text["state"]) {
            for text in direction == .forward ? values : values.reversed() {
                count += 1
                guard let event = text.value.map({ MatrixEvent($0) }) else { continue }
                if event.stateKey != nil, event.type == "m.room.create" { isStart = true }
                guard let id = event.id?.string, ids.insert(id).inserted else { continue }
                _ = events.convert(event, into: &writer)
            }
        }
        self.count = count
        self.isStart = isStart
        self.ids = ids
        end = last
        lines = writer.lines
    }
}
