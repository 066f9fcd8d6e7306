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
        keymap.sections.flatMap { section -> [Line] in
            let head: [Line] = [.empty, [Span(" " + CleanText(section.title), Style(.accent))]]
            return head
                + section.bindings.map { binding in
                    let keys = CleanText(binding.keys.map(\.description).joined(separator: "  "))
                    return [Span("  " + keys.padded(to: 16), Style(.standard, .bold)), Span(CleanText(binding.help))]
                }
        }
    }
}
