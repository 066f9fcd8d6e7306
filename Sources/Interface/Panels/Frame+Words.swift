import Display

extension Frame {
    /// The same words without styles, for a screen reader, which follows the cursor: it is at the selected message or entry.
    /// - Parameters:
    ///   - column: of the cursor in that row.
    ///   - keepsCursor: whether the cursor stays where it is.
    func inWords(column: Int, keepsCursor: Bool) -> Frame {
        let row = lines.firstIndex { line in line.spans.contains { $0.style.surface == .selection } }
        let selected = row.map { ScreenPosition(row: $0, column: min(column, max(0, size.columns - 1))) }
        return Frame(
            size: size, lines: lines.map { $0.styled(.plain) }, cursor: keepsCursor ? cursor : selected ?? cursor,
            picture: picture)
    }
}
