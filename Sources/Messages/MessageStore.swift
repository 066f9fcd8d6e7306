package import Dates
internal import Search

/// A source of messages: an archive on disk today, a live server one day. Nothing here mentions files.
///
/// Code depends only on the parts that it needs: a search command can search, but not write.
package protocol MessageStore:
    ConversationListing, UnreadCounting, MessageReading, MessageSearching, MessagePosting, ConversationMaking,
    ConversationJoining,
    ChangeWatching, MessageCounting
{}

extension MessageStore {
    /// Searches the members of all conversations.
    package func knows(sender: String) async -> Bool {
        let name = QueryName(sender)
        let members = ((try? await conversations()) ?? []).flatMap(\.members)
        return members.contains(where: name.names)
    }
}

/// Reports changes while Kedge is open.
package protocol ChangeWatching: Sendable {
    /// The changes of a conversation, in order; changes that happen together come together. Ends when no more can come.
    /// - Parameter since: the end of a page (`Page.asOf`): later changes come first. Nil to begin with new changes.
    func changes(in conversation: ConversationID, since: Cursor?) -> AsyncStream<[StoreChange]>

    /// The messages that arrive in any conversation, in order within each: messages of the main timeline and thread replies,
    /// including the user's own, but not edits. Messages that arrive together are reported together, at most about a thousand.
    /// Earlier messages are not reported. Ends when no more can come.
    /// - Parameter isFollowed: returns true for a conversation that `changes` is reporting; it is left out here.
    func arrivals(besides isFollowed: @escaping @Sendable (ConversationID) -> Bool) -> AsyncStream<[Arrival]>

    /// The progress of background work such as indexing. The call may start the work.
    func preparation() -> AsyncStream<StoreProgress>
}

/// Joins and leaves the conversations of a server.
package protocol ConversationJoining: Sendable {
    /// Joins a conversation, or accepts an invitation to it. Returns the conversation if the user is already in it.
    /// - Parameter address: the ID of a room, an alias such as `#harbour:example.org`, or a link to it.
    /// - Returns: nil for a space.
    /// - Throws: `notSent` with the reason.
    func join(_ address: String) async throws(StoreError) -> Conversation?

    /// Declines an invitation.
    /// - Throws: `notSent` with the reason.
    func decline(_ invitation: Invitation) async throws(StoreError)

    /// Leaves a conversation. Its messages stay in the archive.
    /// - Throws: `notSent` with the reason.
    func leave(_ conversation: ConversationID) async throws(StoreError)
}

/// An archive without a server.
extension ConversationJoining {
    package func join(_ address: String) async throws(StoreError) -> Conversation? {
        throw .notSent("this archive has no server, so no room can be joined")
    }

    package func decline(_ invitation: Invitation) async throws(StoreError) {
        throw .notSent("this archive has no server, so nothing can be declined")
    }

    package func leave(_ conversation: ConversationID) async throws(StoreError) {
        throw .notSent("this archive has no server, so there is no room to leave")
    }
}

/// Lists conversations.
package protocol ConversationListing: Sendable {
    /// The person who reads and writes, unless an option names another; nil if unknown.
    var me: PersonID? { get }

    /// All conversations, by title.
    func conversations() async throws(StoreError) -> [Conversation]

    /// - Throws: `noSuchConversation` with the most similar IDs.
    func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation

    /// All members of a conversation, from its server.
    /// - Throws: `unavailable` if there is no server, or if it does not answer.
    func members(of conversation: ConversationID) async throws(StoreError) -> [Person]

    /// The invitations that are not answered yet, the oldest first.
    func invitations() async -> [Invitation]

    /// An element for each change of the server's list: conversations, titles, spaces, invitations. Ends at once without a
    /// server.
    func listChanges() -> AsyncStream<Void>

    /// Everything that could not be read so far: one line each, with its place.
    func problems() async -> [String]

    /// Like `problems`, but for everything unreadable in these conversations, even if it was never requested.
    func problems(in conversations: [ConversationID]) async -> [String]
}

/// A file of messages that a store skips. Its messages are missing from every answer.
package enum SkippedFile {
    /// The end of its line among the problems.
    package static let reason = "not a regular file; it is skipped"
}

extension ConversationListing {
    package func members(of conversation: ConversationID) async throws(StoreError) -> [Person] {
        throw .unavailable("this archive has no server to ask for the other members")
    }

    package func invitations() async -> [Invitation] { [] }

    package func listChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    package func problems(in conversations: [ConversationID]) async -> [String] { await problems() }
}

/// Creates conversations.
package protocol ConversationMaking: Sendable {
    /// Creates an empty conversation, with an ID made from the title.
    /// - Throws: `notSent` if a conversation has this ID, or if none can be created.
    func makeConversation(titled title: String) async throws(StoreError) -> Conversation
}

extension ConversationMaking {
    package func makeConversation(titled title: String) async throws(StoreError) -> Conversation {
        throw .notSent("this archive cannot have new conversations")
    }
}

/// Counts the messages of a conversation by time and person.
package protocol MessageCounting: Sendable {
    /// May take as long as reading the whole conversation.
    /// - Parameters:
    ///   - zone: the zone that decides the month and the hour of a message.
    ///   - progress: called with the progress in bytes, on any thread.
    /// - Returns: the counts, and a line for everything that was skipped.
    /// - Throws: `noSuchConversation`; `unreadable`, `unavailable` when it cannot be read.
    func statistics(
        of id: ConversationID, in zone: Zone,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void
    ) async throws(StoreError) -> (statistics: Statistics, problems: [String])
}

