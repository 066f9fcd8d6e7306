/// A tag: `<a href="…">`, `</a>`, `<br/>`.
struct HTMLTag {
    /// Its bytes.
    let range: Range<Int>
    /// In small letters.
    let name: String
    let isEnd: Bool
    private let html: Bytes
    private let attributes: Range<Int>

    /// Nil if no whole tag begins there.
    init?(_ html: Bytes, at start: Int) {
        var at = start + 1
        isEnd = at < html.count && html[at] == UInt8(ascii: "/")
        if isEnd { at += 1 }
        let nameStart = at
        while at < html.count, HTMLTag.isName(html[at]), at - nameStart < 32 { at += 1 }
        guard at > nameStart, (html[nameStart] | 0x20) &- 0x61 < 26 else { return nil }
        guard let end = HTMLTag.end(html, at) else { return nil }
        let nameEnd = at
        // Without an array, since tags are many.
        name = String(unsafeUninitializedCapacity: nameEnd - nameStart) { bytes in
            for (place, byte) in html[nameStart..<nameEnd].enumerated() {
                bytes[place] = byte | (byte > 0x40 ? 0x20 : 0)
            }
            return nameEnd - nameStart
        }
        attributes = at..<end
        range = start..<end + 1
        self.html = html
    }

    /// The ">" of the tag, which may also stand in a quoted value. A "<" that stands in none ends the search: else texts with many "<"
    /// and no ">" would be read to their end for each of them.
    private static func end(_ html: Bytes, _ start: Int) -> Int? {
        var at = start
        var quote: UInt8?
        while at < html.count {
            let byte = html[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return at
            } else if byte == UInt8(ascii: "<") {
                return nil
            } else if (byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")) && at > start
                && isBeforeValue(html[at - 1])
            {
                quote = byte
            }
            at += 1
        }
        return nil
    }

    private static func isBeforeValue(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "=") || byte <= 0x20 }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The value of an attribute, decoded; nil without it.
    func attribute(_ name: StaticString) -> [UInt8]? { encoded(name).map { HTMLEntity.decoded($0) } }

    /// The value of an attribute as the file has it; nil without it.
    func encoded(_ name: StaticString) -> Bytes? {
        var at = attributes.lowerBound
        while at < attributes.upperBound {
            while at < attributes.upperBound, html[at] <= 0x20 || html[at] == UInt8(ascii: "/") { at += 1 }
            let nameStart = at
            while at < attributes.upperBound, html[at] > 0x20, html[at] != UInt8(ascii: "=") { at += 1 }
            let isWanted = Bytes(rebasing: html[nameStart..<at]) == name
            while at < attributes.upperBound, html[at] <= 0x20 { at += 1 }
            var value = at..<at
            if at < attributes.upperBound, html[at] == UInt8(ascii: "=") { value = self.value(&at) }
            if isWanted { return Bytes(rebasing: html[value]) }
            if at == nameStart { at += 1 }
        }
        return nil
    }

    /// The value after the "=" at `at`, without its quotes.
    private func value(_ at: inout Int) -> Range<Int> {
        at += 1
        while at < attributes.upperBound, html[at] <= 0x20 { at += 1 }
        guard at < attributes.upperBound else { return at..<at }
        let quote = html[at]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let start = at
            while at < attributes.upperBound, html[at] > 0x20 { at += 1 }
            return start..<at
        }
        let start = at + 1
        at = start
        while at < attributes.upperBound, html[at] != quote { at += 1 }
        let range = start..<at
        at = min(at + 1, attributes.upperBound)
        return range
    }
}
