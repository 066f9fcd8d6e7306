/// The current text of a message that an edit or a deletion changed.
struct WordAmendment: Equatable, BitwiseCopyable {
    /// The row of the message.
    let message: Int64
    /// The row of the record that holds the current text: of an edit, or of the message itself when its edits are gone
    /// with their files; 0 for a deleted message.
    let text: Int64
}
