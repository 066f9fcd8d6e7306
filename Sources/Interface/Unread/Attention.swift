import Messages

/// Whether the user looks at the screen, and the first message that came while he did not.
///
/// Most terminals report their focus once it changes. Of the others only the keys tell that somebody is there: a message
/// that came after the last key may have been seen or not.
struct Attention: Sendable {
    /// Nil as long as the terminal has told nothing.
    var hasFocus: Bool?
    /// Whether the program was stopped, or another one had the terminal, and nothing was typed since.
    private var isInterrupted = false
    /// The first message of another person that came since the user was last known to look.
    private(set) var first: MessageID?
    /// Whether the line of unread messages is to stand above it, as soon as it moves nothing that the user looks at.
    var wantsLine = false

    /// Whether the end of the conversation counts as read when it is on the screen.
    var isLooking: Bool { !isInterrupted && (hasFocus ?? (first == nil)) }

    /// Whether it is certain that nobody looks.
    var isAway: Bool { isInterrupted || hasFocus == false }

    mutating func arrive(_ id: MessageID, wantsLine: Bool) {
        guard first == nil, isInterrupted || hasFocus != true else { return }
        (first, self.wantsLine) = (id, wantsLine)
    }

    /// Another conversation is on the screen.
    mutating func forgetArrivals() { (first, wantsLine) = (nil, false) }

    /// The user has used a key or the mouse.
    mutating func look() {
        isInterrupted = false
        forgetArrivals()
        // The wheel works without the focus. Then reports tell nothing until the next one.
        if hasFocus == false { hasFocus = nil }
    }

    mutating func interrupt() { isInterrupted = true }
}
