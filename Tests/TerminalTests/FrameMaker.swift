import Display
import TestSupport

/// A frame, and how it is drawn.
struct Step: CustomStringConvertible {
    let frame: Frame
    /// Whether another program has written to the screen before it.
    var isAnew = false

    var description: String {
        "--- \(frame.size.columns)x\(frame.size.rows)\(isAnew ? ", anew" : ""), cursor \(frame.cursor as Any)\n\(frame.text)"
    }
}

/// Makes sequences of frames that share most of their contents, as in scrolling and typing.
struct FrameMaker {
    private static let sizes = [Size(columns: 20, rows: 6), Size(columns: 40, rows: 10), Size(columns: 100, rows: 30)]
    private static let words: [CleanText] = [
        "a", "word", "another", "1234567890", " ", "  ", "          ", "漢字", "カナ。", "👍", "👩‍💻", "e\u{301}",
        "Z\u{300}\u{301}\u{302}\u{303}", "क्ष", "स्त्री", "ക്ക", "한글", "\u{1112}\u{1161}\u{11AB}", "น้ำ", "ｶﾞ", "مرحبا",
        "─────", "│", "\u{301}", "\u{1B}[2J", "🇩🇪",
    ]
    private static let colors: [Color] = [.standard, .standard, .standard, .accent, .warning, .name(3), .name(8)]
    private static let attributes: [Style.Attributes] = [
        [], [], [], .bold, .dim, .italic, .underline, .reverse, [.bold, .reverse],
    ]

    private var random: SeededGenerator
    private var size: Size
    private var lines: [Line] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        size = Self.sizes[Int(seed % 3)]
    }

    mutating func steps() -> [Step] {
        lines = newLines()
        return (0..<Int.random(in: 1...30, using: &random)).map { index in
            if index > 0 { change() }
            let frame = Frame(size: size, lines: lines.dropLast() + [lastLine], cursor: cursor())
            return Step(frame: frame, isAnew: index > 0 && oneIn(12))
        }
    }

    private mutating func change() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            size = pick(Self.sizes)
            lines = newLines()
        case 1: lines = newLines()
        case 2: for row in lines.indices where oneIn(2) { lines[row] = .empty }
        case 3...5:
            let row = Int.random(in: lines.indices, using: &random)
            lines[row] = lines[row].prefix(columns: size.columns / 2) + line()
        case 6...8: lines[Int.random(in: lines.indices, using: &random)] = line()
        case 9: break
        default: scroll()
        }
        lines = lines.map { $0.prefix(columns: size.columns) }
    }

    /// Moves all rows but the first and the last, which changes.
    private mutating func scroll() {
        let rows = Array(lines.dropFirst().dropLast())
        let distance = Int.random(in: 1...rows.count, using: &random)
        let new = (0..<distance).map { _ in line() }
        let moved = oneIn(2) ? Array(rows[distance...]) + new : new + Array(rows[..<(rows.count - distance)])
        lines = [lines[0]] + moved + [line()]
    }

    /// Without a wide character that ends just before the last cell of the screen.
    private var lastLine: Line {
        let line = lines[lines.count - 1]
        let end = size.columns - 1
        let isWide = line.prefix(columns: end).columns == end && line.prefix(columns: end - 1).columns == end - 2
        return isWide ? line.prefix(columns: end - 2) : line
    }

    private mutating func newLines() -> [Line] { (0..<size.rows).map { _ in line() } }

    private mutating func line() -> Line {
        var line = Line.empty
        let columns = pick([0, size.columns / 3, size.columns, size.columns])
        while line.columns < columns {
            let words = (0..<Int.random(in: 1...4, using: &random)).map { _ in pick(Self.words) }
            line.append(Span(words.reduce(.empty, +), Style(pick(Self.colors), pick(Self.attributes))))
        }
        return oneIn(8) ? line.padded(to: size.columns, style: Style(.standard, .reverse)) : line
    }

    private mutating func cursor() -> ScreenPosition? {
        guard oneIn(2) else { return nil }
        return ScreenPosition(
            row: Int.random(in: 0..<size.rows, using: &random), column: Int.random(in: 0..<size.columns, using: &random)
        )
    }

    private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }
}

private func + (left: Line, right: Line) -> Line { Line(left.spans + right.spans) }
