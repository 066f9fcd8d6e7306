package import Messages

/// Work for the event loop outside of the model. An event brings the result.
package enum Effect: Sendable {
    case loadList(ListRequest, PageRequest)
    case loadPage(PageTicket, PageRequest)
    /// Sends the event after this time.
    case wait(Duration, Event)
    /// Collects the places of hits in a conversation. An earlier collection is stopped.
    case collectPlaces(epoch: Int, ResolvedQuery, ConversationID)
    case stopCollecting
    /// Searches in all conversations. An earlier search is stopped.
    case search(epoch: Int, SearchRequest)
    case stopSearching
    case loadPreview(epoch: Int, PageRequest)
    /// A question of the sheet with this number. `.sheet` brings the reply.
    case askForSheet(Int, SheetQuestion)
    /// The sheet is closed, so that its questions need no reply any more.
    case stopAsking
    /// Reads the bookmarks, which another Kedge may have changed. `.bookmarks` brings them.
    case loadBookmarks
    case setBookmark(Bookmark)
    case removeBookmark(Bookmark)
    /// Loads all conversations and, if wanted, a summary of each with its number of unread messages.
    case loadConversations(summaries: Bool, read: ReadStates)
    case stopLoadingConversations
    /// Makes a conversation with this title. `.made` brings it.
    case makeConversation(String)
    /// Joins the room with this address. `.joined` brings its conversation.
    case join(String)
    /// Declines an invitation. `.declined` tells how that went.
    case decline(Invitation)
    /// Leaves a conversation. `.left` tells how that went.
    case leave(Conversation)
    /// Watches this conversation, and no other, for changes since a page of it was read.
    case watch(ConversationID, since: Messages.Cursor?)
    /// Copies several messages as text, or writes them to a file. `.range` brings the result.
    case copyRange(MarkedRange)
    case write(MarkedRange, file: String, replaces: Bool)
    /// Puts a text into the user's clipboard.
    case copy(String)
    /// Lets the user edit a text in a program of his own, which takes the terminal. `.edited` brings the result.
    case edit(String)
    /// Opens a web address in the user's browser. `.notOpened` comes when that fails.
    case openLink(String)
    /// Finds a file of a message, which may have to be fetched first. `.file` tells how that goes.
    case findFile(MessageFile)
    /// Opens a file in the user's program for its kind. `.notOpened` comes when that fails.
    case openFile(path: String)
    /// Loads the picture that a file of a message holds. `.picture` brings it.
    case loadPicture(PictureRequest)
    case reportProblems
    /// Asks for the place of a message, and for other messages in their newest form.
    case locate(ConversationID, MessageID, Messages.Cursor, Set<MessageID>)
    /// Keeps how far a conversation has been read, as soon as the screen has shown it.
    case markRead(ConversationID, ReadPosition)
    /// Counts the unread messages of a conversation. `.counted` brings them.
    case countUnread(Conversation, ReadStates)
    /// Loads the end of a conversation, to mark it. `.end` brings it.
    case loadEnd(ReadMark, PageRequest)
    case setMuted(ConversationID, Bool)
    case askForObstacle(ConversationID)
    /// Asks the server for all members of a conversation. `members` answers.
    case askForMembers(ConversationID)
    /// Asks which of these messages are missing or deleted.
    case findMissing(ConversationID, Set<MessageID>)
    /// Tells others that this person is writing in a conversation; nil that nobody is any more.
    case noteTyping(PersonID?, ConversationID)
    /// Notifies the user, if the settings say so, of a message that names him or replies to him.
    /// - Parameter link: leads to the message.
    case notify(from: String, text: String, link: Link? = nil)
    /// Keeps a draft and the posts on their way, before any later effect sends a post.
    case keepDraft(ConversationID, Draft)
    /// - Parameter isRetry: whether it may have been sent already.
    case send(ConversationID, Post, isRetry: Bool)
    case redraw
    case suspend
    case quit(ExitReason)
}
