import Display

/// A component that takes the keys while it is open. A new panel is a folder, a case here, and a line in each of the two
/// tables of `Model+Panels.swift`.
enum Panel: Hashable, Sendable {
    /// The line at the bottom where the words of `/` and `?` are typed.
    case find
    case search
    case switcher
    case prompt
    case composer
    /// The list of all commands.
    case commands
    /// A list that is opened for one purpose.
    case sheet
    /// A picture of a message.
    case picture

    /// The bindings for it.
    var keys: Keymap.Context {
        switch self {
        case .composer: .composing
        // Nothing is typed there.
        case .picture: .conversation
        case .find, .search, .switcher, .prompt, .commands, .sheet: .typing
        }
    }

    /// Whether the messages stay in use: the mouse works on them, and visible messages count as read.
    var isBesideMessages: Bool { self == .composer }
}

/// Input for the open panel, or for the pane that has the keys.
enum PanelEvent: Hashable, Sendable {
    /// Typed or pasted.
    case text([Character])
    /// An action that may edit a text. If it does, the outcome is `typed`.
    case edit(Action)
    /// No more input waits after texts and edits, so the text is looked at as a whole. A paste comes as thousands of keys.
    case settled
    case action(Action)
    case mouse(Mouse)
    /// Any key, for a component that takes no text.
    case key(Key)
}

/// The view of an open panel.
enum PanelView {
    /// A frame that covers the screen.
    case screen(Frame)
    /// A line in place of the status line.
    case line(PromptLine)
    /// A question in the status line.
    /// - isWarning: whether one of the replies cannot be taken back.
    case question(CleanText, isWarning: Bool = false)
    /// The composer, above the status line.
    case composer
}

extension Frame {
    /// The same words without styles, for a screen reader, which follows the cursor: it is at the selected message or entry.
    /// - Parameters:
    ///   - column: of the cursor in that row.
    ///   - keepsCursor: whether the cursor stays where it is.
    func inWords(column: Int, keepsCursor: Bool) -> Frame {
        let row = lines.firstIndex { line in line.spans.contains { $0.style.surface == .selection } }
        let selected = row.map { ScreenPosition(row: $0, column: min(column, max(0, size.columns - 1))) }
        return Frame(
            size: size, lines: lines.map { $0.styled(.plain) }, cursor: keepsCursor ? cursor : selected ?? cursor,
            picture: picture)
    }
}
