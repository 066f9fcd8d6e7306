import Display

/// Input that has begun to mean something, and waits for more.
struct InputState: Sendable {
    /// Whether a text has changed and has not been looked at as a whole yet.
    var isTyping = false
    /// A number being typed, for `%`.
    var digits = ""
    /// The keys that were typed after `t` while the thread was on its way: they are meant for the thread.
    var typedAhead: [Input] = []
}
