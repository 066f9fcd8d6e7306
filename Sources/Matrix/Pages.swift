package import Formats

/// An event and those around it, as records.
package struct ContextPage: Sendable {
    /// Records, the oldest first.
    package let lines: [UInt8]
    /// The tokens before the first event and after the last one.
    package let start: String?
    package let end: String?
    /// Whether the room was created in it: nothing is older.
    package let isStart: Bool
    /// The IDs of the events before the one that was asked for, and of those after it.
    package let before: Set<String>
    package let after: Set<String>
    /// The names of people who had none before.
    package let people: [ForeignPerson]

    /// Nil if it is no response to /context.
    package init?(_ body: UnsafeRawBufferPointer, tree: JSONTree, events: MatrixEvents) {
        guard
            let text = LongJSON(document: body, by: tree)?.fields(
                named: ["event", "events_before", "events_after", "state", "start", "end"]),
            let event = text["event"], event.isObject
        else { return nil }
        var writer = RecordWriter()
        var seen: Set<String> = []
        var isStart = false
        func list(_ name: String) -> [LongJSON] {
            text[name].map { Array($0.elements.prefix(LongJSON.mostElements)) } ?? []
        }
        func take(_ values: [LongJSON]) -> Set<String> {
            var ids: Set<String> = []
            for text in values {
                guard let event = text.value.map({ MatrixEvent($0) }) else { continue }
                if event.stateKey != nil, event.type == "m.room.create" { isStart = true }
                guard let id = event.id?.string, seen.insert(id).inserted else { continue }
                ids.insert(id)
                _ = events.convert(event, into: &writer)
            }
            return ids
        }
        var (before, after): (Set<String>, Set<String>) = ([], [])
        people = events.convertOlder(state: text["state"]) {
            before = take(list("events_before").reversed())
            _ = take([event])
            after = take(list("events_after"))
        }
        (self.before, self.after) = (before, after)
        self.isStart = isStart
        (start, end) = (text["start"]?.string, text["end"]?.string)
        lines = writer.lines
    }
}

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

/// In which direction a gap is filled.
package enum FillDirection: String, Hashable, Sendable {
    /// From its newer end.
    case backward = "b"
    /// From its older end.
    case forward = "f"
}

/// The tokens on both sides of an event.
package struct EdgeTokens: Hashable, Sendable {
    /// Before it.
    package let start: String?
    /// After it.
    package let end: String?

    /// Nil if it is no response to /context.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(body), value.isObject else { return nil }
        start = value["start"]?.string
        end = value["end"]?.string
    }
}
