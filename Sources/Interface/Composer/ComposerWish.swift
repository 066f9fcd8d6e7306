/// A wish of the composer that concerns more than its text.
enum ComposerWish: Sendable {
    /// The text has changed.
    case changed
    case keep
    /// Edits the text in the user's editor.
    case edit
    case leave
    /// Scrolls the messages above, down when positive.
    case scroll(screens: Int)
    case send
}
