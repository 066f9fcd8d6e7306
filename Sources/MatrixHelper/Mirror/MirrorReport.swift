/// How far a mirror is, for people.
package enum MirrorReport: Hashable, Sendable {
    /// All that the server had when it was asked is here.
    case current(rooms: Int)
    /// A page of older events.
    case page(conversation: String, events: Int)
    /// A gap is given up until the next start: one line for people.
    case trouble(String)
    /// The server could not be asked; the next try comes after a pause, in milliseconds.
    case pause(Int, String)
}
