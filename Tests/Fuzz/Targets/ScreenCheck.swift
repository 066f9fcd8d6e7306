import Display

/// Properties of every frame.
struct ScreenCheck {
    private let frame: Frame
    private let size: Size

    init(_ frame: Frame, _ size: Size) { (self.frame, self.size) = (frame, size) }

    /// - Throws: the property that the frame breaks.
    func run() throws(FuzzFinding) {
        try demand(frame.size == size, "a frame of \(frame.size) for a screen of \(size)")
        try demand(frame.lines.count == size.rows, "\(frame.lines.count) lines on \(size.rows) rows")
        for (row, line) in frame.lines.enumerated() {
            try demand(line.columns <= size.columns, "row \(row) is \(line.columns) wide on \(size.columns) columns")
            for span in line.spans { try check(span.text, row) }
        }
        guard let cursor = frame.cursor else { return }
        try demand(
            (0..<size.rows).contains(cursor.row) && (0..<size.columns).contains(cursor.column),
            "the cursor is off the screen: \(cursor)")
    }

    private func check(_ text: CleanText, _ row: Int) throws(FuzzFinding) {
        var columns = 0
        for scalar in text.string.unicodeScalars {
            try demand(
                scalar == Self.nonJoiner || Self.isShown(scalar),
                "row \(row) has U+\(String(scalar.value, radix: 16)): \(text.string.debugDescription)")
            columns += Width.columns(of: scalar)
        }
        try demand(
            columns == text.columns,
            "row \(row) says \(text.columns) columns of \(columns): \(text.string.debugDescription)")
    }

    private static let nonJoiner: Unicode.Scalar = "\u{200C}"

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}
