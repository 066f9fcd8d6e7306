package import Messages
import Timeline

/// Work for the event loop outside of the model.
package enum Effect: Sendable {
    /// Asks the store. `Event.reply` brings each reply.
    case ask(Request, Ticket)
    /// Ends a stream: no more replies are wanted.
    case stop(Stream)
    /// Sends the event after this time.
    case wait(Duration, Event)
    /// Watches this conversation, and no other, for changes since a page of it was read.
    case watch(ConversationID, since: Messages.Cursor?)
    /// Puts a text into the user's clipboard.
    case copy(String)
    /// Lets the user edit a text in another program, which uses the terminal. `Event.edited` brings the result.
    case edit(String)
    /// Opens a web address in the user's browser. `Event.notOpened` comes when that fails.
    case openLink(String)
    /// Opens a file in the user's program for its kind. `Event.notOpened` comes when that fails.
    case openFile(path: String)
    /// Saves the read position of a conversation, once the screen has shown the messages.
    case markRead(ConversationID, ReadPosition)
    case setMuted(ConversationID, Bool)
    /// Reads or changes the bookmarks, which another Kedge may have changed. `News.bookmarks` brings them.
    case bookmarks(BookmarkChange)
    /// Tells others that this person is typing in a conversation; nil when the typing has ended.
    case noteTyping(PersonID?, ConversationID)
    /// Notifies the user, if the settings say so, of a message that mentions or replies to the user.
    /// - Parameter link: the link to the message.
    case notify(from: String, text: String, link: Link? = nil)
    /// Saves a draft and the unsent posts, before any later effect sends a post.
    case keepDraft(ConversationID, Draft)
    case redraw
    case suspend
    case quit(ExitReason)

    /// Asks the store; the request itself is the ticket.
    static func ask(_ request: Request) -> Effect { .ask(request, .request(request)) }

    /// Sends a failed request again after a pause.
    static func retry(_ ticket: Ticket, afterFailures count: Int) -> Effect {
        .wait(.seconds(Pager<Messages.Cursor>.retryDelay(attempts: count)), .retry(ticket))
    }
}

package enum BookmarkChange: Hashable, Sendable {
    /// Only reads them.
    case none
    case set(Bookmark)
    case remove(Bookmark)
}

/// The failed tries of a request.
struct Retries: Hashable, Sendable {
    private(set) var count = 0
    /// The reason of the last failure, until the next try begins.
    private(set) var reason: String?
    private var isLast = false

    /// - Returns: the effect that leads to the next try; nil when another try would fail too.
    mutating func fail(_ error: StoreError, _ ticket: Ticket) -> Effect? {
        count += 1
        reason = error.description
        isLast = !error.isTransient
        return isLast ? nil : .retry(ticket, afterFailures: count)
    }

    /// The next try begins.
    mutating func begin() { reason = nil }

    /// `next try in 4 s`; empty when there is none.
    var words: String {
        reason == nil || isLast ? "" : "next try in \(Pager<Messages.Cursor>.retryDelay(attempts: count)) s"
    }
}
