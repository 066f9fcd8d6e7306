internal import Messages

/// A message as it is shown after all edits and deletions in the log.
struct FoldedMessage: Equatable {
    let stored: StoredMessage
    /// Empty when deleted.
    var text: String
    let isEdited: Bool
    let isDeleted: Bool
    var reactions: [FoldedReaction]
    let replyCount: Int
    /// When the last of them in the order of the log was sent.
    let lastReply: Timestamp?
    /// The last edit or deletion that counts.
    let lastTextChange: LinePlace?

    /// - Parameter amendments: of this message, in the order of the log. Only those after the message count; an edit or
    ///   a deletion only from its author.
    init(_ message: StoredMessage, _ amendments: [Amendment]) {
        var fold = MessageFold(message)
        for amendment in amendments { fold.add(amendment) }
        self.init(fold)
    }

    init(_ fold: MessageFold) {
        stored = fold.message
        isDeleted = fold.isDeleted
        isEdited = fold.newText != nil && !fold.isDeleted
        text = fold.isDeleted ? "" : fold.newText ?? fold.message.text
        (replyCount, lastReply) = (fold.replyCount, fold.lastReply)
        lastTextChange = fold.lastTextChange
        reactions = fold.isDeleted ? [] : fold.reactions
    }
}
