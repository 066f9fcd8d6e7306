import Display
import Search

/// The list of all commands, from which the user chooses by some letters of a name or of its explanation.
struct CommandSheet: Sendable {
    struct Row: ListedRow {
        let binding: Binding
        /// The matched letters of the name: UTF-8 offsets.
        var ranges: [Range<Int>] = []
        /// The matched letters of the explanation, if the name does not match: UTF-8 offsets.
        var helpRanges: [Range<Int>] = []

        var id: Action { binding.action }
        var searched: String { binding.name }

        /// A match in the name counts more than one in the explanation, where the letters must be adjacent.
        static func matching(_ text: String, among all: [Row]) -> [Row] {
            let words = text.split(whereSeparator: \.isWhitespace).count
            if words == 0 { return all }
            let pattern = FuzzyPattern(text)
            let scored = all.compactMap { row -> (score: Int, row: Row)? in
                if let match = pattern.match(row.binding.name) {
                    return (match.score * 2, Row(binding: row.binding, ranges: match.ranges))
                }
                guard let match = pattern.match(row.binding.help), match.ranges.count <= words else { return nil }
                return (match.score, Row(binding: row.binding, helpRanges: match.ranges))
            }
            // The offset keeps rows of equal scores in their order.
            return scored.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
                .map(\.element.row)
        }
    }

    private var list = RowList<Row>()

    /// Commands that are not in the list: they need more than a name, such as a number or one of several keys; or they open the
    /// list.
    private static let unnamed: Set<Action> = [.share, .conversationByNumber, .commands]

    init(_ keymap: Keymap) {
        let bindings = keymap.bindings(in: .conversation).filter { !CommandSheet.unnamed.contains($0.action) }
        list.show(bindings.map { Row(binding: $0) })
    }
}

extension CommandSheet: Sheet {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch list.handle(event, in: PreviewLayout.plain(context.size).list) {
        case .typed: [.typed]
        case .left: [.close]
        case .chosen: list.selectedRow.map { [.close, .perform($0.binding.action)] } ?? []
        case .moved, .none, .other: []
        }
    }

    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame {
        let count = list.rows.count
        let prompt = PromptLine(name: ":", field: list.field, answer: count == 1 ? "1 command" : "\(count) commands")
        let none = Span("no match", .dim)
        let rows = screen.lines(of: list, in: PreviewLayout.plain(screen.size).list, otherwise: none) { row, _ in
            line(row, screen)
        }
        return screen.frame(prompt, rows, selected: explanation(screen), goal: "run")
    }

    private static let nameColumns = 22
    private static let keyColumns = 18
    /// The least columns for an explanation: fewer would only show an ellipsis or a word.
    private static let leastExplanation = 16

    /// The columns of the explanations in the rows.
    private static func explanationColumns(_ screen: ListScreen) -> Int {
        screen.size.columns - screen.grid.gutter - CommandSheet.nameColumns - CommandSheet.keyColumns - 2
    }

    /// The explanation of the selected command, if its row does not show all of it.
    private func explanation(_ screen: ListScreen) -> Span? {
        guard let help = list.selectedRow.map({ CleanText($0.binding.help) }),
            help.columns > CommandSheet.explanationColumns(screen)
        else { return nil }
        let room = max(0, screen.size.columns - CommandSheet.hintColumns)
        return Span(help.truncated(to: room), .dim)
    }

    /// The columns for the keys at the right of the last row.
    private static let hintColumns = 24

    /// Name, keys, explanation.
    private func line(_ row: Row, _ screen: ListScreen) -> Line {
        let style = Style(.standard, row.id == list.selectedRow?.id ? .bold : [])
        let found = Style(.accent, [.bold, .underline])
        let name = CleanText(row.binding.name).styled(row.ranges.map { ($0, found) }, otherwise: style)
        let room = CommandSheet.nameColumns
        var line = name.truncated(to: room - 1).padded(to: room)
        let keys = CleanText(row.binding.keyNames)
        guard CommandSheet.explanationColumns(screen) >= CommandSheet.leastExplanation else {
            return line + [Span(keys, Style(.standard, .bold))]
        }
        line.append(Span(keys.padded(to: CommandSheet.keyColumns) + "  ", Style(.standard, .bold)))
        let help = CleanText(row.binding.help)
        return line + help.styled(row.helpRanges.map { ($0, found) }, otherwise: .dim)
    }
}
