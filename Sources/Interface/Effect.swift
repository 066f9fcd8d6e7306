package import Messages

/// Something to be done outside: the loop does it, and an event tells the result.
package enum Effect: Sendable {
    case loadList(ListRequest, PageRequest)
    case loadPage(PageTicket, PageRequest)
    /// Gives the event after this time.
    case wait(Duration, Event)
    /// Collects the places of hits in a conversation, in place of those that were being collected.
    case collectPlaces(epoch: Int, ResolvedQuery, ConversationID)
    case stopCollecting
    /// Searches in place of the search under way.
    case search(epoch: Int, SearchRequest)
    case stopSearching
    case loadPreview(epoch: Int, PageRequest)
    /// Gives all conversations and, when asked for, a summary of each, with its number of unread messages.
    case loadConversations(summaries: Bool, read: ReadStates)
    case stopLoadingConversations
    /// Tells of changes in this conversation, and in no other, since a page of it was read.
    case watch(ConversationID, since: Messages.Cursor?)
    /// Puts a text into the user's clipboard.
    case copy(String)
    /// Opens an address of the web in the user's browser. `.notOpened` comes when that fails.
    case openLink(String)
    /// Opens a file of a message in the user's program for its kind. `.notOpened` comes when that fails.
    case openFile(Attachment, ConversationID)
    case reportProblems
    /// Asks where a message stands, and how others are now.
    case locate(ConversationID, MessageID, Messages.Cursor, Set<MessageID>)
    /// Keeps how far a conversation has been read, once the screen has shown it.
    case markRead(ConversationID, ReadPosition)
    case askForObstacle(ConversationID)
    /// Asks which of these messages are not there any more, or deleted.
    case findMissing(ConversationID, Set<MessageID>)
    /// Says that one writes in a conversation; nil that one does not any more.
    case noteTyping(PersonID?, ConversationID)
    /// Notifies the user, as the settings say, of a message that names him or replies to him.
    case notify(from: String, text: String)
    /// Keeps the text that is being written and the posts on their way, before anything that is asked for later is sent.
    case keepDraft(ConversationID, Draft)
    /// - Parameter isRetry: whether it may have been sent already.
    case send(ConversationID, Post, isRetry: Bool)
    case redraw
    case suspend
    case quit(Departure)
}
