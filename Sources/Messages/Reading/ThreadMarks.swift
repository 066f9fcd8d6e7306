/// Which replies in threads still wait for the reader whom they name or reply to: the main timeline does not show them, so
/// that its end says nothing of them.
package struct ThreadMarks: Hashable, Sendable {
    /// All replies up to this message have been looked through.
    package var upTo: MessageID
    /// Those of them that name the reader or reply to him, as long as he has not looked at their threads.
    package var open: [ThreadReply]

    package init(upTo: MessageID, open: [ThreadReply] = []) {
        self.upTo = upTo
        self.open = open
    }
}

package struct ThreadReply: Hashable, Sendable {
    /// The root.
    package let thread: MessageID
    package let message: MessageID

    package init(thread: MessageID, message: MessageID) {
        self.thread = thread
        self.message = message
    }
}
