internal import Messages

/// Encodes a post as one line of a log with its line feed: compact JSON with the fields in the order of the format.
struct RecordEncoder {
    private var bytes: [UInt8] = []

    static func line(_ post: Post) -> [UInt8] {
        var encoder = RecordEncoder()
        encoder.encode(post)
        return encoder.bytes
    }

    /// A JSON object of texts and numbers, as a line.
    /// - Parameter brackets: what stands around it, for an array of one object.
    static func line(
        _ fields: KeyValuePairs<String, String?>, numbers: KeyValuePairs<String, String> = [:],
        in brackets: (String, String) = ("", "")
    ) -> [UInt8] {
        var encoder = RecordEncoder()
        encoder.bytes.append(UInt8(ascii: "{"))
        for (key, text) in fields { if let text { encoder.add(key, text) } }
        for (key, number) in numbers { encoder.add(key, json: number) }
        return Array(brackets.0.utf8) + encoder.bytes + Array("}\(brackets.1)\n".utf8)
    }

    private mutating func encode(_ post: Post) {
        bytes.append(UInt8(ascii: "{"))
        switch post.content {
        case .message(let text, let replyTo, let thread):
            begin("message", post, target: nil)
            add("text", text)
            if let replyTo { add("replyTo", replyTo.rawValue) }
            if let thread { add("thread", thread.rawValue) }
            if post.isAction { add("kind", "action") }
        case .edit(let target, let text):
            begin("edit", post, target: target)
            add("text", text)
        case .deletion(let target):
            begin("delete", post, target: target)
        case .reaction(let target, let emoji, let isRemoved):
            begin("reaction", post, target: target)
            add("emoji", emoji)
            add("removed", json: isRemoved ? "true" : "false")
        }
        bytes += Array("}\n".utf8)
    }

    /// Adds the fields that all records share.
    private mutating func begin(_ type: String, _ post: Post, target: MessageID?) {
        add("type", type)
        add("id", post.id.rawValue)
        if let target { add("target", target.rawValue) }
        add("at", post.at.iso8601)
        add("from", post.sender.rawValue)
    }

    private mutating func add(_ key: String, _ text: String) {
        add(key, json: "\"")
        for scalar in text.unicodeScalars { add(scalar) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func add(_ key: String, json: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += Array("\"\(key)\":\(json)".utf8)
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes += [0x5C, 0x22]
        case "\\": bytes += [0x5C, 0x5C]
        case "\n": bytes += Array("\\n".utf8)
        case "\r": bytes += Array("\\r".utf8)
        case "\t": bytes += Array("\\t".utf8)
        default:
            if RecordEncoder.isTrap(scalar) {
                let digits = String(scalar.value, radix: 16)
                bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// JSON requires escapes only for C0 controls. C1 controls, line separators and direction marks are escaped too,
    /// because they would garble the file in a terminal.
    private static func isTrap(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
