internal import JSON
/// Turns the HTML of a message into Kedge's markup.
struct HTMLText {
    /// The look of the text that is being read.
    private struct Style: Equatable {
        var bold = 0
        var italic = 0
        var struck = 0
        var underlined = 0
        var code = 0
        var raised = 0
        var lowered = 0
        var link: [UInt8]?
    }

    private var style = Style()
    /// For each list, the number of the next item; nil without numbers.
    private var lists: [Int?] = []
    /// The text of the message, and of each quote and spoiler that is open.
    private var texts: [MarkedText] = [MarkedText()]
    /// The place of the open spoiler in `texts`; nil without one.
    private var hidden: Int?
    /// Text of one style.
    private var run: [UInt8] = []
    /// The open spans, each with true if it is a spoiler.
    private var spans: [Bool] = []
    /// The number of spoilers among the open spans.
    private var spoilers = 0
    /// The number of line feeds to insert before more text.
    private var breaks = 0
    private var isBlank = true
    /// The mark of an item without text so far. It is dropped if another list begins first.
    private var itemMark: String?
    /// True if an "@" was inserted before a mention, whose text may begin with its own.
    private var isMention = false
    private let keepsBlanks: Bool

    /// - Parameter keepsBlanks: true to keep all blanks, as in exports of Telegram.
    init(keepsBlanks: Bool = false) { self.keepsBlanks = keepsBlanks }

    /// The text of a piece of HTML.
    static func convert(_ html: Bytes, keepsBlanks: Bool = false) -> [UInt8] {
        var text = HTMLText(keepsBlanks: keepsBlanks)
        text.read(html)
        return text.finish()
    }

    static func string(_ html: Bytes, keepsBlanks: Bool = false) -> String {
        String(decoding: convert(html, keepsBlanks: keepsBlanks), as: UTF8.self)
    }

    private mutating func read(_ html: Bytes) {
        var scanner = HTMLScanner(html)
        while let piece = scanner.next() {
            switch piece {
            case .text(let range): add(Bytes(rebasing: html[range]))
            case .tag(let tag):
                if !tag.isEnd, HTMLText.isPassedOver(tag) {
                    scanner = HTMLScanner(html, from: skip(html, tag))
                } else if !tag.isEnd, tag.name == "span", let emoji = EmojiScalars.named(by: tag) {
                    beginText()
                    run += emoji
                    isBlank = false
                    scanner = HTMLScanner(html, from: tag.elementEnd(in: html))
                } else {
                    self.tag(tag)
                }
            }
        }
    }

    /// True if an element is skipped, because its contents are not HTML or not text.
    private static func isPassedOver(_ tag: HTMLTag) -> Bool {
        switch tag.name {
        case "pre", "mx-reply", "script", "style", "template", "title": true
        default: false
        }
    }

    private mutating func finish() -> [UInt8] {
        closeSpoiler()
        flush()
        while texts.count > 1 { closeQuote() }
        var bytes = texts[0].bytes
        while !keepsBlanks, let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        return bytes
    }

    // MARK: - Text

    private mutating func add(_ text: Bytes) {
        var at = isMention && text.first == UInt8(ascii: "@") ? 1 : 0
        isMention = false
        while at < text.count {
            let byte = text[at]
            if byte == UInt8(ascii: "&") {
                beginText()
                at = HTMLEntity.decode(text, at: at, to: &run)
                isBlank = false
            } else if byte <= 0x20, !keepsBlanks {
                if !isBlank, breaks == 0 { run.append(UInt8(ascii: " ")) }
                isBlank = true
                at += 1
            } else {
                beginText()
                let start = at
                while at < text.count, keepsBlanks ? text[at] != UInt8(ascii: "&") : HTMLText.isInside(text, at) {
                    at += 1
                }
                run.append(contentsOf: Bytes(rebasing: text[start..<at]))
                isBlank = false
            }
        }
    }

    /// True if a byte belongs to a word, or is a single blank between two words.
    @inline(__always)
    private static func isInside(_ text: Bytes, _ at: Int) -> Bool {
        if text[at] > 0x20 { return text[at] != UInt8(ascii: "&") }
        return text[at] == 0x20 && at + 1 < text.count && text[at + 1] > 0x20
    }

    /// True if no text comes before in the message or quote. A spoiler may begin within a line.
    private var isAtStart: Bool {
        let last = texts.count - 1
        return texts[last].isEmpty && (hidden != last || texts[last - 1].isEmpty)
    }

    private mutating func beginText() {
        if breaks > 0 {
            let count = breaks
            breaks = 0
            flush()
            if !isAtStart {
                Array(repeating: UInt8(ascii: "\n"), count: count).withUnsafeBytes { texts[texts.count - 1].add($0) }
            }
        }
        if let mark = itemMark {
            itemMark = nil
            texts[texts.count - 1].add(mark)
        }
    }

