internal import JSON
internal import Messages

/// Encodes a post as one line of a log with its line feed: compact JSON with the fields in the order of the format.
enum RecordEncoder {
    static func line(_ post: Post) -> [UInt8] {
        let fields = PostFields(post.content)
        var isAction = false
        if case .message = post.content { isAction = post.isAction }
        let record: JSONText = [
            "type": JSONText(fields.type), "id": JSONText(post.id.rawValue), "target": JSONText(ifAny: fields.target),
            "at": JSONText(post.at.iso8601), "from": JSONText(post.sender.rawValue),
            "text": JSONText(ifAny: fields.text), "replyTo": JSONText(ifAny: fields.replyTo),
            "thread": JSONText(ifAny: fields.thread), "kind": isAction ? "action" : nil,
            "emoji": JSONText(ifAny: fields.emoji), "removed": fields.removed.map { JSONText($0) },
        ]
        return record.printable.line
    }
}
