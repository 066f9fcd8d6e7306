/// What somebody is writing in a conversation, and what is on its way into it: kept across restarts.
package struct Draft: Hashable, Sendable {
    package var text: String
    /// What it answers to, or what it is to take the place of.
    package var purpose: Purpose
    /// Posts of which it is not known whether they have arrived, in order.
    package var outbox: [Post]

    package enum Purpose: Hashable, Sendable {
        case message
        case reply(MessageID)
        case edit(MessageID)
    }

    package init(text: String = "", purpose: Purpose = .message, outbox: [Post] = []) {
        self.text = text
        self.purpose = purpose
        self.outbox = outbox
    }

    /// Whether there is nothing to be kept.
    package var isEmpty: Bool { text.isEmpty && outbox.isEmpty }
}
