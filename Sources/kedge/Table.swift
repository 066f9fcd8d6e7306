import ArgumentParser
import Display
import FoundationEssentials
import Messages

/// Records on stdout: for programs one a line with tabs between the fields, for people in columns.
struct Table {
    struct Cell {
        enum Role {
            case text, name, number, time, target
        }

        let text: String
        let role: Role

        init(_ text: String, _ role: Role = .text) {
            (self.text, self.role) = (text, role)
        }
    }

    private let rows: [[Cell]]

    init(_ rows: [[Cell]]) { self.rows = rows }

    /// - Throws: when stdout cannot be written.
    func print() throws(Failure) {
        try Output.print(Output.isTerminal ? aligned(hasColor: Output.allowsColor) : tabbed)
    }

    /// A field holds no tab and no line end, so that a record stays one line of so many fields.
    var tabbed: [String] {
        rows.map { row in
            row.map { cell in
                String(
                    String.UnicodeScalarView(
                        cell.text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
            }.joined(separator: "\t")
        }
    }

    func aligned(hasColor: Bool) -> [String] {
        let clean = rows.map { row in row.map { CleanText($0.text) } }
        let columns = clean.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in clean.map { $0[column].columns }.max() ?? 0 }
        return zip(rows, clean).map { row, texts in
            row.indices.map { column in
                let role = row[column].role
                let isLast = column == row.count - 1
                let blanks = CleanText.blanks(isLast ? 0 : widths[column] - texts[column].columns)
                let text = role == .number ? blanks + texts[column] : texts[column] + blanks
                return hasColor ? Table.colored(text.string, role) : text.string
            }.joined(separator: "  ")
        }
    }

    private static func colored(_ text: String, _ role: Cell.Role) -> String {
        switch role {
        case .text, .number: text
        case .name: "\u{1B}[36m\(text)\u{1B}[0m"
        case .time: "\u{1B}[2m\(text)\u{1B}[0m"
        case .target: "\u{1B}[1m\(text)\u{1B}[0m"
        }
    }
}

enum JSONText {
    /// One array. Whatever could act on a terminal is escaped, which changes nothing for who parses it.
    static func encode(_ records: [some Encodable]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(records), as: UTF8.self)
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
    func warn(of store: any MessageStore) throws {
        let problems = try waiting { () async throws(StoreError) in await store.problems() }
        for problem in problems { Output.complain(problem) }
    }
}
