package import Display

/// The beginning of a line of prose.
package struct LineHead: Equatable, Sendable {
    /// The number of bytes by which further rows are indented: the mark of a list item or quote, with the blanks around it.
    package private(set) var hang = 0
    /// The place where the text of a quote begins: after its last mark, and one blank after that.
    private(set) var textStart = 0
    /// The number of `>` at the beginning of a quote.
    private(set) var quotes = 0

    package var isQuote: Bool { quotes > 0 }

    /// The head of a line without marks.
    package static let none = LineHead()

    private init() {}

    /// Reads `- `, `* `, `+ `, `• `, `1. `, `12) ` or `> ` (or several of these), after any blanks.
    package init(_ line: CleanText) {
        var text = line.string
        self = text.withUTF8 { LineHead($0, isScrubbed: true) }
    }

    /// Reads the head of an unscrubbed line, in which blanks may also be tabs.
    init(raw line: UnsafeBufferPointer<UInt8>) { self.init(line, isScrubbed: false) }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, isScrubbed: Bool) {
        func isBlank(_ index: Int) -> Bool {
            index < bytes.count && (bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t"))
        }
        func afterBlanks(_ start: Int) -> Int { (start..<bytes.count).first { !isBlank($0) } ?? bytes.count }

        let start = afterBlanks(0)
        guard start < bytes.count else { return }
        var end = start
        switch bytes[start] {
        case UInt8(ascii: ">"):
            // `>_<` and `>>> x` are not quotes.
            guard isBlank(start + 1) || start + 1 == bytes.count else { return }
            repeat {
                quotes += 1
                textStart = isBlank(end + 1) ? end + 2 : end + 1
                end = afterBlanks(end + 1)
            } while end < bytes.count && bytes[end] == UInt8(ascii: ">")
                && (isBlank(end + 1) || end + 1 == bytes.count)
            setHang(end, bytes, isScrubbed)
            return
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"): end += 1
        case 0xE2 where bytes[start...].starts(with: "•".utf8): end += "•".utf8.count
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            while end < bytes.count, end - start < 4, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[end] { end += 1 }
            guard end - start < 4, end < bytes.count, bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: ")")
            else { return }
            end += 1
        default: return
        }
        guard isBlank(end) else { return }
        setHang(afterBlanks(end), bytes, isScrubbed)
    }

    /// Sets the indentation of further rows. No row may begin at the end of the line, or after a blank with a combining mark.
    private mutating func setHang(_ end: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ isScrubbed: Bool) {
        guard end < bytes.count else { return }
        let next = isScrubbed ? Neighbor(at: end, in: bytes) : Neighbor(at: end, inRaw: bytes)
        if next != .mark { hang = end }
    }
}

/// The kind of a line: prose, or part of a block of code.
package enum LineKind: Equatable, Sendable {
    case prose, code
    /// The line that opens or closes a block of code.
    case fence
}

