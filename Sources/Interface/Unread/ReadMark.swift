/// The mark that a whole conversation gets.
package enum ReadMark: Hashable, Sendable {
    case read
    /// Its newest message of others is unread.
    case unread
}
