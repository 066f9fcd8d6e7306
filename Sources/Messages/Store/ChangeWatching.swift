/// Reports changes while Kedge is open.
package protocol ChangeWatching: Sendable {
    /// The changes of a conversation, in order; changes that happen together come together. Ends when no more can come.
    /// - Parameter since: the changes since a page was read (`Page.asOf`) come first; nil for none of those.
    func changes(in conversation: ConversationID, since: Cursor?) -> AsyncStream<[StoreChange]>

    /// The messages that come into any conversation, in order within each: messages of the main timeline and thread
    /// replies, including the user's own, but not edits. Those that come together are reported together, at most about
    /// a thousand. Reports nothing that was there before the call. Ends when no more can come.
    /// - Parameter isFollowed: whether `changes` is reporting a conversation, which is then left out here.
    func arrivals(besides isFollowed: @escaping @Sendable (ConversationID) -> Bool) -> AsyncStream<[Arrival]>

    /// The progress of the store with its index and the like, whenever it works on that. This call may make it begin.
    func preparation() -> AsyncStream<StoreProgress>
}
