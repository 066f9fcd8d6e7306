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
    /// All members of a conversation, as its server knows them.
    case members(ConversationID)
    /// The people who have written in a conversation, read backwards from here: replies come until the last one. After a failure
    /// the question goes on from the page that did not come.
    case writers(ConversationID, from: PageRequest.Position)
    /// The messages that concern the user: replies come until `ownEnd`.
    /// - Parameter seen: the messages that were looked at in an earlier try.
    case own(OwnPlaces.Kind, Addressee, ReadStates, seen: Set<Link>)
}
