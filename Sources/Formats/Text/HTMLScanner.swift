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
        while let end = commentEnd() { at = end }
        guard at < html.count else { return nil }
        if html[at] == UInt8(ascii: "<") {
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

    /// What stands inside each element of a name, one after another.
    static func elements(_ name: String, in html: Bytes) -> [Bytes] {
        var (scanner, found) = (HTMLScanner(html), [Bytes]())
        while let piece = scanner.next() {
            guard case .tag(let tag) = piece, !tag.isEnd, tag.name == name else { continue }
            found.append(Bytes(rebasing: html[tag.inside(html)]))
            scanner = HTMLScanner(html, from: tag.elementEnd(in: html))
        }
        return found
    }

    /// Where tags begin that have one of these classes.
    static func tags(ofClass classes: [StaticString], in html: Bytes) -> [Int] {
        var starts: Set<Int> = []
        for name in classes {
            var at = 0
            while let place = html.offset(of: name, from: at) {
                at = place + name.utf8CodeUnitCount
                let before = html[max(0, place - 512)..<place]
                // The name may also stand in a text or an address.
                guard let open = before.lastIndex(of: UInt8(ascii: "<")), let tag = HTMLTag(html, at: open),
                    tag.hasClass(name)
                else { continue }
                starts.insert(open)
            }
        }
        return starts.sorted()
    }

    private func commentEnd() -> Int? {
        guard Bytes(rebasing: html[at...]).starts(with: "<!") else { return nil }
        guard Bytes(rebasing: html[at...]).starts(with: "<!--") else {
            let end = html[(at + 1)...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
            return end.flatMap { html[$0] == UInt8(ascii: ">") ? $0 + 1 : nil }
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
