/// What a message says now, where an edit or a deletion counts.
struct Amendment: Equatable {
    /// Its row.
    let message: Int64
    /// The row of the record whose text counts: of an edit, or of the message itself where its edits are gone with their
    /// files; 0 for a deleted message.
    let text: Int64
}
