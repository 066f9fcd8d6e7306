package import Messages

/// The response to a request.
package enum RelayResponse: Hashable, Sendable {
    /// To `hello`: the version of the helper's protocol.
    case version(Int)
    /// It is done.
    /// - Parameter segment: to `around`: the name of the file that holds the event.
    case done(segment: String?)
    /// To `media`: the path of the file in the archive.
    case fetched(file: String)
    /// To `search`: a page of messages, the newest first, and the token for the next page; nil if there is none.
    case found([RelayHit], next: String?)
    /// To `join`: the conversation of the room.
    case joined(ConversationID)
    /// To `members`: people, by their IDs.
    case members([Person])
    /// It is not done, and has changed nothing.
    /// - Parameters:
    ///   - reason: one line for people, as hostile as all that comes from a server.
    ///   - retry: when another try may succeed, in milliseconds; nil if none will.
    case failed(reason: String, retry: Int?)
}
