internal import JSON
/// A tag: `<a href="…">`, `</a>`, `<br/>`.
struct HTMLTag {
    /// The bytes of the tag.
    let range: Range<Int>
    /// In lower case.
    let name: String
    let isEnd: Bool
    private let html: Bytes
    private let attributes: Range<Int>

    /// Nil if no complete tag begins there.
    init?(_ html: Bytes, at start: Int) {
        var at = start + 1
        isEnd = at < html.count && html[at] == UInt8(ascii: "/")
        if isEnd { at += 1 }
        let nameStart = at
        while at < html.count, HTMLTag.isName(html[at]), at - nameStart < 32 { at += 1 }
        guard at > nameStart, html[nameStart].isLetter else { return nil }
        guard let end = HTMLTag.end(html, at) else { return nil }
        let nameEnd = at
        // Avoids an array, since there are many tags.
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

    /// The ">" that ends the tag. A quoted value may contain another ">". A "<" outside of quotes ends the search; otherwise a
    /// text with many "<" and no ">" would take quadratic time.
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

    private static func isName(_ byte: UInt8) -> Bool { Neighborhood.isAlphanumeric(byte) || byte == UInt8(ascii: "-") }

    /// The value of an attribute, decoded; nil without it.
    func attribute(_ name: StaticString) -> [UInt8]? { encoded(name).map { HTMLEntity.decoded($0) } }

    /// The value of an attribute, with its entities still encoded; nil without it.
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

extension HTMLTag {
    /// True if the tag has this class.
    func hasClass(_ name: StaticString) -> Bool {
        guard let classes = encoded("class") else { return false }
        var start = 0
        for end in 0...classes.count where end == classes.count || classes[end] <= 0x20 {
            if Bytes(rebasing: classes[start..<end]) == name { return true }
            start = end + 1
        }
        return false
    }

    /// The contents of the element that this tag begins, up to its end tag or the end of the text.
    func inside(_ html: Bytes) -> Range<Int> { range.upperBound..<(endTag(in: html)?.lowerBound ?? html.count) }

    func content(of html: Bytes) -> Bytes { Bytes(rebasing: html[inside(html)]) }

    /// The place after the element that this tag begins.
    func elementEnd(in html: Bytes) -> Int { endTag(in: html)?.upperBound ?? html.count }

    private func endTag(in html: Bytes) -> Range<Int>? {
        var scanner = HTMLScanner(html, from: range.upperBound)
        var depth = 1
        while let piece = scanner.next() {
            guard case .tag(let tag) = piece, tag.name == name else { continue }
            depth += tag.isEnd ? -1 : 1
            if depth == 0 { return tag.range }
        }
        return nil
    }
}

/// Reads HTML piece by piece: text, and tags with their attributes. Anything that is not a tag is text.
struct HTMLScanner {
    enum Piece {
        /// Text with its entities still encoded.
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

    /// The next tag that begins an element.
    mutating func nextTag() -> HTMLTag? {
        while let piece = next() {
            if case .tag(let tag) = piece, !tag.isEnd { return tag }
        }
        return nil
    }

    /// The address of the first picture, video or page, to show for a message without text.
    static func address(in html: Bytes) -> [UInt8]? {
        var scanner = HTMLScanner(html)
        while let tag = scanner.nextTag() {
            for address in [tag.attribute("data-canonical-url"), tag.attribute("href"), tag.attribute("src")] {
                if let address, !address.isEmpty { return address }
            }
        }
        return nil
    }

    /// The addresses of pictures, videos and links, each once.
    static func addresses(in html: Bytes) -> [String] {
        var (scanner, found) = (HTMLScanner(html), [String]())
        while let tag = scanner.nextTag() {
            guard tag.name != "use", let address = tag.attribute("src") ?? tag.attribute("href") else { continue }
            let text = String(decoding: address, as: UTF8.self)
            if !text.isEmpty, !found.contains(text) { found.append(text) }
        }
        return found
    }

    /// The contents of each element whose tag is wanted.
    static func elements(in html: Bytes, where isWanted: (HTMLTag) -> Bool) -> [Bytes] {
        var (scanner, found) = (HTMLScanner(html), [Bytes]())
        while let tag = scanner.nextTag() {
            guard isWanted(tag) else { continue }
            found.append(tag.content(of: html))
            scanner = HTMLScanner(html, from: tag.elementEnd(in: html))
        }
        return found
    }

    /// The places of tags that have one of these classes.
    static func tags(ofClass classes: [StaticString], in html: Bytes) -> [Int] {
        var starts: Set<Int> = []
        for name in classes {
            var at = 0
            while let start = tag(ofClass: name, in: html, from: &at) { starts.insert(start) }
        }
        return starts.sorted()
    }

    /// The place of the first tag that has this class.
    static func firstTag(ofClass name: StaticString, in html: Bytes) -> Int? {
        var at = 0
        return tag(ofClass: name, in: html, from: &at)
    }

    private static func tag(ofClass name: StaticString, in html: Bytes, from at: inout Int) -> Int? {
        while let place = html.offset(of: name, from: at) {
            at = place + name.utf8CodeUnitCount
            let before = html[max(0, place - 512)..<place]
            // The class name may also occur in a text or an address.
            if let open = before.lastIndex(of: UInt8(ascii: "<")), let tag = HTMLTag(html, at: open), tag.hasClass(name)
            {
                return open
            }
        }
        return nil
    }

    private func commentEnd() -> Int? {
        guard Bytes(rebasing: html[at...]).starts(with: "<!") else { return nil }
        guard Bytes(rebasing: html[at...]).starts(with: "<!--") else {
            let end = html[(at + 1)...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
            return end.flatMap { html[$0] == UInt8(ascii: ">") ? $0 + 1 : nil }
        }
        return html.offset(of: "-->" as StaticString, from: at + 4).map { $0 + 3 } ?? html.count
    }
}

/// Characters that HTML writes as `&name;` or `&#number;`.
enum HTMLEntity {
    private static let names: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "laquo": "«", "raquo": "»",
        "ndash": "–", "mdash": "—", "hellip": "…", "copy": "©", "reg": "®", "trade": "™", "bull": "•", "middot": "·",
        "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "times": "×", "euro": "€", "zwj": "\u{200D}",
        "shy": "\u{AD}",
    ]

    /// Appends the text of the entity that begins at the "&" at `start`. Returns the place after the entity, or after the "&" if
    /// there is none.
    static func decode(_ html: Bytes, at start: Int, to result: inout [UInt8]) -> Int {
        let limit = min(html.count, start + 12)
        guard let end = html[start..<limit].firstIndex(of: UInt8(ascii: ";")), let text = text(html[start + 1..<end])
        else {
            result.append(UInt8(ascii: "&"))
            return start + 1
        }
        result += Array(text.utf8)
        return end + 1
    }

    private static func text(_ name: Slice<Bytes>) -> String? {
        guard name.first == UInt8(ascii: "#") else { return names[String(decoding: name, as: UTF8.self)] }
        let digits = name.dropFirst()
        let isHex = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let number = String(decoding: isHex ? digits.dropFirst() : digits, as: UTF8.self)
        return UInt32(number, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }

    static func string(_ html: Bytes) -> String { String(decoding: decoded(html), as: UTF8.self) }

    /// The text with all entities decoded.
    static func decoded(_ html: Bytes) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(html.count)
        var at = 0
        while at < html.count {
            let next = html.offset(of: "&", from: at) ?? html.count
            result.append(contentsOf: Bytes(rebasing: html[at..<next]))
            at = next < html.count ? decode(html, at: next, to: &result) : next
        }
        return result
    }
}