    /// Ends the line. With `count` line feeds, blank lines follow it.
    private mutating func breakLine(_ count: Int = 1) {
        while !keepsBlanks, style.code == 0, run.last == UInt8(ascii: " ") { run.removeLast() }
        flush()
        if isAtStart, breaks == 0 { return }
        breaks = max(breaks, count)
        isBlank = true
    }

    private mutating func flush() {
        guard !run.isEmpty else { return }
        if style.raised + style.lowered > 0, style.code == 0 { run = ShiftedText.of(run, isRaised: style.raised > 0) }
        let last = texts.count - 1
        run.withUnsafeBytes { text in
            if style.code > 0 {
                texts[last].addCode(text)
            } else if let link = style.link, !HTMLText.isMention(text, link) {
                link.withUnsafeBytes { texts[last].addLink(text, to: $0) }
            } else if let look {
                texts[last].add(text, look)
            } else {
                texts[last].add(text)
            }
        }
        run.removeAll(keepingCapacity: true)
    }

    private var look: MarkedText.Look? {
        if style.struck > 0 { return .struck }
        if style.bold > 0, style.italic > 0 { return .both }
        if style.bold > 0 { return .bold }
        if style.italic > 0 { return .italic }
        return style.underlined > 0 ? .underlined : nil
    }

    // MARK: - Tags

    private mutating func tag(_ tag: HTMLTag) {
        let step = tag.isEnd ? -1 : 1
        switch tag.name {
        // Names are compared in this order, so frequent ones come first.
        case "p": breakLine(lists.isEmpty ? 2 : 1)
        case "br": lineFeed()
        case "a": link(tag)
        case "span": span(tag)
        case "b", "strong": change { $0.bold = max(0, $0.bold + step) }
        case "i", "em", "cite", "var": change { $0.italic = max(0, $0.italic + step) }
        case "s", "del", "strike": change { $0.struck = max(0, $0.struck + step) }
        case "u", "ins": change { $0.underlined = max(0, $0.underlined + step) }
        case "sup": change { $0.raised = max(0, $0.raised + step) }
        case "sub": change { $0.lowered = max(0, $0.lowered + step) }
        case "code", "tt", "kbd": change { $0.code = max(0, $0.code + step) }
        case "img": image(tag)
        case "h1", "h2", "h3", "h4", "h5", "h6":
            breakLine(2)
            change { $0.bold = max(0, $0.bold + step) }
        case "div", "tr", "table", "hr", "summary", "details": breakLine()
        case "td", "th": if tag.isEnd { add(Bytes(" ")) }
        case "ul", "ol": list(tag)
        case "li": if !tag.isEnd { item() }
        case "blockquote": tag.isEnd ? closeQuote() : openQuote()
        default: break
        }
    }

    private mutating func change(_ change: (inout Style) -> Void) {
        var style = style
        change(&style)
        guard style != self.style else { return }
        flush()
        self.style = style
    }

    private mutating func lineFeed() {
        beginText()
        flush()
        texts[texts.count - 1].add("\n")
        isBlank = true
    }

    private mutating func span(_ tag: HTMLTag) {
        if tag.isEnd {
            guard spans.popLast() == true else { return }
            spoilers -= 1
            if spoilers == 0 { closeSpoiler() }
        } else {
            let reason = tag.attribute("data-mx-spoiler")
            let isSpoiler = reason != nil || tag.attribute("class").map { $0.starts(with: "spoiler".utf8) } == true
            spans.append(isSpoiler)
            guard isSpoiler else { return }
            if let reason, String(decoding: reason, as: UTF8.self).visibleName != nil {
                beginText()
                run += [UInt8(ascii: "(")] + reason + Array(") ".utf8)
                isBlank = true
            }
            if spoilers == 0 { openSpoiler() }
            spoilers += 1
        }
    }

    /// Begins or ends a link. A link to a person is a mention.
    private mutating func link(_ tag: HTMLTag) {
        guard !tag.isEnd, let address = tag.attribute("href") else { return change { $0.link = nil } }
        if tag.attribute("onclick").map({ $0.starts(with: "return ShowMentionName".utf8) }) == true {
            return beginMention()
        }
        if let target = address.withUnsafeBytes({ HTMLText.matrixTarget($0) }) {
            if target.starts(with: "@".utf8) || target.starts(with: "%40".utf8) { beginMention() }
            return
        }
        let isWeb = address.withUnsafeBytes { LinkAddress.isWeb($0) }
        change { $0.link = isWeb ? address : nil }
    }

    /// The beginning of the ID of a person or room in a Matrix link.
    private static func matrixTarget(_ address: Bytes) -> [UInt8]? {
        let site: StaticString = "matrix.to/#/"
        return address.offset(of: site).map { Array(address[($0 + site.utf8CodeUnitCount)...].prefix(3)) }
    }

    private mutating func beginMention() {
        beginText()
        run.append(UInt8(ascii: "@"))
        isMention = true
    }

    /// True if a link leads to the person named by its text: `@ben`, `https://t.me/ben`.
    private static func isMention(_ text: Bytes, _ link: [UInt8]) -> Bool {
        guard text.first == UInt8(ascii: "@"), text.count > 1, link.count > text.count else { return false }
        return link[(link.count - text.count)...].dropFirst().elementsEqual(text.dropFirst())
            && link[link.count - text.count] == UInt8(ascii: "/")
    }

