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
