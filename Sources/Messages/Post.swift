/// Something that a person adds to a conversation: a message, an edit, a deletion or a reaction.
///
/// Its ID and time are chosen before the first attempt and kept for every retry, so that it is stored only once.
package struct Post: Identifiable, Hashable, Sendable {
    package let id: MessageID
    package let at: Timestamp
    package let sender: PersonID
    package let content: Content
    /// True if the text is an action: `* ana waves`.
    package let isAction: Bool
    /// For an edit: the text that its author saw. If somebody has changed that text since, the edit fails. Nil to overwrite any
    /// text.
    package let seen: String?

    package enum Content: Hashable, Sendable {
        /// - Parameters:
        ///   - replyTo: the message that it replies to.
        ///   - thread: the root of the thread in which it is a reply.
        case message(text: String, replyTo: MessageID?, thread: MessageID?)
        case edit(MessageID, text: String)
        case deletion(MessageID)
        case reaction(MessageID, emoji: String, isRemoved: Bool)
    }

    package init(
        id: MessageID, at: Timestamp, sender: PersonID, content: Content, isAction: Bool = false, seen: String? = nil
    ) {
        self.id = id
        self.at = at
        self.sender = sender
        self.content = content
        self.isAction = isAction
        self.seen = seen
    }

    /// The error if an edit would overwrite a text that its author has not seen; nil if it would not.
    /// - Parameter now: the current text of the message.
    package func overwriting(_ now: String, in conversation: ConversationID) -> StoreError? {
        guard case .edit(let target, let text) = content, let seen, now != seen else { return nil }
        // The same edit may have been stored before, without the links to people.
        if now == text || now == Calls.unlinked(text).text { return nil }
        return .editedMeanwhile(target, now: now, in: conversation)
    }

    /// The reason why nothing can be posted by an unknown user, in one line.
    package static let withoutSender =
        "Kedge doesn't know who you are: use --as ID or set me = \"ID\" in config.toml"

    /// The reason why nothing can be posted to a room whose messages are encrypted.
    package static let encrypted =
        "this room is encrypted, and Kedge sends nothing to it unencrypted: log in through pantalaimon"

    /// The reason why nothing can be posted to a room that the user has left.
    package static let afterLeaving = "you are not in this room any more"
}

/// The content of a post, as the named fields of a record: in the log of an archive, in the drafts, and in a request to a helper.
package struct PostFields: Hashable, Sendable, Codable {
    package var type = ""
    package var target: String?
    package var text: String?
    package var replyTo: String?
    package var thread: String?
    package var emoji: String?
    package var removed: Bool?

    /// Without any field.
    package init() {}

    package init(_ content: Post.Content) {
        switch content {
        case .message(let text, let replyTo, let thread):
            type = "message"
            (self.text, self.replyTo, self.thread) = (text, replyTo?.rawValue, thread?.rawValue)
        case .edit(let target, let text): (type, self.target, self.text) = ("edit", target.rawValue, text)
        case .deletion(let target): (type, self.target) = ("delete", target.rawValue)
        case .reaction(let target, let emoji, let isRemoved):
            (type, self.target, self.emoji, removed) = ("reaction", target.rawValue, emoji, isRemoved)
        }
    }

    /// Nil for a type that this version does not know, and without one of its fields.
    package var content: Post.Content? {
        func id(_ text: String?) -> MessageID? { text.flatMap { $0.isEmpty ? nil : MessageID($0) } }
        return switch (type, text, id(target), emoji) {
        case ("message", let text?, _, _): .message(text: text, replyTo: id(replyTo), thread: id(thread))
        case ("edit", let text?, let target?, _): .edit(target, text: text)
        case ("delete", _, let target?, _): .deletion(target)
        case ("reaction", _, let target?, let emoji?): .reaction(target, emoji: emoji, isRemoved: removed ?? false)
        default: nil
        }
    }
}

/// The unsent texts of a conversation, and the posts on their way into it. It is kept across restarts.
package struct Draft: Hashable, Sendable {
    package var text: String
    /// The kind of the text: a new message, or a reply to one.
    package var purpose: Purpose
    /// The unsent texts in threads, by their roots.
    package var replies: [MessageID: Reply]
    /// The unsent edits of the writer's own messages, by their IDs.
    package var edits: [MessageID: Edit]
    /// Posts that may not have arrived yet, in order.
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
        /// The text of the message that the author of the edit saw; nil if unknown.
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

    /// True if there is nothing to keep.
    package var isEmpty: Bool { text.isEmpty && replies.isEmpty && edits.isEmpty && outbox.isEmpty }
}
