internal import JSON
internal import Markup

/// The text of a message.
struct MatrixText {
    private(set) var bytes: [UInt8]

    /// - Parameter isReply: true if the body may begin with lines that quote the message to which it replies.
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
        if let place = MatrixText.place(content) { bytes += Array("\(bytes.isEmpty ? "" : "\n")\(place)".utf8) }
    }

    /// The new text of an edited message; nil if the edit has no readable text.
    static func edited(_ event: MatrixEvent) -> [UInt8]? {
        guard let content = event.content else { return nil }
        if let poll = MatrixPoll.text(ofEdit: content) { return Array(poll.utf8) }
        // The body next to `m.new_content` is for clients without edits (Matrix client-server API, "Event replacements").
        guard let new = content["m.new_content"], new["body"]?.isString == true else { return nil }
        if MatrixMedia.isFile(new) { return caption(new, isSticker: false) }
        let text = MatrixText(new, isReply: false)
        return text.isBlank ? nil : text.bytes
    }

    /// True if the text would be invisible.
    var isBlank: Bool { bytes.count <= 256 && String(decoding: bytes, as: UTF8.self).visibleName == nil }

    /// The text for a message without a text.
    static func name(ofEmpty content: JSONValue) -> [UInt8] {
        let known: Set = ["m.text", "m.notice", "m.emote"]
        guard let kind = content["msgtype"]?.string?.visibleName, !known.contains(kind) else {
            return Array("(empty message)".utf8)
        }
        return Array("(message of the kind \(kind))".utf8)
    }

    /// The body as the sender typed it, if the HTML contains nothing else. (HTML cannot distinguish `_a_` and `*a*`.)
    private static func typed(_ content: JSONValue, _ html: Bytes) -> [UInt8]? {
        guard let body = content["body"]?.bytes else { return nil }
        let isAction = content["msgtype"]?.bytes.map { $0 == "m.emote" } == true
        return FormattedBody.isHTML(html, of: body, isAction: isAction) ? Array(body) : nil
    }

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

    /// The text of a message with a file; empty if it only repeats the file's name.
    static func caption(_ content: JSONValue, isSticker: Bool) -> [UInt8] {
        if isSticker { return Array((content["body"]?.string?.visibleName.map { "Sticker: \($0)" } ?? "Sticker").utf8) }
        guard let name = content["filename"]?.bytes, let body = content["body"]?.bytes, !name.elementsEqual(body) else {
            return []
        }
        return MatrixText(content, isReply: false).bytes
    }
}

/// The text of a message as HTML, for Matrix clients that show formatted text (Matrix specification, "m.room.message msgtypes"):
/// bold text in Kedge is bold there.
///
/// Kedge's marks become tags. Everything else is unchanged: lists, unclosed marks, backslashes.
package struct FormattedBody: Sendable {
    /// The value of the field `format` of a message with HTML.
    package static let format: StaticString = "org.matrix.custom.html"

    /// The HTML; nil if plain text looks the same, as for most texts without marks and mentions.
    package let html: String?
    /// The text for clients without HTML: a link to a person is reduced to its words.
    package let plain: String
    /// The people whom the text names by ID or by link, outside of code; each once.
    package let mentions: [String]
    /// True if the text calls everybody in the room, by the word `@room` outside of code.
    package let callsRoom: Bool

    /// - Parameter isAction: true for an action, in which no line is a quote.
    package init(_ text: String, isAction: Bool) {
        var writer = FormattedBodyWriter()
        var text = text
        text.withUTF8 { text in
            for line in MarkedLines(text, hasHeads: !isAction) { writer.add(line, of: text) }
        }
        writer.finish()
        // Clients would mistake such a first line of an action for the quote of a reply.
        let looksLikeQuote = text.hasPrefix("> <") || text.hasPrefix("> * <")
        html = writer.isFormatted || looksLikeQuote ? String(decoding: writer.bytes, as: UTF8.self) : nil
        (mentions, callsRoom) = (writer.mentions, writer.callsRoom)
        var bytes = Array(text.utf8)
        for link in writer.personLinks.reversed() { bytes.replaceSubrange(link.whole, with: bytes[link.word]) }
        plain = String(decoding: bytes, as: UTF8.self)
    }

    /// True if the HTML is what Kedge makes of the text. Then the text is exactly what the sender typed, with its marks.
    ///
    /// Most HTML from other programs differs in the first line, so the rest is not even converted.
    static func isHTML(_ html: Bytes, of text: Bytes, isAction: Bool) -> Bool {
        let text = text.assumingMemoryBound(to: UInt8.self)
        var writer = FormattedBodyWriter()
        var compared = 0
        func isSame() -> Bool {
            let count = writer.bytes.count
            guard count <= html.count else { return false }
            defer { compared = count }
            return writer.bytes[compared...].elementsEqual(html[compared..<count])
        }
        for line in MarkedLines(text, hasHeads: !isAction) {
            writer.add(line, of: text)
            guard isSame() else { return false }
        }
        writer.finish()
        return isSame() && compared == html.count
    }
}
