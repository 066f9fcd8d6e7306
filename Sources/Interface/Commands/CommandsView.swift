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
        return screen.frame(prompt, Array((lines + blank).prefix(height)), selected: nil, goal: "run")
    }

    /// Name, keys, explanation.
    private func row(_ index: Int) -> Line {
        let row = commands.rows[index]
        let isSelected = index == commands.selected
        let style = Style(.standard, isSelected ? .bold : [])
        let ranges = row.ranges.map { (range: $0, style: Style(.accent, [.bold, .underline])) }
        let name = CleanText(row.binding.name).styled(ranges, otherwise: style)
        var line = [screen.mark(isSelected: isSelected)] + name.padded(to: CommandsView.nameColumns)
        let keys = CleanText(row.binding.keyNames).padded(to: CommandsView.keyColumns)
        line.append(Span(keys + "  ", Style(.standard, .bold)))
        line.append(Span(CleanText(row.binding.help), dim))
        let columns = screen.size.columns
        return isSelected ? line.padded(to: columns).on(.selection) : line.truncated(to: columns)
    }
}
