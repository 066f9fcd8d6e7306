/// What somebody is writing in a conversation, and what is on its way into it: kept across restarts.
package struct Draft: Hashable, Sendable {
    package var text: String
    /// What it answers to.
    package var purpose: Purpose
    /// What is being written in its threads, by their roots.
    package var replies: [MessageID: Reply]
    /// What is being made of one's own messages, by their IDs.
    package var edits: [MessageID: String]
    /// Posts of which it is not known whether they have arrived, in order.
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

    package init(
        text: String = "", purpose: Purpose = .message, replies: [MessageID: Reply] = [:],
        edits: [MessageID: String] = [:], outbox: [Post] = []
    ) {
        self.text = text
        self.purpose = purpose
        self.replies = replies
        self.edits = edits
        self.outbox = outbox
    }

    /// Whether there is nothing to be kept.
    package var isEmpty: Bool { text.isEmpty && replies.isEmpty && edits.isEmpty && outbox.isEmpty }
}
