package import Display
package import Messages
import Timeline

/// A question to the store, or a task for it.
///
///     a component ─ Effect.ask(request, ticket) → the loop → the store ─ Event.reply(ticket, reply) → the component
///
/// A new request takes a case here, a case of `Reply` unless one fits, an answer in the loop (`StoreAnswers`), and a component
/// that uses the reply.
package enum Request: Hashable, Sendable {
    case page(PageRequest)
    /// The place of a message; and the newest form of other messages.
    case place(Messages.Cursor, Set<MessageID>, in: ConversationID)
    /// The places of all hits in a conversation: replies come until the end.
    case places(ResolvedQuery, ConversationID)
    /// A search in all conversations: replies come until the end.
    case search(SearchRequest)
    /// All conversations. With summaries, one of each follows, with its number of unread messages, until the end.
    case conversations(summaries: Bool, ReadStates)
    /// The summary of a conversation, with its number of unread messages.
    case summary(Conversation, ReadStates)
    /// Messages in their newest form: a reply comes for each conversation.
    case messages([ConversationID: Set<MessageID>])
    /// A message with all people who reacted to it.
    case message(MessageID, ConversationID)
    case versions(MessageID, ConversationID)
    /// All members of a conversation, as its server knows them.
    case members(ConversationID)
    /// The people who have written in a conversation, read backwards from here: replies come until the last one. After a failure,
    /// the next request begins with the page that did not come.
    case writers(ConversationID, from: PageRequest.Position)
    /// The messages that concern the user: replies come until the end.
    /// - Parameter seen: the messages that an earlier try has checked.
    case own(OwnPlaces.Kind, Addressee, ReadStates, seen: Set<Link>)
    /// The reason why nobody can write in a conversation.
    case obstacle(ConversationID)
    /// The messages among these that are missing or deleted.
    case missing(Set<MessageID>, ConversationID)
    /// The problems that the store has met in files.
    case problems
    /// Makes a conversation with this title.
    case make(String)
    /// Joins the room with this address.
    case join(String)
    case decline(Invitation)
    case leave(Conversation)
    /// Finds a file of a message, which may have to be fetched first.
    case file(MessageFile)
    /// Loads the picture that a file of a message holds.
    /// - Parameter room: the cells that the picture may cover.
    case picture(MessageFile, room: Size)
    /// Copies several messages as text; `write` writes them to a file.
    case copy(MarkedRange)
    case write(MarkedRange, file: String, replaces: Bool)
    /// - Parameter isRetry: true if the post may have been sent already.
    case send(Post, ConversationID, isRetry: Bool)
}

/// The reply to a request. The name of its case is that of the request unless it says otherwise.
package enum Reply: Sendable {
    case page(Result<Page, StoreError>)
    /// The place is nil if it is not known.
    case place(Result<(Place?, [Message]), StoreError>)
    case places(Result<PlaceBatch, StoreError>)
    /// To `search`.
    case hits(Result<SearchBatch, StoreError>)
    case conversations(Result<[Conversation], StoreError>)
    case summary(Result<ConversationSummary, StoreError>)
    case messages(ConversationID, Result<[Message], StoreError>)
    case message(Result<Message, StoreError>)
    case versions(Result<[MessageVersion], StoreError>)
    case members(Result<[Person], StoreError>)
    case writers(Result<Writers, StoreError>)
    case own([OwnPlace])
    /// All replies have come, or there was an error.
    case end(StoreError? = nil)
    case obstacle(String?)
    case missing(Set<MessageID>)
    case problems([String])
    /// To `make` and `join`; nil for a space.
    case conversation(Result<Conversation?, StoreError>)
    /// To `decline`, `leave` and `send`.
    case done(Result<Void, StoreError>)
    /// To `file`, and to `picture` before the picture.
    case file(FileNews)
    case picture(Result<Picture, EffectError>)
    /// To `copy` and `write`.
    case range(RangeResult)

    /// The error of a request of a sheet.
    var error: StoreError? {
        switch self {
        case .page(.failure(let error)), .messages(_, .failure(let error)), .message(.failure(let error)),
            .versions(.failure(let error)), .writers(.failure(let error)), .members(.failure(let error)):
            error
        case .end(let error): error
        default: nil
        }
    }
}

