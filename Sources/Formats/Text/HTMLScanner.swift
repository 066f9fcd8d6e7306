/// Reads HTML piece by piece: text, and tags with their attributes. Never fails: what is no tag is text.
struct HTMLScanner {
    enum Piece {
        /// Text before its entities are decoded.
        case text(Range<Int>)
        case tag(HTMLTag)
    }

    private let html: Bytes
    private(set) var at: Int

    init(_ html: Bytes, from start: Int = 0) {
        self.html = html
        at = start
    }

    mutating func next() -> Piece? {
        guard at < html.count else { return nil }
        if html[at] == UInt8(ascii: "<") {
            if let end = commentEnd() {
                at = end
                return next()
            }
            if let tag = HTMLTag(html, at: at) {
                at = tag.range.upperBound
                return .tag(tag)
            }
        }
        let start = at
        // A "<" that begins no tag is text.
        at = html.offset(of: "<", from: at + 1) ?? html.count
        return .text(start..<at)
    }

    /// The address of the first picture, film or page: for messages that consist of nothing else.
    static func address(in html: Bytes) -> [UInt8]? {
        var scanner = HTMLScanner(html)
        while let piece = scanner.next() {
            guard case .tag(let tag) = piece, !tag.isEnd else { continue }
            for address in [tag.attribute("data-canonical-url"), tag.attribute("href"), tag.attribute("src")] {
                if let address, !address.isEmpty { return address }
            }
        }
        return nil
    }

    private func commentEnd() -> Int? {
        guard Bytes(rebasing: html[at...]).starts(with: "<!") else { return nil }
        guard Bytes(rebasing: html[at...]).starts(with: "<!--") else {
            return html[at...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 }
        }
        var end = at + 4
        while end + 2 < html.count {
            if html[end] == UInt8(ascii: "-"), html[end + 1] == UInt8(ascii: "-"), html[end + 2] == UInt8(ascii: ">") {
                return end + 3
            }
            end += 1
        }
        return html.count
    }
}
