internal import Search

/// A source of messages: an archive on disk today, a live server one day. Nothing here mentions files.
///
/// Code that uses a store takes only the part that it needs: a search command can search, and cannot write.
package protocol MessageStore:
    ConversationListing, UnreadCounting, MessageReading, MessageSearching, MessagePosting, ConversationMaking,
    ConversationJoining,
    ChangeWatching, MessageCounting
{}

extension MessageStore {
    /// Looks at the members of all conversations.
    package func knows(sender: String) async -> Bool {
        let name = QueryName(sender)
        let members = ((try? await conversations()) ?? []).flatMap(\.members)
        return members.contains(where: name.names)
    }
}
