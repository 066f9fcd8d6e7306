package import Dates
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

/// Joins and leaves the conversations of a server.
package protocol ConversationJoining: Sendable {
    /// Joins a conversation, or accepts an invitation to it. One that is here already is only found.
    /// - Parameter address: the ID of a room, an alias such as `#harbour:example.org`, or a link to it.
    /// - Returns: nil for a space.
    /// - Throws: `notSent` with the reason.
    func join(_ address: String) async throws(StoreError) -> Conversation?

    /// Declines an invitation.
    /// - Throws: `notSent` with the reason.
    func decline(_ invitation: Invitation) async throws(StoreError)

    /// Leaves a conversation. What is here of it stays.
    /// - Throws: `notSent` with the reason.
    func leave(_ conversation: ConversationID) async throws(StoreError)
}

/// An archive without a server.
extension ConversationJoining {
    package func join(_ address: String) async throws(StoreError) -> Conversation? {
        throw .notSent("this archive has no server, so no room can be joined")
    }

    package func decline(_ invitation: Invitation) async throws(StoreError) {
        throw .notSent("this archive has no server, so nobody can be told")
    }

    package func leave(_ conversation: ConversationID) async throws(StoreError) {
        throw .notSent("this archive has no server, so there is no room to leave")
    }
}

/// Lists conversations.
package protocol ConversationListing: Sendable {
    /// The person who reads and writes, unless an option says otherwise; nil when the store does not know.
    var me: PersonID? { get }

    /// All conversations, by title.
    func conversations() async throws(StoreError) -> [Conversation]

    /// - Throws: `noSuchConversation` with the nearest IDs.
    func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation

    /// All members of a conversation, as its server says now.
    /// - Throws: `unavailable` where no server can be asked.
    func members(of conversation: ConversationID) async throws(StoreError) -> [Person]

    /// The invitations that wait for an answer, the oldest first.
    func invitations() async -> [Invitation]

    /// An element each time that the list has changed on its server: conversations, their titles and spaces, invitations. Ends at
    /// once where there is no server.
    func listChanges() -> AsyncStream<Void>

    /// Everything that could not be read so far: one line each, for people, with its place.
    func problems() async -> [String]

    /// The same, with everything in these conversations that cannot be read, even if it was not asked for.
    func problems(in conversations: [ConversationID]) async -> [String]
}

extension ConversationListing {
    package func members(of conversation: ConversationID) async throws(StoreError) -> [Person] {
        throw .unavailable("there is no server that knows the others")
    }

    package func invitations() async -> [Invitation] { [] }

    package func listChanges() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    package func problems(in conversations: [ConversationID]) async -> [String] { await problems() }
}

/// Makes conversations.
package protocol ConversationMaking: Sendable {
    /// Makes an empty conversation, whose ID is made of the title.
    /// - Throws: `notSent` when there is one with this ID, or when it cannot be made.
    func makeConversation(titled title: String) async throws(StoreError) -> Conversation
}

extension ConversationMaking {
    package func makeConversation(titled title: String) async throws(StoreError) -> Conversation {
        throw .notSent("no conversation can be made here")
    }
}

