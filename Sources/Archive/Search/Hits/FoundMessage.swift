internal import Messages

/// A message that is a hit. Hundreds of hits may wait, so the message itself has no text.
struct FoundMessage {
    let message: StoredMessage
    /// The text after all edits, or the piece of it that was asked for.
    let text: String
    /// How many messages of the main timeline stand before it; nil until they are counted.
    var mainCountBefore: Int?
}
