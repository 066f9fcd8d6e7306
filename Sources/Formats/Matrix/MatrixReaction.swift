/// A reaction that may be taken back.
package struct MatrixReaction: Hashable, Sendable {
    /// The ID of the message.
    package let target: String
    /// The ID of the person who reacted.
    package let person: String
    package let emoji: String

    package init(target: String, person: String, emoji: String) {
        (self.target, self.person, self.emoji) = (target, person, emoji)
    }
}
