import Display

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
