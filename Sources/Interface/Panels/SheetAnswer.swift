package import Messages

/// The reply to a question of a sheet.
package enum SheetAnswer: Sendable {
    case page(Result<Page, StoreError>)
    case messages(ConversationID, Result<[Message], StoreError>)
    case message(Result<Message, StoreError>)
    case versions(Result<[MessageVersion], StoreError>)
    case writers(Result<Writers, StoreError>)
    /// All members of the conversation on the screen.
    case members(Result<[Person], StoreError>)
    case own([OwnPlace])
    /// All conversations were searched, or there was an error.
    case ownEnd(StoreError?)
    /// The bookmarks have been read, or changed.
    case bookmarks([Bookmark])

    /// The reason why the question has no reply.
    package var error: StoreError? {
        switch self {
        case .page(.failure(let error)), .messages(_, .failure(let error)), .message(.failure(let error)),
            .versions(.failure(let error)), .writers(.failure(let error)), .members(.failure(let error)):
            error
        case .ownEnd(let error): error
        case .page, .messages, .message, .versions, .writers, .members, .own, .bookmarks: nil
        }
    }
}
