package import Display
package import Messages

/// Something that happened.
package enum Event: Sendable {
    /// All that was waiting when the loop looked.
    case input([Input])
    case resized(Size)
    /// The clock has gone on.
    case time(Timestamp)
    case list(ListRequest, Result<Page, StoreError>)
    case page(PageTicket, Result<Page, StoreError>)
    /// The time has come to try a failed opening again.
    case retryList(ListRequest)
    /// The time has come to try a failed page again, unless it has been tried since.
    case retryPage(PageTicket)
    case pause(Pause)
    case places(epoch: Int, Result<PlaceBatch, StoreError>)
    case placesEnd(epoch: Int)
    case found(epoch: Int, Result<SearchBatch, StoreError>)
    case foundEnd(epoch: Int)
    case preview(epoch: Int, Result<Page, StoreError>)
    case conversations(Result<[Conversation], StoreError>)
    case summary(Result<ConversationSummary, StoreError>)
    case summariesEnd
    /// The time has come to search again where that failed.
    case retrySearch(epoch: Int)
    /// The time has come to ask again for the list of conversations.
    case retryConversations(epoch: Int)
    /// The changes since the last such event, in order.
    case changed(ConversationID, [StoreChange])
    /// The messages that came into any conversations, in order.
    case arrived([Arrival])
    /// The result of `Effect.locate`: the place of the first message of the window, nil when it is not known, and
    /// messages as they are now.
    case located(ConversationID, MessageID, Place?, [Message])
    /// How far the store is with its preparation, 0 to 1.
    case preparing(Double)
    case problems([String])
    /// The message that stood last in each conversation when the archive was first opened (`ReadStates.baseline`).
    case baseline([ConversationID: MessageID])
    /// Why a link or a file was not opened, in one line for people.
    case notOpened(String)
    /// An error outside the store, in one line for people.
    case trouble(String)
    /// Why nothing can be written into a conversation; nil when it can.
    case obstacle(ConversationID, String?)
    /// Messages of a conversation that are not there any more, or deleted.
    case missing(ConversationID, Set<MessageID>)
    /// No news has come for a while that people are writing: they count as writing no more.
    case typingEnds(epoch: Int)
    /// The result of sending a post.
    case sent(ConversationID, MessageID, Result<Void, StoreError>)
    /// The time has come to try again to send a post.
    case retrySend(ConversationID, MessageID)
    /// The time has come to look for a post that was sent and has not been seen.
    case lookForSent(ConversationID, MessageID)
}
