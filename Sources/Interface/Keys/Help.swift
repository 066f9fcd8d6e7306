import Display

/// The help, made from the table of keys. It covers the whole screen.
struct Help: Sendable {
    private let keymap: Keymap
    /// The first visible row.
    private var first = 0

    init(_ keymap: Keymap) { self.keymap = keymap }

    /// The rows below the title.
    private static func height(_ size: Size) -> Int { max(1, size.rows - 1) }

    private func last(_ size: Size) -> Int { max(0, Help.rows(keymap).count - Help.height(size)) }

    func lines(_ size: Size) -> [Line] {
        let last = last(size)
        let visible = Help.rows(keymap).dropFirst(min(first, last)).prefix(Help.height(size))
        let more: CleanText = last > first ? "↓ more   " : ""
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

    /// Keys that mean the same everywhere are listed once.
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

extension Help: Component {
    mutating func handle(_ event: PanelEvent, in size: Size) -> [Outcome] {
        switch event {
        case .action(.help), .action(.cancel), .action(.quit), .action(.activate): return [.closeHelp]
        case .action(let action): turn(by: Help.step(of: action, size), size)
        case .mouse(let mouse):
            switch mouse.action {
            case .wheelUp: turn(by: -Context.wheelRows, size)
            case .wheelDown: turn(by: Context.wheelRows, size)
            case .press, .drag, .release: break
            }
        case .text, .edit, .settled, .key: break
        }
        return []
    }

    private mutating func turn(by rows: Int, _ size: Size) {
        let last = last(size)
        first = min(max(0, min(first, last) + rows), last)
    }

    private static func step(of action: Action, _ size: Size) -> Int {
        let page = max(1, height(size) - 1)
        return switch action {
        case .up, .rowUp: -1
        case .down, .rowDown: 1
        case .pageUp, .halfUp: -page
        case .pageDown, .halfDown: page
        // To the first and to the last row.
        case .beginning: Int(Int32.min)
        case .end: Int(Int32.max)
        default: 0
        }
    }
}
