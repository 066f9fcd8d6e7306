/// The text of a message.
struct MatrixText {
    let bytes: [UInt8]

    /// - Parameter isReply: whether it may begin with lines that quote the message to which it replies.
    init(_ content: JSONValue, isReply: Bool) {
        if let html = content["formatted_body"]?.bytes, !html.isEmpty,
            content["format"]?.bytes.map({ $0 == FormattedBody.format }) == true
        {
            let text = MatrixText.typed(content, html) ?? HTMLText.convert(html)
            if !text.isEmpty {
                bytes = text
                return
            }
        }
        var body = content["body"]?.bytes ?? .empty
        if isReply { body = MatrixText.withoutQuote(body) }
        bytes = Array(body)
        if let place = MatrixText.place(content) { addLine(place) }
    }

    /// The text that an edit gives to a message; nil if it has none that can be read.
    static func edited(_ event: MatrixEvent) -> [UInt8]? {
        guard let content = event.content else { return nil }
        if let poll = MatrixPoll.text(ofEdit: content) { return Array(poll.utf8) }
        // The text beside it is for clients that know no edits (Matrix client-server API, "Event replacements").
        guard let new = content["m.new_content"], new["body"]?.isString == true else { return nil }
        if MatrixMedia.isFile(new) { return caption(new, isSticker: false) }
        let text = MatrixText(new, isReply: false)
        return text.isBlank ? nil : text.bytes
    }

    /// Whether nothing of it would be seen.
    var isBlank: Bool { bytes.count <= 256 && String(decoding: bytes, as: UTF8.self).visibleName == nil }

    /// What stands for a message without a text.
    static func name(ofEmpty content: JSONValue) -> [UInt8] {
        let known: Set = ["m.text", "m.notice", "m.emote"]
        guard let kind = content["msgtype"]?.string?.visibleName, !known.contains(kind) else {
            return Array("(empty message)".utf8)
        }
        return Array("(message of the kind \(kind))".utf8)
    }

    /// The body, if the HTML says nothing else: the text as its sender typed it, where `_a_` and `*a*` are not the same.
    private static func typed(_ content: JSONValue, _ html: Bytes) -> [UInt8]? {
        guard let body = content["body"]?.bytes else { return nil }
        let isAction = content["msgtype"]?.bytes.map { $0 == "m.emote" } == true
        return FormattedBody.isHTML(html, of: body, isAction: isAction) ? Array(body) : nil
    }

    private mutating func addLine(_ line: String) {
        self = MatrixText(bytes: bytes + Array("\(bytes.isEmpty ? "" : "\n")\(line)".utf8))
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The coordinates of a place.
    private static func place(_ content: JSONValue) -> String? {
        guard content["msgtype"]?.bytes.map({ $0 == "m.location" }) == true else { return nil }
        return content["geo_uri"]?.string
    }

    /// Leaves out the lines `> <@ana:example.org> text` and `> more text`, and the empty line after them.
    private static func withoutQuote(_ body: Bytes) -> Bytes {
        guard body.starts(with: "> <") || body.starts(with: "> * <") else { return body }
        var rest = body
        while rest.first == UInt8(ascii: ">") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return body }
            rest = Bytes(rebasing: rest[(end + 1)...])
        }
        return rest.first == UInt8(ascii: "\n") ? Bytes(rebasing: rest.dropFirst()) : rest
    }

    /// The text of a message with a file: nothing where it only repeats the file's name.
    static func caption(_ content: JSONValue, isSticker: Bool) -> [UInt8] {
        if isSticker { return Array((content["body"]?.string.map { "Sticker: \($0)" } ?? "Sticker").utf8) }
        guard let name = content["filename"]?.bytes, let body = content["body"]?.bytes, !name.elementsEqual(body) else {
            return []
        }
        return MatrixText(content, isReply: false).bytes
    }
}
