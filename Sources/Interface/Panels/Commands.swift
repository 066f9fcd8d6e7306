import Display
import Search

/// The list of all commands, from which the user chooses by some letters of a name or of its explanation.
struct Commands: Hashable, Sendable {
    struct Row: Hashable, Sendable {
        let binding: Binding
        /// The matched letters of the name: UTF-8 offsets.
        let ranges: [Range<Int>]
        /// The matched letters of the explanation, if the name does not match: UTF-8 offsets.
        let helpRanges: [Range<Int>]
    }

    private(set) var field = TextField()
    /// The text that has narrowed the list.
    private var filtered = ""
    private(set) var rows: [Row] = []
    private(set) var selected = 0
    private var bindings: [Binding] = []
    /// The first visible row.
    private var first = 0

    /// Commands that need more than their name: a number before it, or a key of several.
    private static let unnamed: Set<Action> = [.share, .conversationByNumber, .commands]

    mutating func open(_ keymap: Keymap) {
        self = Commands()
        bindings = keymap.bindings(in: .conversation).filter { !Commands.unnamed.contains($0.action) }
        filter()
    }

    /// A match in the name counts more than one in the explanation, where the letters must stand in a row.
    private mutating func filter() {
        let pattern = FuzzyPattern(field.text)
        let words = field.text.split(whereSeparator: \.isWhitespace).count
        let scored = bindings.compactMap { binding -> (score: Int, row: Row)? in
            if words == 0 { return (0, Row(binding: binding, ranges: [], helpRanges: [])) }
            if let match = pattern.match(binding.name) {
                return (match.score * 2, Row(binding: binding, ranges: match.ranges, helpRanges: []))
            }
            guard let match = pattern.match(binding.help), match.ranges.count <= words else { return nil }
            return (match.score, Row(binding: binding, ranges: [], helpRanges: match.ranges))
        }
        // The offset keeps equal ones in their order.
        rows = scored.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
            .map(\.element.row)
        selected = 0
    }

    private mutating func move(by step: Int) { selected = min(max(0, selected + step), max(0, rows.count - 1)) }

    /// The rows of the list on a screen of this size.
    static func height(_ size: Size) -> Int { max(1, size.rows - 2) }

    /// The rows that a list of this height shows.
    func visible(height: Int) -> Range<Int> {
        let first = max(0, min(max(self.first, selected - height + 1), selected, rows.count - height))
        return first..<min(rows.count, first + height)
    }
}

extension Commands: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        let height = Commands.height(context.size)
        defer { first = visible(height: height).lowerBound }
        switch event {
        case .text, .edit: return field.take(event)
        case .settled:
            // A key that only moves the cursor in the text selects nothing.
            guard field.text != filtered else { return [] }
            filtered = field.text
            filter()
        case .action(.cancel), .action(.fieldBackspace): return [.close]
        case .action(.activate): return choose()
        case .action(.up): move(by: -1)
        case .action(.down): move(by: 1)
        case .action(.beginning): move(by: -rows.count)
        case .action(.end): move(by: rows.count)
        case .action(.pageUp): move(by: -max(1, height - 1))
        case .action(.pageDown): move(by: max(1, height - 1))
        case .action, .key: break
        case .mouse(let mouse): return use(mouse, height)
        }
        return []
    }

    private mutating func use(_ mouse: Mouse, _ height: Int) -> [Outcome] {
        switch mouse.action {
        case .wheelUp: move(by: -1)
        case .wheelDown: move(by: 1)
        case .press(let clicks):
            let row = visible(height: height).lowerBound + mouse.position.row - 1
            guard mouse.position.row > 0, visible(height: height).contains(row) else { return [] }
            selected = row
            if clicks == 2 { return choose() }
        case .drag, .release: break
        }
        return []
    }

    private func choose() -> [Outcome] {
        rows.indices.contains(selected) ? [.close, .perform(rows[selected].binding.action)] : []
    }
}

/// Draws the list of all commands.
struct CommandsView {
    private let commands: Commands
    private let screen: ListScreen
    private let dim = Style(.standard, .dim)

    init(_ commands: Commands, on screen: ListScreen) {
        self.commands = commands
        self.screen = screen
    }

    private static let nameColumns = 22
    private static let keyColumns = 18
    /// An explanation with less room than this would only be an ellipsis or a word.
    private static let leastExplanation = 16

    var frame: Frame {
        let count = commands.rows.count
        let prompt = PromptLine(
            name: ":", field: commands.field, answer: count == 1 ? "1 command" : "\(count) commands")
        let height = Commands.height(screen.size)
        let lines =
            commands.rows.isEmpty
            ? [[Span(screen.grid.margin), Span("no match", dim)]]
            : commands.visible(height: height).map(row)
        let blank = Array(repeating: Line.empty, count: height)
        return screen.frame(prompt, Array((lines + blank).prefix(height)), selected: explanation, goal: "run")
    }

    /// The columns of the explanations in the rows.
    private var columnsOfExplanation: Int {
        screen.size.columns - screen.grid.gutter - CommandsView.nameColumns - CommandsView.keyColumns - 2
    }

    /// That of the selected command, if its row has not all of it.
    private var explanation: Span? {
        guard commands.rows.indices.contains(commands.selected) else { return nil }
        let help = CleanText(commands.rows[commands.selected].binding.help)
        guard help.columns > columnsOfExplanation else { return nil }
        return Span(help.truncated(to: max(0, screen.size.columns - CommandsView.hintColumns)), dim)
    }

    /// For the keys at the right of the last row.
    private static let hintColumns = 24

    /// Name, keys, explanation.
    private func row(_ index: Int) -> Line {
        let row = commands.rows[index]
        let isSelected = index == commands.selected
        let style = Style(.standard, isSelected ? .bold : [])
        let found = Style(.accent, [.bold, .underline])
        let name = CleanText(row.binding.name).styled(row.ranges.map { ($0, found) }, otherwise: style)
        let room = CommandsView.nameColumns
        var line = [screen.mark(isSelected: isSelected)] + name.truncated(to: room - 1).padded(to: room)
        let keys = CleanText(row.binding.keyNames)
        if columnsOfExplanation < CommandsView.leastExplanation {
            line.append(Span(keys, Style(.standard, .bold)))
        } else {
            line.append(Span(keys.padded(to: CommandsView.keyColumns) + "  ", Style(.standard, .bold)))
            line = line + CleanText(row.binding.help).styled(row.helpRanges.map { ($0, found) }, otherwise: dim)
        }
        let columns = screen.size.columns
        line = line.truncated(to: columns)
        return isSelected ? line.padded(to: columns).on(.selection) : line
    }
}
