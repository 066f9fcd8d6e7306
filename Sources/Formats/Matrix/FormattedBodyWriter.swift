internal import Markup

/// Writes marked lines as HTML: only tags that the Matrix specification allows, all of them closed, and escaped text.
struct FormattedBodyWriter {
    /// The last thing written before the next line.
    private enum Edge {
        /// The beginning of the text or of a block.
        case start
        /// The end of a block. The first empty line after it is left out: the margin of the block takes its place.
        case end
        case line
    }

    private enum Tag: Equatable {
        /// The link with this number in its line.
        case link(Int)
        case strong, em, del, code, spoiler
    }

    /// The most nested quotes: clients may drop what is nested more than 100 deep.
    private static let mostQuotes = 32

    private(set) var bytes: [UInt8] = []
    /// True if something looks different from plain text.
    private(set) var isFormatted = false
    private(set) var mentions: [String] = []
    private(set) var callsRoom = false
    /// The links to people whose words differ from the address: the bytes of the whole link in the text, and those of its words.
    private(set) var personLinks: [(whole: Range<Int>, word: Range<Int>)] = []
    private var known: Set<String> = []
    private var edge = Edge.start
    private var isCode = false
    /// The number of open quotes.
    private var quotes = 0
    private var tags: [Tag] = []
    /// The number of the first link of the line that may still contain the next text.
    private var nextLink = 0
    /// True if HTML would drop a blank that comes next.
    private var losesBlank = true

    /// Adds the next line of a text.
    mutating func add(_ line: MarkedLine, of text: UnsafeBufferPointer<UInt8>) {
        let bytes = UnsafeBufferPointer(rebasing: text[line.bytes])
        switch line.kind {
        case .fence:
            let name = FormattedBodyWriter.withoutBlanks(bytes[line.start...])
            isCode ? endCode(name) : beginCode(name)
        case .code: addCode(bytes, goesOn: line.goesOn)
        case .prose: addProse(line, bytes)
        }
    }

    /// Closes everything that is open.
    mutating func finish() {
        if isCode { bytes.append("</code></pre>") }
        setQuotes(0)
    }

    // MARK: - Blocks

    /// Most words after the backquotes name a language. Other words become the first line of the code, so that nothing is lost.
    private mutating func beginCode(_ name: UnsafeBufferPointer<UInt8>) {
        setQuotes(0)
        (isCode, isFormatted, edge) = (true, true, .start)
        bytes.append("<pre><code")
        let isLanguage = !name.isEmpty && name.count < 32 && name.allSatisfy(Neighborhood.isOfLanguage)
        if isLanguage {
            bytes.append(" class=\"language-")
            bytes.append(contentsOf: name)
            bytes.append("\"")
        }
        bytes.append(">")
        if !isLanguage, !name.isEmpty { addCode(name, goesOn: false) }
    }

    private mutating func addCode(_ line: UnsafeBufferPointer<UInt8>, goesOn: Bool) {
        if edge == .line, !goesOn { bytes.append("\n") }
        edge = .line
        for byte in line { escape(byte) }
    }

    private mutating func endCode(_ rest: UnsafeBufferPointer<UInt8>) {
        bytes.append("</code></pre>")
        (isCode, edge) = (false, .end)
        guard !rest.isEmpty else { return }
        edge = .line
        for byte in rest { escape(byte) }
    }

