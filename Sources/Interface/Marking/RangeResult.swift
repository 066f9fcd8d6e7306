package import Messages

/// The result of copying or writing several messages.
package enum RangeResult: Hashable, Sendable {
    /// The text for the clipboard, and the number of messages.
    case copied(String, count: Int)
    /// For the clipboard, with the number of messages.
    case tooLong(count: Int)
    case written(Int, file: String)
    /// There is such a file, so nothing was written.
    case exists(MarkedRange, file: String)
    /// The reason, in one line for people.
    case failed(String)
    /// The store did not bring all messages.
    /// - Parameter messages: the number of those that have come.
    case unread(StoreError, messages: Int)
}
