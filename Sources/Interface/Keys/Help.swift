import Display

/// The help, made from the table of keys.
enum Help {
    /// Rows of the help that the screen shows below its title.
    static func height(_ size: Size) -> Int { max(1, size.rows - 1) }

    static func lines(_ keymap: Keymap, size: Size, scrolled: Int) -> [Line] {
        let rows = self.rows(keymap)
        let last = max(0, rows.count - height(size))
        let visible = rows.dropFirst(min(scrolled, last)).prefix(height(size))
        let more: CleanText = last > scrolled ? "↓ more   " : ""
        let title: Line = [Span(" Keys", Style(.standard, .bold))]
        let head = title.justified(with: [Span(more + "Esc closes ", Style(.standard, .dim))], columns: size.columns)
        return (size.rows > 1 ? [head] : []) + visible
    }

    static func rows(_ keymap: Keymap) -> [Line] {
        let sections = keymap.sections.flatMap { section -> [Line] in
            head(section.title)
                + section.bindings.filter { section.context == .conversation || !everywhere.contains($0.action) }
                .map { binding in
                    row(binding.keys.map(\.description).joined(separator: "  "), binding.help)
                }
        }
        return sections + head("Mouse") + mouse.map(row)
    }

    /// Told once.
    private static let everywhere: [Action] = [.help, .redraw, .suspend, .interrupt]

    private static let mouse = [
        ("Wheel", "scroll by three rows"),
        ("Click", "select; on the scroll bar: go there (drag it, too)"),
        ("", "on what a reply quotes: go to the quoted message"),
        ("Double click", "on a link: open it; on a reply: go to the quoted message;"),
        ("", "in a list: go there"),
    ]

    private static func head(_ title: String) -> [Line] { [.empty, [Span(" " + CleanText(title), Style(.accent))]] }

    private static func row(_ name: String, _ help: String) -> Line {
        [Span("  " + CleanText(name).padded(to: 18), Style(.standard, .bold)), Span(CleanText(help))]
    }
}