/// Names the component that has asked, and its request. A request that fails for a reason that may pass is repeated after 1, 2, 4
/// and more seconds, at most 30, until it succeeds or its result is not wanted any more.
///
///     request ─→ reply ┬→ success
///                      └→ failure ─→ the screen says when the next try is ─→ pause ─→ `Event.retry` ─→ request
package enum Ticket: Sendable {
    /// The list of a pane: an opening, a jump, a thread, or a reload of the screen.
    case list(ListRequest)
    /// A page at an edge of a list.
    case page(PageTicket)
    /// The whole text of the selected message in a pane.
    case text(PaneTicket)
    /// The places of the hits in the conversation.
    case places(epoch: Int)
    /// The search everywhere.
    case search(epoch: Int)
    /// The messages around the selected entry of a list.
    case preview(epoch: Int)
    /// The list of conversations.
    case conversations(epoch: Int)
    /// The place of the window in the conversation, by its first message.
    case place(ConversationID, MessageID)
    case task(UserTask)
    case picture(Int)
    /// The sheet with this number.
    /// - Parameter rest: the request for the remaining replies.
    case sheet(Int, rest: Request)
    case post(ConversationID, MessageID)
    /// A request without a component: the request itself says how to use the reply.
    case request(Request)
}

/// Requests that have many replies.
package enum Stream: Hashable, Sendable {
    case places, search, conversations
    /// All requests of the open sheet.
    case sheet
}

/// Progress of fetching an attachment.
package enum FileNews: Hashable, Sendable {
    /// The file is being fetched; `received` is the number of bytes so far.
    case coming(received: Int64)
    /// - Parameter isExecutable: true if the file may be run as a program.
    case here(path: String, isExecutable: Bool = false)
    case failed(StoreError)
}

/// People who have written in a conversation, each with the time of the newest message; the latest first.
package struct Writers: Sendable {
    let people: [(Person, Timestamp)]
    /// True if all messages have been read.
    let isLast: Bool

    package init(people: [(Person, Timestamp)], isLast: Bool) { (self.people, self.isLast) = (people, isLast) }
}

/// The reason why an effect failed, such as starting another program, in one line for the user.
package struct EffectError: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// The mark that a whole conversation gets.
package enum ReadMark: Hashable, Sendable {
    case read
    /// The newest message of other people becomes unread.
    case unread
}

/// A task that the user has requested, and that needs the store. It runs until it is done or cancelled.
package enum UserTask: Hashable, Sendable {
    case open(MessageFile)
    /// Marks a conversation, as soon as the page at its end has come.
    case mark(ReadMark, PageRequest)
    case copy(MarkedRange)
    case write(MarkedRange, file: String, replaces: Bool)

}

/// A range of messages of a conversation or of a thread, loaded or not.
package struct MarkedRange: Hashable, Sendable {
    package let conversation: ConversationID
    /// The root of the thread; nil for the main timeline.
    package let thread: MessageID?
    package let first: MessageID
    package let last: MessageID

    package init(conversation: ConversationID, thread: MessageID?, first: MessageID, last: MessageID) {
        self.conversation = conversation
        self.thread = thread
        self.first = first
        self.last = last
    }
}

/// A format in which messages are written to a file, or printed.
package enum MessageFormat: String, CaseIterable, Hashable, Sendable {
    case text, markdown, json

    /// The format for the ending of a file name; nil for any other ending.
    package init?(ofFile name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[dot...].lowercased() {
        case ".txt": self = .text
        case ".md": self = .markdown
        case ".json": self = .json
        default: return nil
        }
    }

    /// The name that the user sees.
    package var title: String {
        switch self {
        case .text: "text"
        case .markdown: "Markdown"
        case .json: "JSON"
        }
    }
}

/// The result of copying or writing several messages.
package enum RangeResult: Hashable, Sendable {
    /// The text for the clipboard, and the number of messages.
    case copied(String, count: Int)
    /// The text is too long for the clipboard; with the number of messages.
    case tooLong(count: Int)
    case written(Int, file: String)
    /// The file exists, so nothing was written.
    case exists(MarkedRange, file: String)
    /// The reason, in one line for the user.
    case failed(String)
    /// The store did not return all messages.
    /// - Parameter messages: the number of messages returned.
    case unread(StoreError, messages: Int)
}
