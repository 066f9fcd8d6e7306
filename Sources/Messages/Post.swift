/// Something that somebody puts into a conversation.
///
/// Its ID and time are chosen before the first try and kept for every other one, so that however often it is tried it is
/// there once.
package struct Post: Identifiable, Hashable, Sendable {
    package let id: MessageID
    package let at: Timestamp
    package let sender: PersonID
    package let content: Content

    package enum Content: Hashable, Sendable {
        /// - Parameters:
        ///   - replyTo: the message that it answers to.
        ///   - thread: the root of the thread that it is a reply in.
        case message(text: String, replyTo: MessageID?, thread: MessageID?)
        case edit(MessageID, text: String)
        case deletion(MessageID)
        case reaction(MessageID, emoji: String, isRemoved: Bool)
    }

    package init(id: MessageID, at: Timestamp, sender: PersonID, content: Content) {
        self.id = id
        self.at = at
        self.sender = sender
        self.content = content
    }

    /// Why nothing can be posted while the sender is not known, in one line for people.
    package static let withoutSender =
        "nobody says who writes; name yourself with --as PERSON, or with me = \"PERSON\" in config.toml"
}
