/// The people whom a server tells how far the user has read in its conversations.
package enum ReadReceipt: String, CaseIterable, Sendable {
    /// The other people.
    case `public`
    /// The user's other clients alone.
    case `private`
    /// Nobody. The user's other clients still have the mark of the last message that was read, if the server keeps one.
    case none
}
