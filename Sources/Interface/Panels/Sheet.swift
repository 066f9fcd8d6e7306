import Display
package import Messages

/// A list that covers the conversation, opened for one purpose and forgotten when it is closed. A new one is a folder, and a call
/// of `open` where it is opened.
protocol Sheet: Component where Surroundings == Context {
    /// The questions that it asks at first.
    mutating func begin(in context: Context) -> [Outcome]
    mutating func receive(_ answer: SheetAnswer, in context: Context) -> [Outcome]
    /// The screen has another size.
    mutating func resized(in context: Context) -> [Outcome]
    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame
}

extension Sheet {
    mutating func begin(in context: Context) -> [Outcome] { [] }
    mutating func receive(_ answer: SheetAnswer, in context: Context) -> [Outcome] { [] }
    mutating func resized(in context: Context) -> [Outcome] { [] }
}

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
    case own(OwnPlaces.Kind, Person, ReadStates)
}

/// The reply to a question of a sheet.
package enum SheetAnswer: Sendable {
    case page(Result<Page, StoreError>)
    case messages(ConversationID, Result<[Message], StoreError>)
    case message(Result<Message, StoreError>)
    case versions(Result<[MessageVersion], StoreError>)
    case writers(Result<Writers, StoreError>)
    case own([OwnPlace])
    /// All conversations were searched, or there was an error.
    case ownEnd(StoreError?)
    /// The bookmarks have been read, or changed.
    case bookmarks([Bookmark])
}