    private static func withoutBlanks(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> UnsafeBufferPointer<UInt8> {
        var text = text.drop(while: Neighborhood.isBlank)
        while let last = text.last, Neighborhood.isBlank(last) { text.removeLast() }
        return UnsafeBufferPointer(rebasing: text)
    }

    private mutating func setQuotes(_ count: Int) {
        let count = min(count, FormattedBodyWriter.mostQuotes)
        while quotes > count {
            bytes.append("</blockquote>")
            (quotes, edge) = (quotes - 1, .end)
        }
        while quotes < count {
            bytes.append("<blockquote>")
            (quotes, edge, isFormatted) = (quotes + 1, .start, true)
        }
    }

    // MARK: - Prose

    private mutating func addProse(_ line: MarkedLine, _ text: UnsafeBufferPointer<UInt8>) {
        if !line.goesOn {
            setQuotes(line.quotes)
            if edge == .end, line.start == text.count {
                edge = .start
                return
            }
            if edge == .line { bytes.append("<br>") }
            losesBlank = true
        }
        (edge, nextLink) = (.line, 0)
        addPersonLinks(line)
        var end = line.start
        for piece in line.markup.pieces {
            add(end..<piece.range.lowerBound, [], line, text)
            add(piece.range, piece.look, line, text)
            end = piece.range.upperBound
        }
        add(end..<text.count, [], line, text)
        set([], line)
    }

    private mutating func addPersonLinks(_ line: MarkedLine) {
        for (link, address) in zip(line.markup.links, line.addresses) {
            guard let id = FormattedBodyWriter.person(address) else { continue }
            if known.insert(id).inserted { mentions.append(id) }
            // A link whose text is its address needs no other text.
            guard link.whole.lowerBound + 1 < link.address.lowerBound - 2 else { continue }
            let (first, whole) = (line.bytes.lowerBound, link.whole)
            personLinks.append(
                (
                    first + whole.lowerBound..<first + whole.upperBound,
                    first + whole.lowerBound + 1..<first + link.address.lowerBound - 2
                ))
        }
    }

    /// The ID of the person in a link (Matrix specification, appendices, "matrix.to navigation").
    private static func person(_ address: String) -> String? {
        let site = "https://matrix.to/#/"
        guard address.hasPrefix(site) else { return nil }
        let id = String(percentDecoding: address.dropFirst(site.count).prefix { $0 != "?" && $0 != "/" })
        return id.hasPrefix("@") && id.contains(":") && id.utf8.count <= 255 ? id : nil
    }

    private mutating func add(
        _ range: Range<Int>, _ look: Markup.Look, _ line: MarkedLine, _ text: UnsafeBufferPointer<UInt8>
    ) {
        guard !range.isEmpty else { return }
        guard !look.contains(.mark), !look.contains(.address) else {
            isFormatted = true
            return
        }
        let links = line.markup.links
        while nextLink < links.count, links[nextLink].whole.upperBound <= range.lowerBound { nextLink += 1 }
        set(FormattedBodyWriter.tags(look, nextLink), line)
        if look.contains(.code) {
            for byte in text[range] { escape(byte) }
            losesBlank = false
        } else if look.contains(.link) {
            add(text[range])
        } else {
            addWithMentions(range, text)
        }
    }

    private mutating func addWithMentions(_ range: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) {
        var start = range.lowerBound
        if !callsRoom { callsRoom = PersonMention.callsRoom(text, range) }
        while let mention = PersonMention.next(in: text, start..<range.upperBound) {
            let id = String(decoding: text[mention], as: UTF8.self)
            if known.insert(id).inserted { mentions.append(id) }
            // A mention that a mark cuts in two is not a link.
            let end = min(mention.upperBound, range.upperBound)
            add(text[start..<mention.lowerBound])
            if mention.upperBound == end { beginMention(text[mention]) }
            add(text[mention.lowerBound..<end])
            if mention.upperBound == end { bytes.append("</a>") }
            start = end
        }
        add(text[start..<range.upperBound])
    }

    private mutating func beginMention(_ id: Slice<UnsafeBufferPointer<UInt8>>) {
        isFormatted = true
        bytes.append("<a href=\"https://matrix.to/#/")
        for byte in id { byte == UInt8(ascii: "/") ? bytes.append("%2F") : escape(byte) }
        bytes.append("\">")
    }

    // MARK: - Tags

    private static func tags(_ look: Markup.Look, _ link: Int) -> [Tag] {
        var tags: [Tag] = []
        if look.contains(.spoiler) { tags.append(.spoiler) }
        if look.contains(.link) { tags.append(.link(link)) }
        if look.contains(.bold) { tags.append(.strong) }
        if look.contains(.italic) { tags.append(.em) }
        if look.contains(.struck) { tags.append(.del) }
        if look.contains(.code) { tags.append(.code) }
        return tags
    }

    /// Closes and opens tags until exactly these are open. Tags that stay open keep their order.
    private mutating func set(_ wanted: [Tag], _ line: MarkedLine) {
        let kept = tags.prefix { wanted.contains($0) }.count
        while tags.count > kept { close(tags.removeLast()) }
        for tag in wanted where !tags.contains(tag) {
            tags.append(tag)
            open(tag, line)
        }
    }

    private mutating func open(_ tag: Tag, _ line: MarkedLine) {
        switch tag {
        case .link(let number):
            bytes.append("<a href=\"")
            for byte in line.addresses[number].utf8 { escape(byte) }
            bytes.append("\">")
        case .spoiler: bytes.append("<span data-mx-spoiler>")
        case .strong: bytes.append("<strong>")
        case .em: bytes.append("<em>")
        case .del: bytes.append("<del>")
        case .code: bytes.append("<code>")
        }
    }

    private mutating func close(_ tag: Tag) {
        switch tag {
        case .link: bytes.append("</a>")
        case .spoiler: bytes.append("</span>")
        case .strong: bytes.append("</strong>")
        case .em: bytes.append("</em>")
        case .del: bytes.append("</del>")
        case .code: bytes.append("</code>")
        }
    }

    // MARK: - Text

    /// Adds text. A blank that HTML would drop becomes a no-break space.
    private mutating func add(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        for byte in text {
            let isBlank = Neighborhood.isBlank(byte)
            if isBlank, losesBlank { bytes.append("&nbsp;") } else { escape(byte) }
            losesBlank = isBlank
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): bytes.append("&amp;")
        case UInt8(ascii: "<"): bytes.append("&lt;")
        case UInt8(ascii: ">"): bytes.append("&gt;")
        case UInt8(ascii: "\""): bytes.append("&quot;")
        default: bytes.append(byte)
        }
    }
}
