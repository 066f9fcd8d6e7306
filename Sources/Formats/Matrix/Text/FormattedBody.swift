internal import Markup

/// The text of a message as HTML, for clients of Matrix that show formatted text (Matrix specification, "m.room.message msgtypes"):
/// what Kedge shows in bold is bold there.
///
/// The marks of the text become tags. All else stays: lists as they are typed, marks that are not closed, backslashes.
package struct FormattedBody: Sendable {
    /// The value of the field `format` of a message with HTML.
    package static let format: StaticString = "org.matrix.custom.html"

    /// Nil for a text that looks the same without it: most texts without marks and mentions.
    package let html: String?
    /// The text for clients without HTML: links to people are their words alone.
    package let plain: String
    /// The people whom the text names by their IDs, or by links to them, outside of code: each once.
    package let mentions: [String]
    /// Whether the text calls everybody in the room, by the word `@room` outside of code.
    package let callsRoom: Bool

    /// - Parameter isAction: whether the text says what the sender does. Then no line of it is a quote.
    package init(_ text: String, isAction: Bool) {
        var writer = FormattedBodyWriter()
        var text = text
        text.withUTF8 { text in
            for line in MarkedLines(text, hasHeads: !isAction) { writer.add(line, of: text) }
        }
        writer.finish()
        // Of an action, which has no quotes, these lines would be taken for the quote that replies begin with.
        let looksLikeQuote = text.hasPrefix("> <") || text.hasPrefix("> * <")
        html = writer.isFormatted || looksLikeQuote ? String(decoding: writer.bytes, as: UTF8.self) : nil
        (mentions, callsRoom) = (writer.mentions, writer.callsRoom)
        var bytes = Array(text.utf8)
        for link in writer.personLinks.reversed() { bytes.replaceSubrange(link.whole, with: bytes[link.word]) }
        plain = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the HTML is that of a text. Then the text is all that the sender typed, with its marks.
    ///
    /// Most HTML of other programs differs in its first line, and no further line is converted.
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
