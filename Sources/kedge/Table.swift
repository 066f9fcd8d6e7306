import ArgumentParser
import Display
import FoundationEssentials
import Messages

/// Records on stdout: for programs one a line with tabs between the fields, for people in columns.
struct Table {
    struct Cell {
        enum Role {
            case text, name, number, time, target, hit
        }

        let text: String
        let role: Role
        /// What was looked for, as UTF-8 offsets, sorted and apart from each other.
        let hits: [Range<Int>]

        init(_ text: String, _ role: Role = .text, hits: [Range<Int>] = []) {
            (self.text, self.role, self.hits) = (text, role, hits)
        }
    }

    private let rows: [[Cell]]

    init(_ rows: [[Cell]]) { self.rows = rows }

    /// - Parameter isRaw: whether fields on a pipe are left as they are.
    /// - Throws: when stdout cannot be written.
    func print(isRaw: Bool = false) throws(Failure) {
        var columns = Columns()
        try Output.print(
            Output.isTerminal ? columns.aligned(rows, hasColor: Output.allowsColor) : tabbed(isRaw: isRaw))
    }

    /// A field holds no tab and no line feed, so that a record stays one line of so many fields.
    /// - Parameter isRaw: whether all else is left as it is; if not, nothing in it acts on a terminal.
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

/// Columns that are as wide as what stood in them so far: rows may come bit by bit.
struct Columns {
    private var widths: [Int] = []

    /// Of all but the last column, with what stands between them.
    var indent: Int { widths.dropLast().reduce(0) { $0 + $1 + 2 } }

    mutating func aligned(_ rows: [[Table.Cell]], hasColor: Bool) -> [String] {
        let clean = rows.map { row in row.map(Columns.pieces) }
        for row in clean {
            for (column, pieces) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], pieces.reduce(0) { $0 + $1.text.columns })
            }
        }
        return clean.map { row in
            row.enumerated().map { column, pieces in
                let columns = pieces.reduce(0) { $0 + $1.text.columns }
                let blanks = CleanText.blanks(column == row.count - 1 ? 0 : widths[column] - columns).string
                let text = pieces.map { hasColor ? Columns.colored($0.text.string, $0.role) : $0.text.string }.joined()
                return pieces.first?.role == .number ? blanks + text : text + blanks
            }.joined(separator: "  ")
        }
    }

    /// The text of a cell, scrubbed, and its hits apart from the rest.
    private static func pieces(of cell: Table.Cell) -> [(text: CleanText, role: Table.Cell.Role)] {
        var pieces: [(text: CleanText, role: Table.Cell.Role)] = []
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

    private static func colored(_ text: String, _ role: Table.Cell.Role) -> String {
        switch role {
        case .text, .number: text
        case .name: "\u{1B}[36m\(text)\u{1B}[0m"
        case .time: "\u{1B}[2m\(text)\u{1B}[0m"
        case .target: "\u{1B}[1m\(text)\u{1B}[0m"
        case .hit: "\u{1B}[1;36m\(text)\u{1B}[0m"
        }
    }
}

enum JSONText {
    /// The elements of an array without its brackets, for one that is written bit by bit.
    static func elements(_ records: [some Encodable]) throws -> String {
        String(try encode(records).dropFirst().dropLast())
    }

    /// One array. Whatever could act on a terminal is escaped, which changes nothing for who parses it.
    static func encode(_ records: [some Encodable]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(records), as: UTF8.self)
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        return text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                for unit in String(scalar).utf16 {
                    text += "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
                    text += String(unit, radix: 16)
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

/// A field of a JSON record that is always there: null where there is no value.
struct Nullable<Value: Encodable>: Encodable {
    let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension ParsableCommand {
    /// What could not be read, on stderr: what was printed is all the rest.
    /// - Parameter failures: lines of what could not be read besides; what the store says as well is said once.
    func warn(of store: any ConversationListing, and failures: [String] = []) throws {
        let problems = try waiting { () async throws(StoreError) in await store.problems() }
        for problem in problems { Output.complain(problem) }
        for failure in failures where !problems.contains(failure) { Output.complain(failure) }
    }
}
