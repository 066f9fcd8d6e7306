internal import JSON
internal import Messages

/// Encodes a post as one line of a log with its line feed: compact JSON with the fields in the order of the format.
enum RecordEncoder {
    static func line(_ post: Post) -> [UInt8] {
        let (type, target, fields): (JSONText, MessageID?, [(String, JSONText?)]) =
            switch post.content {
            case .message(let text, let replyTo, let thread):
                (
                    "message", nil,
                    [
                        ("text", JSONText(text)), ("replyTo", JSONText(ifAny: replyTo?.rawValue)),
                        ("thread", JSONText(ifAny: thread?.rawValue)), ("kind", post.isAction ? "action" : nil),
                    ]
                )
            case .edit(let target, let text): ("edit", target, [("text", JSONText(text))])
            case .deletion(let target): ("delete", target, [])
            case .reaction(let target, let emoji, let isRemoved):
                ("reaction", target, [("emoji", JSONText(emoji)), ("removed", JSONText(isRemoved))])
            }
        let head: [(String, JSONText?)] = [
            ("type", type), ("id", JSONText(post.id.rawValue)), ("target", JSONText(ifAny: target?.rawValue)),
            ("at", JSONText(post.at.iso8601)), ("from", JSONText(post.sender.rawValue)),
        ]
        return JSONText(fields: head + fields).printable.line
    }
}
