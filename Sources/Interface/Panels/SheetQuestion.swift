package import Messages

/// A question of a sheet to the store.
package enum SheetQuestion: Hashable, Sendable {
    /// The page of its preview.
    case page(PageRequest)
    /// Messages in their newest form: a reply comes for each conversation.
    case messages([ConversationID: Set<MessageID>])
    /// A message with all people who reacted to it.
    case message(MessageID, ConversationID)
    case versions(MessageID, ConversationID)
    /// The people who have written in a conversation: replies come until the last one.
    case writers(ConversationID)
    /// The messages that concern the user: replies come until `ownEnd`.
    case own(OwnPlaces.Kind, Addressee, ReadStates)
}
