internal import Messages

/// A message with the effect of all edits, deletions, reactions and replies in the log.
struct FoldedMessage: Equatable {
    let stored: StoredMessage
    /// Empty if the message is deleted.
    var text: String
    /// The bytes of an edited text that are left out (see `ConversationReader.folded`).
    var omitted = 0
    let isEdited: Bool
    let isDeleted: Bool
    var reactions: [CountedReaction]
    let replyCount: Int
    /// The time of the last reply in the order of the log.
    let lastReply: Timestamp?
    /// The place of the last edit or deletion that has an effect.
    let lastTextChange: LinePlace?

    /// - Parameter amendments: amendments of this message, in the order of the log. Those before the message have no
    ///   effect, nor have edits and deletions from anyone but its author, except deletions by a moderator.
    init(_ message: StoredMessage, _ amendments: [Amendment]) {
        var fold = MessageFold(message)
        for amendment in amendments { fold.add(amendment) }
        self.init(fold)
    }

    init(_ fold: MessageFold) {
        stored = fold.message
        isDeleted = fold.isDeleted
        isEdited = (fold.newText != nil || fold.message.isEdited) && !fold.isDeleted
        text = fold.isDeleted ? "" : fold.newText ?? fold.message.text
        omitted = fold.isDeleted ? 0 : fold.omitted
        (replyCount, lastReply) = (fold.replyCount, fold.lastReply)
        lastTextChange = fold.lastTextChange
        reactions = fold.isDeleted ? [] : fold.reactions
    }
}
