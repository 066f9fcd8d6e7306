/// The thread replies that wait for the reader: they name the reader, or reply to the reader's messages. The main
/// timeline does not show them, so reading it to its end does not cover them.
package struct ThreadMarks: Hashable, Sendable {
    /// All replies up to this message have been checked.
    package var upTo: MessageID
    /// The replies among them that name the reader or reply to the reader, and whose threads the reader has not opened
    /// since.
    package var open: [ThreadReply]

    package init(upTo: MessageID, open: [ThreadReply] = []) {
        self.upTo = upTo
        self.open = open
    }
}

package struct ThreadReply: Hashable, Sendable {
    /// The root of the thread.
    package let thread: MessageID
    package let message: MessageID

    package init(thread: MessageID, message: MessageID) {
        self.thread = thread
        self.message = message
    }
}
