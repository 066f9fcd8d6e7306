/// A component that takes the keys while it is open. A new one is a folder, a case here, and a line in each of the two tables of
/// `Model+Panels.swift`.
enum Panel: Hashable, Sendable {
    /// The line at the bottom in which `/` and `?` take their words.
    case find
    case search
    case switcher
    case prompt
    case composer

    /// The keys that hold there.
    var keys: Keymap.Context { self == .composer ? .composing : .typing }

    /// Whether the messages stay in use beside it: the mouse works on them, and the messages on the screen count as read.
    var isBesideMessages: Bool { self == .composer }
}
