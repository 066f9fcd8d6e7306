/// Tells what changes while one looks.
package protocol ChangeWatching: Sendable {
    /// What changes while one looks, in the order in which it does; what comes together is told together. Ends when nothing
    /// more can come.
    /// - Parameter since: what has changed since a page was read (`Page.asOf`) is told first; nil for nothing of it.
    func changes(in conversation: ConversationID, since: Cursor?) -> AsyncStream<[StoreChange]>

    /// What comes into any conversation while one looks, in the order within each: messages of the main timeline and thread
    /// replies, one's own among them; not what edits say. What comes together is told together, some thousand at most.
    /// Nothing that was there before somebody asked. Ends when nothing more can come.
    /// - Parameter isFollowed: whether one is told of a conversation by `changes` at that moment, and need not be told twice.
    func arrivals(besides isFollowed: @escaping @Sendable (ConversationID) -> Bool) -> AsyncStream<[Arrival]>

    /// How far the store is with what makes it fast, 0 to 1, whenever it works at that. The store may begin that work with this call.
    func preparation() -> AsyncStream<Double>
}
