/// The unsent texts of a conversation, and the posts on their way into it. It is kept across restarts.
package struct Draft: Hashable, Sendable {
    package var text: String
    /// Whether the text is a new message or a reply to one.
    package var purpose: Purpose
    /// The unsent texts in threads, by their roots.
    package var replies: [MessageID: Reply]
    /// The unsent edits of the writer's own messages, by their IDs.
    package var edits: [MessageID: Edit]
    /// Posts that may or may not have arrived, in order.
    package var outbox: [Post]

    package enum Purpose: Hashable, Sendable {
        case message
        case reply(MessageID)
    }

    package struct Reply: Hashable, Sendable {
        package var text: String
        package var purpose: Purpose

        package init(text: String, purpose: Purpose = .message) {
            self.text = text
            self.purpose = purpose
        }
    }

    package struct Edit: Hashable, Sendable {
        package var text: String
        /// The text of the message that the writer has seen; nil if it is not known.
        package var seen: String?

        package init(_ text: String, seen: String? = nil) {
            self.text = text
            self.seen = seen
        }
    }

    package init(
        text: String = "", purpose: Purpose = .message, replies: [MessageID: Reply] = [:],
        edits: [MessageID: Edit] = [:], outbox: [Post] = []
    ) {
        self.text = text
        self.purpose = purpose
        self.replies = replies
        self.edits = edits
        self.outbox = outbox
    }

    /// Whether there is nothing to keep.
    package var isEmpty: Bool { text.isEmpty && replies.isEmpty && edits.isEmpty && outbox.isEmpty }
}
