internal import Formats

/// A page of a search that the server has made.
package struct SearchPage: Sendable {
    package struct Hit: Hashable, Sendable {
        package let room: String
        package let event: String
        /// In milliseconds since 1970, as the sender says.
        package let time: Int64
        package let sender: String
        package let text: String
    }

    /// The newest first, as the server sends them.
    package let hits: [Hit]
    /// The token for the next page; nil if there is none.
    package let next: String?

    /// Nil if it is no response to a search.
    package init?(_ body: UnsafeRawBufferPointer) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        guard let events = tree.parse(body)?["search_categories"]?["room_events"], events.isObject else { return nil }
        next = events["next_batch"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        hits = events["results"]?.elements.compactMap { $0["result"].flatMap(Hit.init) } ?? []
    }
}

extension SearchPage.Hit {
    /// Nil for an event that is no message.
    fileprivate init?(_ value: JSONValue) {
        let event = MatrixEvent(value)
        guard let room = value["room_id"]?.string, let id = event.id?.string, id.hasPrefix("$"),
            let time = event.milliseconds, let sender = event.sender?.string
        else { return nil }
        var writer = RecordWriter()
        _ = MatrixEvents { _, _ in nil }.convert(event, into: &writer)
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        // A hit in an edit is one in the message that it changes.
        let lines = writer.lines
        let found = lines.withUnsafeBytes { bytes -> (String, String)? in
            guard let record = tree.parse(bytes), let text = record["text"]?.string, record["kind"]?.string != "system"
            else { return nil }
            return (record["target"]?.string ?? id, text)
        }
        guard let (message, text) = found else { return nil }
        self.init(room: room, event: message, time: time, sender: sender, text: text)
    }
}
