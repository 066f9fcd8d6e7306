import Display
import Messages

/// Input that is not complete yet.
struct InputState: Sendable {
    /// Whether a text has changed and still has to be looked at as a whole.
    var isTyping = false
    /// The digits of a number before `%`.
    var digits = ""
    /// Whether the user has been told that a key does nothing. Once is enough.
    var hasToldOfKey = false
    /// The first key of a sequence.
    var prefix: Key?
    /// When several lines came in one read; nil if none did.
    var linesCame: Timestamp?
    /// The text that the user left last with Esc, and when.
    var left: (place: WritingPlace, at: Timestamp)?
    /// The keys that were typed after `t` while the thread was being loaded. They are meant for the thread.
    var typedAhead: [Input] = []
}
