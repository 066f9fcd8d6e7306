/// A message under a letter, by which the user goes back to it. A lower-case letter is for its conversation; a capital is for the
/// whole archive.
package struct Bookmark: Hashable, Sendable {
    package let letter: Character
    package let conversation: ConversationID
    package let message: MessageID

    /// - Returns: nil for a character that is not a letter.
    package init?(_ letter: Character, conversation: ConversationID, message: MessageID) {
        guard letter.isLetter else { return nil }
        self.letter = letter
        self.conversation = conversation
        self.message = message
    }

    package var isForArchive: Bool { letter.isUppercase }

    /// Whether both have the same letter in the same place, so that the one set later replaces the other.
    package func replaces(_ other: Bookmark) -> Bool {
        letter == other.letter && (isForArchive || conversation == other.conversation)
    }
}

extension [Bookmark] {
    /// The bookmark that a letter means in a conversation.
    package func first(_ letter: Character, in conversation: ConversationID) -> Bookmark? {
        first { $0.letter == letter && ($0.isForArchive || $0.conversation == conversation) }
    }
}
