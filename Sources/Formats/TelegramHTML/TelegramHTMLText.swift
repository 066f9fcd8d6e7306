/// Texts of messages, whose line feeds are `<br>` and whose blanks stand for themselves.
enum TelegramHTMLText {
    static func add(_ html: Bytes, to text: inout MarkedText) {
        if html.contains(UInt8(ascii: "<")) || html.contains(UInt8(ascii: "&")) {
            HTMLText.convert(html, keepsBlanks: true).withUnsafeBytes { text.add($0) }
        } else {
            text.add(html)
        }
    }

    /// The text of a name, a title or a line.
    static func plain(_ html: Bytes) -> String {
        HTMLText.convert(html.trimmed, keepsBlanks: true).withUnsafeBytes { $0.string }
    }
}
