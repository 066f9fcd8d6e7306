/// Polls, in the words of the specification and in those of its proposal.
enum MatrixPoll {
    static func isStart(_ type: Bytes) -> Bool { type == "m.poll.start" || type == "org.matrix.msc3381.poll.start" }

    static func text(of event: MatrixEvent) -> String? {
        guard isStart(event.type), let content = event.content else { return nil }
        guard let poll = content["m.poll"] ?? content["m.poll.start"] ?? content["org.matrix.msc3381.poll.start"] else {
            return content["body"]?.string ?? "Poll"
        }
        let answers = (poll["answers"]?.elements).map { $0.map { "- \(text($0))" } } ?? []
        return (["Poll: \(poll["question"].map(text) ?? "")"] + answers).joined(separator: "\n")
    }

    private static func text(_ value: JSONValue) -> String {
        if let text = value["org.matrix.msc1767.text"]?.string ?? value["body"]?.string { return text }
        guard let parts = value["m.text"] else { return "" }
        if let text = parts.string { return text }
        for part in parts.elements {
            if let text = part["body"]?.string { return text }
        }
        return ""
    }
}
