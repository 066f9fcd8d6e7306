internal import JSON
/// A reaction that may be removed.
package struct MatrixReaction: Hashable, Sendable {
    /// The ID of the message.
    package let target: String
    /// The ID of the person who reacted.
    package let person: String
    package let emoji: String

    package init(target: String, person: String, emoji: String) {
        (self.target, self.person, self.emoji) = (target, person, emoji)
    }

    /// The text for a reaction. For a picture, it is the short name, because the address is unreadable (proposal MSC4027).
    static func shown(_ key: String, _ content: JSONValue?) -> String {
        guard key.hasPrefix("mxc://") else { return key.visibleName ?? "(invisible)" }
        let names = [content?["com.beeper.reaction.shortcode"]?.string, content?["shortcode"]?.string]
        guard let name = names.compactMap({ $0?.visibleName }).first else { return "(picture)" }
        return name.hasPrefix(":") && name.hasSuffix(":") && name.utf8.count > 2 ? name : ":\(name):"
    }
}

/// Polls, with the field names of the specification and of its proposal.
package enum MatrixPoll {
    static func isStart(_ type: Bytes) -> Bool { type == "m.poll.start" || type == "org.matrix.msc3381.poll.start" }

    static func text(of event: MatrixEvent) -> String? {
        guard isStart(event.type), let content = event.content else { return nil }
        guard let poll = poll(in: content) else { return content["body"]?.string ?? "Poll" }
        return words(of: poll)
    }

    /// The text of an edited poll; nil for the edit of another message.
    static func text(ofEdit content: JSONValue) -> String? {
        content["m.new_content"].flatMap { poll(in: $0) }.map { words(of: $0) }
    }

    private static func poll(in content: JSONValue) -> JSONValue? {
        content["m.poll"] ?? content["m.poll.start"] ?? content["org.matrix.msc3381.poll.start"]
    }

    private static func words(of poll: JSONValue) -> String {
        let answers = poll["answers"].list.map { "- \(text($0))" }
        return (["Poll: \(poll["question"].map { text($0) } ?? "")"] + answers).joined(separator: "\n")
    }

    private static func text(_ value: JSONValue) -> String {
        if let text = value["org.matrix.msc1767.text"]?.string ?? value["body"]?.string { return text }
        let parts = value["m.text"]
        return parts?.string ?? parts.list.lazy.compactMap { $0["body"]?.string }.first ?? ""
    }

    static func isEnd(_ type: Bytes) -> Bool { type == "m.poll.end" || type == "org.matrix.msc3381.poll.end" }

    static func isResponse(_ type: Bytes) -> Bool {
        type == "m.poll.response" || type == "org.matrix.msc3381.poll.response"
    }

    /// The IDs of the answers that a vote chooses; nil if it is not a vote.
    static func selections(_ event: MatrixEvent) -> [String]? {
        let list =
            event.content?["m.selections"] ?? event.content?["m.poll.response"]?["answers"]
            ?? event.content?["org.matrix.msc3381.poll.response"]?["answers"]
        return list.flatMap { $0.isArray ? $0.elements.compactMap(\.string) : nil }
    }

    /// The answers of a poll, by their IDs.
    package struct Answers: Hashable, Sendable {
        private let texts: [(id: String, text: String)]
        /// The most answers that a person may choose.
        private let most: Int
        package let author: String
        var isEnded = false

        init(_ content: JSONValue, author: String) {
            self.author = author
            let poll = MatrixPoll.poll(in: content)
            texts = (poll?["answers"]).list.compactMap { answer in
                guard let id = answer["m.id"]?.string ?? answer["id"]?.string, !id.isEmpty else { return nil }
                return (id, MatrixPoll.text(answer).visibleName ?? id)
            }
            most = max(1, Int(clamping: poll?["max_selections"]?.integer ?? 1))
        }

        /// The fields in the record of the poll.
        var fields: [String] { texts.isEmpty ? [] : ["\(most)"] + texts.flatMap { [$0.id, $0.text] } }

        /// Nil if the fields are not those of a poll record.
        /// - Parameter author: the person who started it.
        package init?(fields: [String], author: String, isEnded: Bool) {
            guard let most = fields.first.flatMap({ Int($0) }), fields.count % 2 == 1 else { return nil }
            (self.most, self.author, self.isEnded) = (most, author, isEnded)
            texts = stride(from: 1, to: fields.count, by: 2).map { (fields[$0], fields[$0 + 1]) }
        }

        /// The texts of the chosen answers; none if one of the answers is unknown.
        package func texts(of chosen: [String]) -> [String] {
            let some = chosen.prefix(most).map { id in texts.first { $0.id == id }?.text }
            var seen: Set<String> = []
            return some.contains(nil) ? [] : some.compactMap { $0 }.filter { seen.insert($0).inserted }
        }

        package static func == (a: Answers, b: Answers) -> Bool { a.fields == b.fields && a.author == b.author }

        package func hash(into hasher: inout Hasher) { hasher.combine(fields) }
    }
}
