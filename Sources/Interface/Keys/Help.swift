import Display

/// The help, made from the table of keys. It covers the whole screen, in as many columns as fit. Typed words filter the rows.
struct Help: Sendable {
    private let keymap: Keymap
    /// The context of the keys when the help was opened. Its keys come first.
    private let context: Keymap.Context
    private var field = TextField()
    /// The first visible row.
    private var first = 0

    init(_ keymap: Keymap, in context: Keymap.Context = .conversation) {
        (self.keymap, self.context) = (keymap, context)
    }

    /// The least columns of a column of the help, where there are several.
    private static let leastColumns = 62

    /// The rows below the title.
    private static func height(_ size: Size) -> Int { max(1, size.rows - 1) }

    private static func count(_ columns: Int) -> Int { max(1, columns / leastColumns) }

    private func last(_ size: Size) -> Int { max(0, body(size).count - Help.height(size)) }

    func frame(_ size: Size) -> Frame {
        let body = body(size)
        let last = max(0, body.count - Help.height(size))
        let visible = body.dropFirst(min(first, last)).prefix(Help.height(size))
        guard size.rows > 1 else { return Frame(size: size, lines: Array(visible)) }
        let prompt = PromptLine(
            name: "Keys: ", field: field, answer: (last > first ? "↓ more   " : "") + "type to find · Esc closes")
        let (head, cursor) = prompt.line(columns: size.columns, margin: " ")
        let none: [Line] = body.isEmpty ? [[Span(" no match", .dim)]] : []
        return Frame(size: size, lines: [head] + visible + none, cursor: ScreenPosition(row: 0, column: cursor))
    }

    /// All rows, side by side in columns of the same height.
    private func body(_ size: Size) -> [Line] {
        let count = Help.count(size.columns)
        let columns = max(1, size.columns / count)
        let rows = Help.rows(keymap, first: context, words: words, columns: columns)
        let height = (rows.count + count - 1) / count
        guard count > 1, rows.count > Help.height(size) else { return rows }
        let tall = max(height, Help.height(size))
        let parts = Help.parts(of: rows, height: tall)
        return (0..<min(tall, rows.count)).map { row in
            parts.reduce(.empty) { line, part in
                let own = part.indices.contains(part.startIndex + row) ? part[part.startIndex + row] : .empty
                return line + own.padded(to: columns)
            }
        }
    }

    /// Splits the rows into columns, none of which begins with an empty row.
    private static func parts(of rows: [Line], height: Int) -> [ArraySlice<Line>] {
        var parts: [ArraySlice<Line>] = []
        var rest = rows[...]
        while !rest.isEmpty {
            parts.append(rest.prefix(height))
            rest = rest.dropFirst(height).drop { $0.columns == 0 }
        }
        return parts
    }

    private var words: [String] { field.text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() } }

    /// - Parameters:
    ///   - first: the context whose keys come first.
    ///   - words: the words that each row must contain.
    static func rows(
        _ keymap: Keymap, first: Keymap.Context = .conversation, words: [String] = [], columns: Int = 80
    ) -> [Line] {
        let own = keymap.sections.filter { $0.context == first }
        let others = keymap.sections.filter { $0.context != first }
        let bound = (own + others).map { section in
            // Keys that mean the same everywhere are listed once.
            let shown = section.bindings.filter {
                section.context == .conversation || !Keymap.everywhere.contains($0.action)
            }
            return (section.title, shown.map { (name: $0.keyNames, help: $0.help) })
        }
        let all = (bound + [("Mouse", mouse)]).flatMap { title, rows -> [Line] in
            let found = rows.filter { row in
                let text = "\(title) \(row.name) \(row.help)".lowercased()
                return words.allSatisfy(text.contains)
            }
            return found.isEmpty ? [] : head(title) + found.flatMap { row($0.name, $0.help, columns) }
        }
        return Array(all.drop { $0.columns == 0 })
    }

    private static let mouse = [
        (name: "Wheel", help: "scroll by three rows"),
        (name: "Click", help: "select; on the scroll bar: go there (drag it, too)"),
        (name: "", help: "on what a reply quotes: go to the quoted message; on a reaction: add it, or take yours back"),
        (name: "Drag", help: "over messages: select them, as v does"),
        (name: "Double click", help: "on a link: open it; on a reply: go to the quoted message; in a list: go there"),
    ]

    private static func head(_ title: String) -> [Line] { [.empty, [Span(" " + CleanText(title), Style(.accent))]] }

    private static func row(_ name: String, _ help: String, _ columns: Int) -> [Line] {
        let room = max(10, columns - Binding.keyColumns - 3)
        return wrap(CleanText(help), columns: room, hanging: 0).enumerated().map { index, row in
            let keys = index == 0 ? CleanText(name) : ""
            return [Span("  " + keys.padded(to: Binding.keyColumns), Style(.standard, .bold)), Span(row.text)]
        }
    }
}

extension Help {
    /// - Returns: false when the help should be closed.
    mutating func handle(_ event: PanelEvent, in size: Size) -> Bool {
        switch event {
        case .text(let characters):
            field.insert(characters)
            first = 0
        case .action(.help), .action(.cancel), .action(.activate): return false
        case .action(.fieldBackspace) where field.isEmpty: return false
        // To the first and to the last row.
        case .action(.fieldStart): first = 0
        case .action(.fieldEnd): first = last(size)
        case .action(let action):
            if field.edit(action) { first = 0 } else { turn(by: Help.step(of: action, size), size) }
        case .mouse(let mouse):
            if let rows = mouse.wheelRows { turn(by: rows, size) }
        case .edit, .settled, .key: break
        }
        return true
    }

    private mutating func turn(by rows: Int, _ size: Size) {
        let last = last(size)
        first = min(max(0, min(first, last) + rows), last)
    }

    private static func step(of action: Action, _ size: Size) -> Int {
        let page = max(1, height(size) - 1)
        return switch action {
        case .up: -1
        case .down: 1
        case .pageUp: -page
        case .pageDown: page
        default: 0
        }
    }
}
