import Display
import Usage

/// Records on stdout: for programs one on each line with tabs between the fields, for people in columns.
struct Table {
    private let rows: [[Cell]]
    /// The names of the columns, which only people get; empty for none.
    private let header: [Cell]

    init(_ rows: [[Cell]], header: [Cell] = []) { (self.rows, self.header) = (rows, header) }

    /// - Parameter isRaw: true to leave fields on a pipe unchanged.
    /// - Throws: when stdout cannot be written.
    func print(isRaw: Bool = false) throws(CommandError) {
        guard !Output.isTerminal else {
            var columns = Columns()
            return try Output.print(
                columns.aligned((header.isEmpty ? [] : [header]) + rows, hasColor: Output.allowsColor))
        }
        // Some lines at a time: there may be a hundred thousand.
        for start in stride(from: 0, to: rows.count, by: 1_024) {
            try Output.print(Table(Array(rows[start..<min(rows.count, start + 1_024)])).tabbed(isRaw: isRaw))
        }
    }

    /// Records as lines. No field holds a tab or a line feed, so that each line has the same number of fields.
    /// - Parameter isRaw: true to leave all other characters unchanged; else control sequences are removed.
    func tabbed(isRaw: Bool = false) -> [String] {
        rows.map { row in
            row.map { isRaw ? Table.withoutSeparators($0.text) : PipedText.line($0.text) }.joined(separator: "\t")
        }
    }

    private static func withoutSeparators(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 != 0x09 && $0 != 0x0A }) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\t" || $0 == "\n" ? " " : $0 }))
    }
}

/// Columns that are as wide as their widest cell so far: rows may come in batches.
struct Columns {
    private typealias Pieces = [(text: CleanText, role: Cell.Role)]

    private var widths: [Int] = []

    /// - Parameter limit: the columns in which the last cells are wrapped between words; nil leaves them as they are.
    mutating func aligned(_ rows: [[Cell]], hasColor: Bool, limit: Int? = nil) -> [String] {
        let clean = rows.map { row in row.map(Columns.pieces) }
        for row in clean {
            for (column, pieces) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], pieces.reduce(0) { $0 + $1.text.columns })
            }
        }
        return clean.map { row in
            let cells = row.enumerated().map { column, pieces in
                let columns = pieces.reduce(0) { $0 + $1.text.columns }
                let blanks = CleanText.blanks(column == row.count - 1 ? 0 : widths[column] - columns).string
                let text = Columns.text(of: pieces, hasColor: hasColor)
                let isRight = pieces.first.map { [.number, .headingOfNumbers].contains($0.role) } ?? false
                return isRight ? blanks + text : text + blanks
            }
            guard let limit, let last = row.last else { return cells.joined(separator: "  ") }
            return cells.dropLast().map { $0 + "  " }.joined() + wrapped(last, hasColor: hasColor, limit: limit)
        }
    }

    private static func text(of pieces: Pieces, hasColor: Bool) -> String {
        pieces.map { hasColor ? colored($0.text.string, $0.role) : $0.text.string }.joined()
    }

    /// The last cell in rows: next to the other cells, or below them where they leave little room.
    private func wrapped(_ pieces: Pieces, hasColor: Bool, limit: Int) -> String {
        let whole = pieces.reduce(CleanText.empty) { $0 + $1.text }
        let start = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        if start + whole.columns <= limit { return Columns.text(of: pieces, hasColor: hasColor) }
        let isBeside = limit - start >= Columns.leastBeside
        let indent = isBeside ? start : Columns.indentBelow
        let rows = wrap(whole, columns: max(Columns.leastBeside, limit - indent)).map { row in
            let end = row.start + row.text.string.utf8.count
            return Columns.text(of: Columns.cut(pieces, to: row.start..<end), hasColor: hasColor)
        }
        let gap = "\n" + CleanText.blanks(indent).string
        return (isBeside ? "" : gap) + rows.joined(separator: gap)
    }

    private static let leastBeside = 24
    private static let indentBelow = 4

    /// The parts of the pieces within a range of UTF-8 offsets in all of them.
    private static func cut(_ pieces: Pieces, to range: Range<Int>) -> Pieces {
        var start = 0
        return pieces.compactMap { text, role in
            let bytes = text.string.utf8
            defer { start += bytes.count }
            let part = range.clamped(to: start..<start + bytes.count)
            guard !part.isEmpty else { return nil }
            return (CleanText(Substring(bytes.dropFirst(part.lowerBound - start).prefix(part.count))), role)
        }
    }

    /// The scrubbed text of a cell, cut at the edges of its hits.
    private static func pieces(of cell: Cell) -> Pieces {
        var pieces: Pieces = []
        let utf8 = cell.text.utf8
        var start = utf8.startIndex
        for hit in cell.hits {
            let lower = utf8.index(utf8.startIndex, offsetBy: hit.lowerBound)
            let upper = utf8.index(lower, offsetBy: hit.count)
            if start < lower { pieces.append((CleanText(cell.text[start..<lower]), cell.role)) }
            pieces.append((CleanText(cell.text[lower..<upper]), .hit))
            start = upper
        }
        if start < utf8.endIndex || pieces.isEmpty { pieces.append((CleanText(cell.text[start...]), cell.role)) }
        return pieces
    }

    private static func colored(_ text: String, _ role: Cell.Role) -> String {
        switch role {
        case .text, .number: text
        case .name: "\u{1B}[36m\(text)\u{1B}[0m"
        case .time, .heading, .headingOfNumbers: "\u{1B}[2m\(text)\u{1B}[0m"
        case .target: "\u{1B}[1m\(text)\u{1B}[0m"
        case .hit: "\u{1B}[1;36m\(text)\u{1B}[0m"
        }
    }
}

