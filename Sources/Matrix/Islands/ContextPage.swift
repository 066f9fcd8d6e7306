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
        guard let value = tree.parse(body), let event = value["event"], event.isObject else { return nil }
        var writer = RecordWriter()
        var seen: Set<String> = []
        var isStart = false
        func take(_ values: [JSONValue]) -> Set<String> {
            var ids: Set<String> = []
            for value in values {
                let event = MatrixEvent(value)
                if event.stateKey != nil, event.type == "m.room.create" { isStart = true }
                guard let id = event.id?.string, seen.insert(id).inserted else { continue }
                ids.insert(id)
                _ = events.convert(event, into: &writer)
            }
            return ids
        }
        var (before, after): (Set<String>, Set<String>) = ([], [])
        people = events.convertOlder(state: value["state"]) {
            before = take(Array(value["events_before"]?.elements.reversed() ?? []))
            _ = take([event])
            after = take(Array(value["events_after"].map { Array($0.elements) } ?? []))
        }
        (self.before, self.after) = (before, after)
        self.isStart = isStart
        (start, end) = (value["start"]?.string, value["end"]?.string)
        lines = writer.lines
    }
}
