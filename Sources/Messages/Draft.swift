/// What somebody is writing in a conversation, and what is on its way into it: kept across restarts.
package struct Draft: Hashable, Sendable {
    package var text: String
    /// What it answers to, or what it is to take the place of.
    package var purpose: Purpose
    /// What is being written in its threads, by their roots.
    package var replies: [MessageID: Reply]
    /// Posts of which it is not known whether they have arrived, in order.
    package var outbox: [Post]

    package enum Purpose: Hashable, Sendable {
        case message
        case reply(MessageID)
        case edit(MessageID)
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
        text: String = "", purpose: Purpose = .message, replies: [MessageID: Reply] = [:], outbox: [Post] = []
    ) {
        self.text = text
        self.purpose = purpose
        self.replies = replies
        self.outbox = outbox
    }

    /// Whether there is nothing to be kept.
    package var isEmpty: Bool { text.isEmpty && replies.isEmpty && outbox.isEmpty }
}