/// Counts the messages of a conversation by time and person.
package protocol MessageCounting: Sendable {
    /// May take as long as reading the conversation.
    /// - Parameters:
    ///   - zone: decides the month and the hour of a message.
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
    /// Why nothing can be written to a conversation, in one line for people; nil when it can.
    func obstacle(in conversation: ConversationID) async -> String?

    /// Appends a post to a conversation. When this returns, the post is on the disk.
    /// - Parameter isRetry: whether an earlier try that failed or was cut off may have stored the post. If it did, this
    ///   stores nothing.
    /// - Throws: `notSent`, `noSuchConversation`; `editedMeanwhile`; `noSuchMessage` when the message to reply to, edit, delete or react
    ///   to does not exist.
    func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError)

    /// Shows others in a conversation that a person is typing, for a few seconds; nil when nobody is any more.
    func noteTyping(by person: PersonID?, in conversation: ConversationID) async

    /// Notes that the user has read a conversation up to a message.
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

    /// The place of the message at a cursor in the main timeline; nil when the store does not know it yet.
    func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place?

    /// Messages in their current form, without those that do not exist.
    func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message]

    /// All texts that a message has had, as far as the store holds them, the first one first; none for a deleted message.
    /// - Throws: `noSuchMessage`
    func versions(of id: MessageID, in conversation: ConversationID) async throws(StoreError) -> [MessageVersion]

    /// The path of an attached file, for the user's own programs.
    /// - Parameter progress: receives the number of bytes that have come so far, if the file has to be fetched first: 0 when
    ///   that begins. Any thread may call it.
    /// - Throws: `unreadable` with the reason: the file does not exist, or lies outside the store.
    func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String
}

extension MessageReading {
    /// A store does not have to keep earlier texts.
    package func versions(
        of id: MessageID, in conversation: ConversationID
    ) async throws(StoreError) -> [MessageVersion] {
        let message = try await message(id, in: conversation)
        if message.isDeleted { return [] }
        return [MessageVersion(at: message.at, text: message.text, isFirst: !message.isEdited)]
    }

    /// A store does not have to keep files.
    package func location(
        of file: MessageFile, progress: @escaping @Sendable (_ received: Int64) -> Void
    ) async throws(StoreError) -> String {
        throw .unreadable("the file \(file.attachment.name) is not kept here")
    }
}

/// Finds messages by their words, senders and times.
package protocol MessageSearching: Sendable {
    /// Searches messages, thread replies included, as far as the caller asks for batches. A conversation that cannot be
    /// read yields a failure in its turn, and the search goes on with the others.
    func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>>

    /// The places of all hits of a query in a conversation, thread replies included. A failure ends it.
    func places(of query: ResolvedQuery, in conversation: ConversationID) -> AsyncStream<Result<PlaceBatch, StoreError>>

    /// Whether the store knows a sender by an ID or a name, in the sense of `SearchRequest.sender`. May take as long as
    /// a search.
    func knows(sender: String) async -> Bool
}

/// Counts the messages of conversations, and those that are new to a person.
package protocol UnreadCounting: Sendable {
    func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary

    /// Summaries of many conversations, in their order; the failure of one does not affect the others. Their newest
    /// messages are made for one row of the screen: without quotes and reactions, and cut to `Quote.longestText`.
    /// - Parameters:
    ///   - read: how far a person has read; later messages are unread.
    ///   - reader: that person; nil when it is not known.
    ///   - withNewest: whether to read the newest messages.
    func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?,
        withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>]

    /// The messages that are new to a person; none when the last message that was read no longer exists.
    /// - Parameters:
    ///   - threads: the replies that waited in threads when that was last noted.
    ///   - reader: that person; nil when it is not known.
    func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread

    /// How far the user has read according to the server: first all that is known, then each change. The messages may be unknown
    /// here. Ends at once where there is no server.
    func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)>

    /// Where each conversation ended at a moment just before now. Fast, even with many conversations.
    func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor]

    /// The last message before each of these ends, which may be a thread reply. A conversation without messages, or one
    /// that cannot be read, has no entry.
    func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID]
}

extension UnreadCounting {
    package func serverReads() -> AsyncStream<(conversation: ConversationID, message: MessageID)> {
        AsyncStream { $0.finish() }
    }

    /// Reads one summary after the other.
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

/// The progress of work with which a store becomes fast.
package struct StoreProgress: Hashable, Sendable {
    package let work: Work
    /// The share that is done, 0 to 1.
    package let share: Double

    package enum Work: Hashable, Sendable {
        /// An export of another program is read.
        case reading
        case indexing
    }

    package init(_ work: Work, share: Double) {
        self.work = work
        self.share = share
    }
}
