/// How far a person has read in a conversation.
package struct Reader: Hashable, Sendable {
    /// What the person has read.
    package enum Scope: Hashable, Sendable {
        /// The conversation with its threads.
        case all
        case mainTimeline
        /// The replies to this message.
        case thread(MessageID)
    }

    package let person: Person
    /// The last message that was read.
    package let message: MessageID
    package let scope: Scope
    /// Its index in the main timeline; nil if it is none of that, or if the store does not know it yet.
    package let index: Int?

    package init(_ person: Person, upTo message: MessageID, _ scope: Scope = .all, index: Int? = nil) {
        (self.person, self.message, self.scope, self.index) = (person, message, scope, index)
    }
}
