package import Display

/// The screen of a start without an archive. It says what Kedge is, and what to type to open chats.
package struct Welcome: Hashable, Sendable {
    /// The decision of the user.
    package enum Choice: Hashable, Sendable {
        case demo, quit, interrupt
    }

    /// True if there is a demo to open.
    private let hasDemo: Bool
    private static let key = Style(.accent, .bold)

    package init(hasDemo: Bool) { self.hasDemo = hasDemo }

    /// Lines that do not fit are left out, the least important ones first.
    package func frame(_ size: Size) -> Frame {
        let isNarrow = size.columns < Welcome.fullColumns
        let head = [Welcome.title(isNarrow), Line.empty]
        let body = keys + [.empty] + Welcome.commands(isNarrow)
        let all =
            head + Welcome.explanation(columns: size.columns) + [.empty] + body + [.empty] + Welcome.settings(isNarrow)
        let lines = all.count <= size.rows ? all : head + body
        return Frame(size: size, lines: lines.map { $0.truncated(to: size.columns) })
    }

    /// - Returns: nil if the input has no effect here.
    package func choice(for input: Input) -> Choice? {
        guard case .key(let key) = input else { return nil }
        return switch key {
        case .character("d"), .enter: hasDemo ? .demo : nil
        case .character("q"), .escape: .quit
        case .control("c"): .interrupt
        default: nil
        }
    }

    /// The columns that the widest line takes.
    private static let fullColumns = 76

    private static func title(_ isNarrow: Bool) -> Line {
        let text: CleanText = isNarrow ? "chats in the terminal" : "chats in the terminal, open at any message"
        return [Span(" Kedge", Style(.standard, .bold)), Span("   "), Span(text, .dim)]
    }

    private static func explanation(columns: Int) -> [Line] {
        let text: CleanText =
            "No archive found here. Kedge opens archives of its own (folders of plain JSON files), IRC logs, and exports of Slack, Discord, Telegram, Matrix, WhatsApp and others."
        return wrap(text, columns: max(1, min(columns, fullColumns) - 2)).map { [Span(" "), Span($0.text)] }
    }

    private var keys: [Line] {
        (hasDemo ? [Welcome.row("d", "open the demo")] : []) + [Welcome.row("q", "quit")]
    }

    private static func row(_ name: CleanText, _ text: CleanText) -> Line {
        [Span("   "), Span(name, key), Span("  "), Span(text)]
    }

    private static func commands(_ isNarrow: Bool) -> [Line] {
        let rows: [(CleanText, CleanText)] = [
            ("kedge ~/irclogs", "the logs of an IRC client"),
            ("kedge ~/Downloads/slack.zip", "an export: a folder, a file or a zip"),
            ("kedge import slack.zip ~/chats", "makes an archive of it, to write in"),
            ("kedge init ~/chats", "makes an empty archive"),
            ("kedge --help", "all commands"),
        ]
        return [[Span(" To open your own chats, type in the shell:")], .empty]
            + rows.map { command, text in
                [Span("   "), Span(isNarrow ? command : command.padded(to: 33)), Span(isNarrow ? "" : text, .dim)]
            }
    }

    private static func settings(_ isNarrow: Bool) -> [Line] {
        let text: CleanText =
            isNarrow
            ? "--archive PATH names an archive."
            : "An archive is found by --archive PATH, KEDGE_ARCHIVE or config.toml, or in"
        return [[Span(" "), Span(text, .dim)]] + (isNarrow ? [] : [[Span(" the current folder.", .dim)]])
    }
}
