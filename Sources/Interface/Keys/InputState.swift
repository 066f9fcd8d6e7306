import Display

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
    /// The keys that were typed after `t` while the thread was being loaded. They are meant for the thread.
    var typedAhead: [Input] = []
}