/// A field of a record on stdout.
struct Cell {
    enum Role {
        case text, name, number, time, target, hit
        /// The name of a column, at its left or right edge.
        case heading, headingOfNumbers
    }

    let text: String
    let role: Role
    /// The matches of the query: UTF-8 offsets, sorted, without overlaps.
    let hits: [Range<Int>]

    init(_ text: String, _ role: Role = .text, hits: [Range<Int>] = []) {
        (self.text, self.role, self.hits) = (text, role, hits)
    }

    /// The text of a message and, after it, the names of its files.
    init(text: String, files: [String], hits: [Range<Int>] = []) {
        self.init(((text.isEmpty ? [] : [text]) + files.map { "[\($0)]" }).joined(separator: " "), hits: hits)
    }
}

/// Lines of the screen as text for a terminal, with the sequences of ECMA-48 for their styles.
struct StyledText {
    /// Nil for no colours and no attributes.
    private let theme: Theme?

    init(_ theme: Theme?) { self.theme = theme }

    func text(_ line: Line) -> String {
        var spans = line.spans
        while let last = spans.last, last.text.string.allSatisfy({ $0 == " " }) { spans.removeLast() }
        return spans.map { span in
            let codes = theme.map { StyledText.codes(of: span.style, $0.screen) } ?? []
            return codes.isEmpty
                ? span.text.string : "\u{1B}[\(codes.joined(separator: ";"))m\(span.text.string)\u{1B}[0m"
        }.joined()
    }

    private static func codes(of style: Style, _ inks: Theme.Inks) -> [String] {
        let attributes: [(Style.Attributes, String)] = [
            (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
        ]
        return attributes.filter { style.attributes.contains($0.0) }.map(\.1) + color(ink(style.color, inks))
    }

    private static func ink(_ color: Color, _ inks: Theme.Inks) -> Int {
        switch color {
        case .standard: Theme.standard
        case .accent: inks.accent
        case .unread: inks.unread
        case .warning: inks.warning
        case .code: inks.code
        case .name(let number): inks.names.isEmpty ? Theme.standard : inks.names[number % inks.names.count]
        }
    }

    private static func color(_ number: Int) -> [String] {
        switch number {
        case Theme.standard: []
        case ..<8: ["\(30 + number)"]
        default: ["38", "5", "\(number)"]
        }
    }
}

extension Int {
    /// `1 message`, `2,345 messages`
    func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
