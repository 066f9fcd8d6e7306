internal import Search

/// Where messages come from: an archive on disk today, a live server one day. Nothing here speaks of files.
///
/// Whoever uses a store takes the part that is needed: a search command searches, and cannot write.
package protocol MessageStore:
    ConversationListing, UnreadCounting, MessageReading, MessageSearching, MessagePosting, ChangeWatching,
    MessageCounting
{}

extension MessageStore {
    /// Looks among the members of all conversations.
    package func knows(sender: String) async -> Bool {
        let name = QueryName(sender)
        let members = ((try? await conversations()) ?? []).flatMap(\.members)
        return members.contains(where: name.names)
    }
}
