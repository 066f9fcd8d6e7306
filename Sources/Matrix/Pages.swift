package import Formats
package import JSON

extension ContextPage {
    /// Nil for a response to another request than /context.
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
        let people = events.convertOlder(state: text["state"]) {
            before = take(list("events_before").reversed())
            _ = take([event])
            after = take(list("events_after"))
        }
        self.init(
            lines: writer.lines, start: text["start"]?.string, end: text["end"]?.string, isStart: isStart,
            before: before, after: after, people: people)
    }
}

extension EventsPage {
    /// Nil for a response to another request than /messages.
    /// - Parameter direction: the direction of the request, which decides the order of the events.
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
        let people = events.convertOlder(state: text["state"]) {
            for text in direction == .forward ? values : values.reversed() {
                count += 1
                guard let event = text.value.map({ MatrixEvent($0) }) else { continue }
                if event.stateKey != nil, event.type == "m.room.create" { isStart = true }
                guard let id = event.id?.string, ids.insert(id).inserted else { continue }
                _ = events.convert(event, into: &writer)
            }
        }
        self.init(lines: writer.lines, count: count, end: last, isStart: isStart, ids: ids, people: people)
    }
}

/// The tokens on both sides of an event.
package struct EdgeTokens: Hashable, Sendable {
    /// The token before the event.
    package let start: String?
    /// The token after the event.
    package let end: String?

    /// Nil for a response to another request than /context.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let value = tree.parse(body), value.isObject else { return nil }
        start = value["start"]?.string
        end = value["end"]?.string
    }
}
