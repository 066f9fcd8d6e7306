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