    private mutating func image(_ tag: HTMLTag) {
        guard let text = tag.attribute("alt") ?? tag.attribute("title"), !text.isEmpty else { return }
        beginText()
        run += text
        isBlank = false
    }

    // MARK: - Spoilers, lists, quotes, code

    private mutating func openSpoiler() {
        flush()
        if itemMark != nil { beginText() }
        hidden = texts.count
        texts.append(MarkedText())
    }

    private mutating func closeSpoiler() {
        guard let hidden else { return }
        flush()
        while texts.count - 1 > hidden { closeQuote() }
        self.hidden = nil
        let text = texts.removeLast()
        texts[texts.count - 1].addHidden(text)
    }

    /// Ends the line before a block, if a spoiler begins with it.
    private mutating func beginBlock() {
        flush()
        guard hidden == texts.count - 1, texts[texts.count - 1].isEmpty else { return }
        breakLine()
        beginText()
    }

    private mutating func list(_ tag: HTMLTag) {
        breakLine()
        itemMark = nil
        if tag.isEnd {
            if lists.popLast() != nil, lists.isEmpty { breakLine() }
        } else if lists.count < 32 {
            let start = tag.attribute("start").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 1
            lists.append(tag.name == "ol" ? start : nil)
        }
    }

    private mutating func item() {
        breakLine()
        var mark = "- "
        if let last = lists.indices.last, let number = lists[last] {
            mark = "\(number). "
            lists[last] = number < Int.max ? number + 1 : number
        }
        itemMark = String(repeating: "  ", count: max(0, lists.count - 1)) + mark
    }

    private mutating func openQuote() {
        beginBlock()
        guard texts.count < 16 else { return }
        beginText()
        texts.append(MarkedText())
        isBlank = true
    }

    private mutating func closeQuote() {
        flush()
        // A spoiler that begins within the quote goes on after it.
        let goesOn = hidden == texts.count - 1
        guard texts.count > (goesOn ? 2 : 1) else { return }
        if goesOn { closeSpoiler() }
        var bytes = texts.removeLast().bytes
        while !keepsBlanks, let last = bytes.last, last <= 0x20 { bytes.removeLast() }
        bytes.withUnsafeBytes { texts[texts.count - 1].addQuote($0) }
        if goesOn { openSpoiler() }
        breaks = 0
        isBlank = true
    }

    /// Skips an element whose contents are not HTML or not text. Returns the place after it.
    private mutating func skip(_ html: Bytes, _ open: HTMLTag) -> Int {
        var scanner = HTMLScanner(html, from: open.range.upperBound)
        var code: [UInt8] = []
        var language: [UInt8] = []
        while let piece = scanner.next() {
            switch piece {
            case .text(let range): code += HTMLEntity.decoded(Bytes(rebasing: html[range]))
            case .tag(let tag):
                if tag.isEnd, tag.name == open.name { return end(open, code, language, scanner.at) }
                if tag.name == "br" { code.append(UInt8(ascii: "\n")) }
                if tag.name == "code", let name = tag.attribute("class"), name.starts(with: "language-".utf8) {
                    language = Array(name.dropFirst("language-".utf8.count))
                }
            }
        }
        return end(open, code, language, scanner.at)
    }

    private mutating func end(_ open: HTMLTag, _ code: [UInt8], _ language: [UInt8], _ place: Int) -> Int {
        guard open.name == "pre" else { return place }
        beginBlock()
        breaks = 0
        code.withUnsafeBytes { code in
            language.withUnsafeBytes { texts[texts.count - 1].addFence(code, language: hidden == nil ? $0 : .empty) }
        }
        isBlank = true
        return place
    }
}

/// Superscript and subscript, which a terminal cannot show. Kedge uses Unicode's digits and signs if there are any (`x²`, `H₂O`),
/// or else notation that people type (`e^(i pi)`, `a_max`).
private enum ShiftedText {
    private static let raised: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"))
    private static let lowered: [Character: Character] = Dictionary(
        uniqueKeysWithValues: zip("0123456789+-=()aeox", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓ"))

    /// Blanks at the ends are kept.
    static func of(_ bytes: [UInt8], isRaised: Bool) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let first = text.firstIndex(where: { !$0.isWhitespace }),
            let last = text.lastIndex(where: { !$0.isWhitespace })
        else { return bytes }
        let inner = text[first...last]
        let (signs, mark) = isRaised ? (raised, "^") : (lowered, "_")
        let shifted = String(inner.compactMap { signs[$0] })
        let isOne = inner.allSatisfy { $0.isLetter || $0.isNumber } || inner.first == "(" || inner.first == "["
        let shown = shifted.count == inner.count ? shifted : mark + (isOne ? String(inner) : "(\(inner))")
        return Array((text[..<first] + shown + text[text.index(after: last)...]).utf8)
    }
}
