internal import Markup

/// Writes lines with marks as HTML: tags that the Matrix specification allows, each closed, and text without a sign of HTML.
struct FormattedBodyWriter {
    /// The place at which the next line begins.
    private enum Edge {
        /// Nothing, or the beginning of a block.
        case start
        /// The end of a block: its margin stands for an empty line.
        case end
        case line
    }

    private enum Tag: Equatable {
        /// The link with this number in its line.
        case link(Int)
        case strong, em, del, code, spoiler
    }

    /// The most quotes within each other: clients may leave out what is nested more than 100 times.
    private static let mostQuotes = 32

    private(set) var bytes: [UInt8] = []
    /// Whether anything looks otherwise than as plain text.
    private(set) var isFormatted = false
    private(set) var mentions: [String] = []
    private(set) var callsRoom = false
    /// The links to people with words of their own, as bytes of the text, and the words in them.
    private(set) var personLinks: [(whole: Range<Int>, word: Range<Int>)] = []
    private var known: Set<String> = []
    private var edge = Edge.start
    private var isCode = false
    /// The number of quotes that are open.
    private var quotes = 0
    private var tags: [Tag] = []
    /// The number of the first link of the line that does not end before the text that comes next.
    private var nextLink = 0
    /// Whether a blank would be lost that comes next.
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

    /// Ends all that is open.
    mutating func finish() {
        if isCode { write("</code></pre>") }
        setQuotes(0)
    }

    // MARK: - Blocks

    /// Most words after the backquotes name a language. Others are the first line of the code, so that nothing is lost.
    private mutating func beginCode(_ name: UnsafeBufferPointer<UInt8>) {
        setQuotes(0)
        (isCode, isFormatted, edge) = (true, true, .start)
        write("<pre><code")
        let isLanguage = !name.isEmpty && name.count < 32 && name.allSatisfy(Neighborhood.isOfLanguage)
        if isLanguage {
            write(" class=\"language-")
            bytes.append(contentsOf: name)
            write("\"")
        }
        write(">")
        if !isLanguage, !name.isEmpty { addCode(name, goesOn: false) }
    }

    private mutating func addCode(_ line: UnsafeBufferPointer<UInt8>, goesOn: Bool) {
        if edge == .line, !goesOn { write("\n") }
        edge = .line
        for byte in line { escape(byte) }
    }

    private mutating func endCode(_ rest: UnsafeBufferPointer<UInt8>) {
        write("</code></pre>")
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
            write("</blockquote>")
            (quotes, edge) = (quotes - 1, .end)
        }
        while quotes < count {
            write("<blockquote>")
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
            if edge == .line { write("<br>") }
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
            // An address alone has no other word.
            guard link.whole.lowerBound + 1 < link.address.lowerBound - 2 else { continue }
            let (first, whole) = (line.bytes.lowerBound, link.whole)
            personLinks.append(
                (
                    first + whole.lowerBound..<first + whole.upperBound,
                    first + whole.lowerBound + 1..<first + link.address.lowerBound - 2
                ))
        }
    }

    /// The ID of the person to whom a link leads (Matrix specification, appendices, "matrix.to navigation").
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
            // One that a mark cuts in two is no link.
            let end = min(mention.upperBound, range.upperBound)
            add(text[start..<mention.lowerBound])
            if mention.upperBound == end { beginMention(text[mention]) }
            add(text[mention.lowerBound..<end])
            if mention.upperBound == end { write("</a>") }
            start = end
        }
        add(text[start..<range.upperBound])
    }

    private mutating func beginMention(_ id: Slice<UnsafeBufferPointer<UInt8>>) {
        isFormatted = true
        write("<a href=\"https://matrix.to/#/")
        for byte in id { byte == UInt8(ascii: "/") ? write("%2F") : escape(byte) }
        write("\">")
    }

    // MARK: - Tags

    private static func tags(_ look: Markup.Look, _ link: Int) -> [Tag] {
        var tags: [Tag] = []
        if look.contains(.link) { tags.append(.link(link)) }
        if look.contains(.spoiler) { tags.append(.spoiler) }
        if look.contains(.bold) { tags.append(.strong) }
        if look.contains(.italic) { tags.append(.em) }
        if look.contains(.struck) { tags.append(.del) }
        if look.contains(.code) { tags.append(.code) }
        return tags
    }

    /// Closes and opens tags, until these are open. What stays open keeps its place.
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
            write("<a href=\"")
            for byte in line.addresses[number].utf8 { escape(byte) }
            write("\">")
        case .spoiler: write("<span data-mx-spoiler>")
        case .strong: write("<strong>")
        case .em: write("<em>")
        case .del: write("<del>")
        case .code: write("<code>")
        }
    }

    private mutating func close(_ tag: Tag) {
        switch tag {
        case .link: write("</a>")
        case .spoiler: write("</span>")
        case .strong: write("</strong>")
        case .em: write("</em>")
        case .del: write("</del>")
        case .code: write("</code>")
        }
    }

    // MARK: - Text

    /// Adds text. Blanks that HTML would leave out do not break there.
    private mutating func add(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
        for byte in text {
            let isBlank = Neighborhood.isBlank(byte)
            if isBlank, losesBlank { write("&nbsp;") } else { escape(byte) }
            losesBlank = isBlank
        }
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): write("&amp;")
        case UInt8(ascii: "<"): write("&lt;")
        case UInt8(ascii: ">"): write("&gt;")
        case UInt8(ascii: "\""): write("&quot;")
        default: bytes.append(byte)
        }
    }

    private mutating func write(_ html: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: html.utf8Start, count: html.utf8CodeUnitCount))
    }
}
