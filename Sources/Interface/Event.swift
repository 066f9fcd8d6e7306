package import Display
package import Messages

/// Something that happened.
package enum Event: Sendable {
    /// All input that was waiting.
    case input([Input])
    case resized(Size)
    /// Whether the terminal has got the focus or lost it.
    case focus(Bool)
    /// The program was stopped, or another one had the terminal.
    case interrupted
    /// The current time.
    case time(Timestamp)
    case list(ListRequest, Result<Page, StoreError>)
    case page(PageTicket, Result<Page, StoreError>)
    /// The pause before another try of a failed request is over. It may have been tried since, or be unwanted.
    case retry(Loadable)
    case pause(Pause)
    case places(epoch: Int, Result<PlaceBatch, StoreError>)
    case placesEnd(epoch: Int)
    case found(epoch: Int, Result<SearchBatch, StoreError>)
    case foundEnd(epoch: Int)
    case preview(epoch: Int, Result<Page, StoreError>)
    /// A reply to the sheet with this number.
    case sheet(Int, SheetAnswer)
    /// A question of the sheet with this number has failed. The reply that says so came before.
    case sheetFailed(Int, SheetQuestion, StoreError)
    /// The bookmarks of the archive, after they were read or changed.
    case bookmarks([Bookmark])
    /// The end of a conversation that is to be marked.
    case end(ReadMark, PageRequest, Result<Page, StoreError>)
    /// The muted conversations, after they were read or changed.
    case muted(Set<ConversationID>)
    case conversations(Result<[Conversation], StoreError>)
    /// The invitations that wait for an answer. They come before the conversations.
    case invitations([Invitation])
    /// The list of conversations or invitations has changed on the server.
    case listChanged
    /// The result of `Effect.join`: the conversation; nil for a space.
    case joined(String, Result<Conversation?, StoreError>)
    /// The result of `Effect.decline`.
    case declined(Invitation, Result<Void, StoreError>)
    /// The result of `Effect.leave`.
    case left(Conversation, Result<Void, StoreError>)
    case summary(Result<ConversationSummary, StoreError>)
    case summariesEnd
    /// The result of `Effect.countUnread`.
    case counted(Result<ConversationSummary, StoreError>)
    /// The result of `Effect.makeConversation`.
    case made(Result<Conversation, StoreError>)
    /// All changes since the last such event, in order.
    case changed(ConversationID, [StoreChange])
    /// New messages of any conversations, in order.
    case arrived([Arrival])
    /// The result of `Effect.locate`: the place of the first message of the window, nil when it is not known, and messages in
    /// their newest form.
    case located(ConversationID, MessageID, Place?, [Message])
    /// `Effect.locate` has failed.
    case notLocated(ConversationID, StoreError)
    /// The result of copying or writing several messages.
    case range(UserTask, RangeResult)
    /// The progress of the store's preparation.
    case preparing(StoreProgress)
    case problems([String])
    /// How far another process of the user has read in these conversations.
    case readElsewhere([ConversationID: ReadPosition])
    /// The message that stood last in each conversation when the archive was first opened (`ReadStates.baseline`).
    case baseline([ConversationID: MessageID])
    /// The text as the user's editor left it, or the reason why there is none, in one line for people.
    case edited(Result<String, EditFailure>)
    /// The reason why a link or a file was not opened, in one line for people.
    case notOpened(String, link: String? = nil)
    /// The search for a file that is to be opened.
    case file(MessageFile, FileNews)
    /// The number of bytes that have come of the file of a picture.
    case pictureComing(Int, received: Int64)
    /// The file of a picture did not come.
    case pictureFailed(Int, StoreError)
    /// The result of `Effect.loadPicture`, with the number of the request: the picture, or the reason why there is none.
    case picture(Int, Result<Picture, PictureFailure>)
    /// An error outside the store, in one line for people.
    case trouble(String)
    /// The reason why nobody can write into a conversation; nil when one can.
    case obstacle(ConversationID, String?)
    /// All members of a conversation, or why the server does not tell them.
    case members(ConversationID, Result<[Person], StoreError>)
    /// The messages of a conversation that are missing or deleted.
    case missing(ConversationID, Set<MessageID>)
    /// There was no news of people writing for a while, so they count as gone.
    case typingEnds(epoch: Int)
    /// The result of sending a post.
    case sent(ConversationID, MessageID, Result<Void, StoreError>)
    /// The pause before another try to send a post is over.
    case retrySend(ConversationID, MessageID)
    /// The pause is over after which a sent post that has not appeared is looked for.
    case lookForSent(ConversationID, MessageID)
}

/// The reason why the program ends.
package enum ExitReason: Error, Hashable, Sendable {
    case done
    case interrupted
    /// A signal ended the process.
    case signal(Int32)
    case failed(StoreError)
}
