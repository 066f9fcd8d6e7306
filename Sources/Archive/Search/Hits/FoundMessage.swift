internal import Messages

/// A message that is a hit, with its text after all edits.
struct FoundMessage {
    let message: StoredMessage
    let text: String
    /// Messages of the main timeline before it; nil while nobody has counted them.
    var mainCountBefore: Int?
}
