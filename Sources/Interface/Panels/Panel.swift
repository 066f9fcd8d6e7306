/// A component that takes the keys while it is open. A new panel is a file, a case here, and a line in each of the tables of
/// `Outcomes.swift` (input), `Render.swift` (view) and `Model.swift` (waiting keys).
enum Panel: Hashable, Sendable {
    /// The line at the bottom for the words of `/` and `?`.
    case find
    case search
    case switcher
    case prompt
    case composer
    /// A list that is opened for one purpose.
    case sheet
    /// A picture of a message.
    case picture

    /// The context of the keys for the panel.
    var keys: Keymap.Context {
        switch self {
        case .composer: .composing
        // Nothing is typed over a picture.
        case .picture: .conversation
        case .find, .search, .switcher, .prompt, .sheet: .typing
        }
    }

    /// True if the messages stay in use: the mouse works on them, and visible messages count as read.
    var isBesideMessages: Bool { self == .composer }

    /// True if the panel hides the messages.
    var coversMessages: Bool {
        switch self {
        case .search, .switcher, .sheet, .picture: true
        case .find, .prompt, .composer: false
        }
    }
}
