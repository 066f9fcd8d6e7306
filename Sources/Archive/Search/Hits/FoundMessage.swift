internal import Messages

/// A message that is a hit, with its text after all edits.
struct FoundMessage {
    let message: StoredMessage
    let text: String
    /// How many messages of the main timeline stand before it; nil until they are counted.
    var mainCountBefore: Int?
}
