import Display

extension Line {
    func centered(in columns: Int) -> Line {
        let line = truncated(to: columns)
        var centered: Line = [Span(CleanText.blanks((columns - line.columns) / 2))]
        centered.append(line)
        return centered
    }

    /// The line with `right` at the right end, cut if both do not fit.
    func justified(with right: Line, columns: Int) -> Line {
        let right = right.truncated(to: columns)
        var line = truncated(to: max(0, columns - right.columns)).padded(to: columns - right.columns)
        line.append(right)
        return line
    }
}

extension CleanText {
    static func dashes(_ count: Int) -> CleanText { CleanText(String(repeating: "─", count: max(0, count))) }
}
