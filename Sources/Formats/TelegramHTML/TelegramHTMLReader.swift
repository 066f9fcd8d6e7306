/// Walks over the opening tags of a message.
struct TelegramHTMLReader {
    private let html: Bytes
    private var tag = 0..<0

    init(_ html: Bytes) { self.html = html }

    /// Goes to the next tag that opens.
    mutating func nextTag() -> Bool {
        var at = tag.upperBound
        while let start = html.offset(of: "<", from: at) {
            at = start + 1
            guard at < html.count, html[at] != UInt8(ascii: "/"), html[at] > 0x40 else { continue }
            guard let end = html.offset(of: ">", from: at) else { return false }
            tag = start..<end + 1
            return true
        }
        return false
    }

    func isTag(_ text: StaticString) -> Bool { Bytes(rebasing: html[tag]).starts(with: text) }

    /// The value of an attribute of the tag, before its entities are decoded. (`attribute(" class=\"")`)
    func attribute(_ begin: StaticString) -> Bytes? {
        let tag = Bytes(rebasing: html[self.tag])
        guard let place = tag.offset(of: begin) else { return nil }
        let value = Bytes(rebasing: tag[(place + begin.utf8CodeUnitCount)...])
        guard let end = value.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        return Bytes(rebasing: value[..<end])
    }

    /// The inside of a `<div>` without others in it, without white space at its ends.
    var content: Bytes { inside("</div>").trimmed }

    var span: Bytes { inside("</span>").trimmed }

    /// The inside of a `<div>` without the line feeds and the indentation that the exporter puts around it.
    var line: Bytes {
        var text = inside("</div>")
        if text.first == UInt8(ascii: "\r") { text = Bytes(rebasing: text.dropFirst()) }
        if text.first == UInt8(ascii: "\n") { text = Bytes(rebasing: text.dropFirst()) }
        guard let end = text.lastIndex(of: UInt8(ascii: "\n")), text[end...].allSatisfy({ $0 <= 0x20 }) else {
            return text
        }
        let isWindows = end > 0 && text[end - 1] == UInt8(ascii: "\r")
        return Bytes(rebasing: text[..<(isWindows ? end - 1 : end)])
    }

    private func inside(_ end: StaticString) -> Bytes {
        Bytes(rebasing: html[tag.upperBound..<(html.offset(of: end, from: tag.upperBound) ?? html.count)])
    }
}