/// Stores what a person writes.
package protocol MessagePosting: Sendable {
    /// The reason why nobody can write to a conversation, in one line for users; nil if the user can.
    func obstacle(in conversation: ConversationID) async -> String?

    /// Appends a post to a conversation. When this returns, the post is on the disk.
    /// - Parameter isRetry: true if an earlier attempt that failed or was interrupted may have stored the post. If it did, this
    ///   call stores nothing.
    /// - Throws: `notSent`, `noSuchConversation`; `editedMeanwhile`; `noSuchMessage` if the post replies to, edits, deletes or
    ///   reacts to a message that does not exist.
    func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError)

    /// Shows others in a conversation that a person is typing, for a few seconds; nil if nobody is any more.
    func noteTyping(by person: PersonID?, in conversation: ConversationID) async

    /// Records that the user has read a conversation up to a message.
    func noteRead(_ message: MessageID, in conversation: ConversationID) async
}

extension MessagePosting {
    package func noteRead(_ message: MessageID, in conversation: ConversationID) async {}
}

/// Reads the messages of a conversation, page by page.
package protocol MessageReading: Sendable {
    /// A page of the main timeline, or of a thread, with quotes, names and neighbours filled in.
    /// - Throws: `noSuchMessage` when the requested message does not exist, or is not in the thread.
    func page(_ request: PageRequest) async throws(StoreError) -> Page

    /// One message, thread replies included.
    /// - Throws: `noSuchMessage`
    func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message

    /// The position of the message at a cursor in the main timeline; nil if the store does not know it yet.
    func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place?

    /// The current form of messages. Messages that do not exist are left out.
    func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message]

    /// All texts that a message has had and that the store contains, the first one first; none for a deleted message.
    /// - Throws: `noSuchMessage`
    func versions(of id: MessageID, in conversation: ConversationID) async throws(StoreError) -> [MessageVersion]

    /// The path of an attached file, for the user's own programs.
    /// - Parameter progress: called with the number of bytes fetched so far, from 0 on, if the file must be fetched first. Called
    ///   on any thread.
    /// - Throws: `unreadable` with the reason: the file does not exist, or is outside the store.
    func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String
}

extension MessageReading {
    /// By default, a store keeps no earlier texts.
    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] {
        let message = try await message(id, in: conversation)
        if message.isDeleted { return [] }
        return [MessageVersion(at: message.at, text: message.text, isFirst: !message.isEdited)]
    }

    /// By default, a store keeps no files.
    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        throw .unreadable("this archive does not contain the file \(file.attachment.name)")
    }
}

/// Finds messages by their words, senders and times.
package protocol MessageSearching: Sendable {
    /// Searches messages and thread replies, one batch at a time as the caller asks for them. A conversation that cannot be read
    /// yields an error, and the search continues with the others.
    func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>>

    /// The places of all hits in a conversation, including thread replies. An error ends the stream.
    func places(of query: ResolvedQuery, in conversation: ConversationID) -> AsyncStream<Result<PlaceBatch, StoreError>>

    /// True if the store knows a sender with this ID or name, in the sense of `SearchRequest.sender`. May take as long as a
    /// search.
    func knows(sender: String) async -> Bool
}

/// Counts the messages of conversations, and the unread ones.
package protocol UnreadCounting: Sendable {
    func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary

    /// Summaries of many conversations, in the same order; an error in one does not affect the others. The newest messages are
    /// for one row of the screen: without quotes and reactions, and cut to `Quote.longestText`.
    /// - Parameters:
    ///   - read: the person's read positions; later messages are unread.
    ///   - reader: the person; nil if unknown.
    ///   - withNewest: true to read the newest messages.
    func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?,
        withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>]

    /// The unread messages of a person; none if the last message that was read no longer exists.
    /// - Parameters:
    ///   - threads: the unread thread replies as last recorded.
    ///   - reader: the person; nil if unknown.
    func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread

    /// The user's read positions on the server: first all of them, then each change. Their messages may be missing here. Ends at
    /// once without a server.
    func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)>

    /// The end of each conversation just before a moment. Fast even with many conversations.
    func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor]

    /// The last message before each of these ends, which may be a thread reply. An unreadable conversation or one without
    /// messages has no entry.
    func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID]
}

extension UnreadCounting {
    package func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)> {
        AsyncStream { $0.finish() }
    }

    /// By default, reads one summary after another.
    package func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?,
        withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>] {
        var results: [Result<ConversationSummary, StoreError>] = []
        for conversation in conversations {
            do throws(StoreError) {
                var summary = try await summary(of: conversation.id)
                let id = conversation.id
                let unread = try await unread(in: id, since: read[id], threads: read.threads(of: id), for: reader)
                summary = summary.with(unread)
                results.append(.success(summary))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }
}

/// The progress of background work such as indexing.
package struct StoreProgress: Hashable, Sendable {
    package let work: Work
    /// The finished share, 0 to 1.
    package let share: Double

    package enum Work: Hashable, Sendable {
        /// Reading another program's export.
        case reading
        case indexing
    }

    package init(_ work: Work, share: Double) {
        self.work = work
        self.share = share
    }
}
