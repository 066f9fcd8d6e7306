import Display

/// Records on stdout: for programs one a line with tabs between the fields, for people in columns.
struct Table {
    private let rows: [[Cell]]
    /// The names of the columns, which only people get; empty for none.
    private let header: [Cell]

    init(_ rows: [[Cell]], header: [Cell] = []) { (self.rows, self.header) = (rows, header) }

    /// - Parameter isRaw: whether fields on a pipe are left as they are.
    /// - Throws: when stdout cannot be written.
    func print(isRaw: Bool = false) throws(Failure) {
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
    /// - Parameter isRaw: whether all other characters are left as they are; if not, none of them acts on a terminal.
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