/// Finds the blocks of code in a text, line by line. An unclosed block continues to the end of the text.
package struct Fences: Sendable {
    /// True if a block is open.
    private(set) var isCode: Bool

    /// - Parameter isCode: true if a block is open before the first line.
    package init(isCode: Bool) { self.isCode = isCode }

    /// The kind of the rest of a line that is longer than a section.
    package var kindOfRest: LineKind { isCode ? .code : .prose }

    /// Reads the next line.
    package mutating func next(_ line: String) -> LineKind {
        var line = line
        return line.withUTF8 { next($0[...]) }
    }

    mutating func next(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> LineKind {
        guard Fences.isFence(line) else { return kindOfRest }
        isCode.toggle()
        return .fence
    }

    /// The place after the backquotes of a fence.
    static func end(of fence: UnsafeBufferPointer<UInt8>) -> Int {
        (fence.firstIndex(of: UInt8(ascii: "`")) ?? 0) + 3
    }

    /// True for a line that opens or closes a block of code: it begins with three backquotes, and has no more after them.
    private static func isFence(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return text.starts(with: "```".utf8) && !text.dropFirst(3).contains(UInt8(ascii: "`"))
    }
}

/// A line of unscrubbed text with its markup, the same as on the screen.
package struct MarkedLine: Sendable {
    /// Its bytes in the text, without the line end.
    package let bytes: Range<Int>
    package let kind: LineKind
    /// True if it continues the line before, which is longer than a section.
    package let goesOn: Bool
    /// The number of `>` at its beginning.
    package let quotes: Int
    /// The number of bytes before the text of a quote, or before the text after the backquotes of a fence.
    package let start: Int
    /// The marks, with offsets from the beginning of the line.
    package let markup: Markup
    /// The addresses of its links, as a browser gets them: as written, but without invisible characters around them.
    package let addresses: [String]
}

/// An unscrubbed line, without characters that the screen never shows, such as joiners and variation selectors. Between two
/// asterisks, such a character would hide that they are one mark.
struct VisibleLine {
    let bytes: [UInt8]
    /// For each byte and for the end: its place in the original line; nil if nothing was left out.
    private let places: [Int]?

    init(_ line: UnsafeBufferPointer<UInt8>) {
        guard VisibleLine.leavesSomethingOut(line) else {
            (bytes, places) = (Array(line), nil)
            return
        }
        var (bytes, places): ([UInt8], [Int]) = ([], [])
        VisibleLine.forEachScalar(line) { scalar, range in
            guard !CleanText.isLeftOut(scalar) else { return true }
            bytes.append(contentsOf: line[range])
            places.append(contentsOf: range)
            return true
        }
        (self.bytes, self.places) = (bytes, places + [line.count])
    }

    private static func leavesSomethingOut(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        guard line.contains(where: { $0 >= 0x80 }) else { return false }
        var isSo = false
        forEachScalar(line) { scalar, _ in
            isSo = CleanText.isLeftOut(scalar)
            return !isSo
        }
        return isSo
    }

    /// Calls `body` with each scalar and its bytes, until it returns false.
    private static func forEachScalar(
        _ line: UnsafeBufferPointer<UInt8>, _ body: (Unicode.Scalar, Range<Int>) -> Bool
    ) {
        var start = 0
        while start < line.count {
            let scalar = Neighbor.scalar(line, start)
            let end = min(line.count, start + UTF8.width(scalar))
            guard body(scalar, start..<end) else { return }
            start = end
        }
    }

    /// The marks at their places in the original line. A character that was left out belongs to the piece before it.
    func restored(_ markup: Markup) -> Markup {
        guard let places else { return markup }
        func whole(_ range: Range<Int>) -> Range<Int> { places[range.lowerBound]..<places[range.upperBound] }
        return Markup(
            pieces: markup.pieces.map { Markup.Piece(range: whole($0.range), look: $0.look) },
            links: markup.links.map { Markup.Link(address: whole($0.address), whole: whole($0.whole)) })
    }

    /// The place of a byte in the original line.
    func restored(_ offset: Int) -> Int { places?[offset] ?? offset }
}

/// The lines of unscrubbed text, without their ends: split as `CleanText.lines` splits it. At least one.
struct RawLines: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let end: Int
    /// The beginning of the next line; nil after the last one.
    private var start: Int?

    /// The lines of a part of a text.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ part: Range<Int>) {
        self.bytes = bytes
        (start, end) = (part.lowerBound, part.upperBound)
    }

    mutating func next() -> Range<Int>? {
        guard let start else { return nil }
        var place = start
        while place < end {
            if let length = endLength(at: place) {
                self.start = place + length
                return start..<place
            }
            place += 1
        }
        self.start = nil
        return start..<end
    }

    /// The bytes of the line end that begins at a place; nil without one.
    private func endLength(at place: Int) -> Int? {
        switch bytes[place] {
        // Most bytes are letters and blanks.
        case 0x20..<0xC2: nil
        case 0x0D: place + 1 < end && bytes[place + 1] == 0x0A ? 2 : 1
        case 0x0A...0x0C: 1
        case 0xC2: place + 1 < end && bytes[place + 1] == 0x85 ? 2 : nil
        case 0xE2: place + 2 < end && bytes[place + 1] == 0x80 && bytes[place + 2] & 0xFE == 0xA8 ? 3 : nil
        default: nil
        }
    }
}
