internal import Search

/// Where messages come from: an archive on disk today, a live server one day. Nothing here speaks of files.
package protocol MessageStore: Sendable {
    /// All conversations, by title.
    func conversations() async throws(StoreError) -> [Conversation]

    /// - Throws: `noSuchConversation` with the nearest IDs.
    func conversation(_ id: ConversationID) async throws(StoreError) -> Conversation

    func summary(of id: ConversationID) async throws(StoreError) -> ConversationSummary

    /// Summaries of many conversations, in their order: a failure of one is no failure of the others. Their newest messages
    /// are there for one row of the screen: without quotes and reactions, and cut to `Quote.longestText`.
    /// - Parameters:
    ///   - read: how far somebody has read; what is unread is counted from there.
    ///   - reader: who has read; nil when that is not known.
    ///   - withNewest: whether the newest messages are wanted.
    func summaries(
        of conversations: [Conversation], since read: ReadStates, for reader: PersonID?,
        withNewest: Bool
    ) async -> [Result<ConversationSummary, StoreError>]

    /// What came in since somebody has read so far: nothing when the last message that was read is gone.
    /// - Parameters:
    ///   - threads: what waited in the threads when that was last noted.
    ///   - reader: who has read; nil when that is not known.
    func unread(
        in conversation: ConversationID, since state: ReadState, threads: ThreadMarks?, for reader: PersonID?
    ) async throws(StoreError) -> Unread

    /// Where each conversation ended at a moment just before. Quick, however many there are.
    func ends(at moment: Timestamp) async throws(StoreError) -> [ConversationID: Cursor]

    /// The last message before each of these ends, a thread reply too. Nothing of a conversation without one, or that cannot
    /// be read.
    func lastMessages(before ends: [ConversationID: Cursor]) async -> [ConversationID: MessageID]

    /// A page of the main timeline, or of a thread, with quotes, names and neighbours filled in.
    /// - Throws: `noSuchMessage` when the position names one that is not there, or not in the thread.
    func page(_ request: PageRequest) async throws(StoreError) -> Page

    /// One message, thread replies included.
    /// - Throws: `noSuchMessage`
    func message(_ id: MessageID, in conversation: ConversationID) async throws(StoreError) -> Message

    /// Where the message at a cursor stands in the main timeline; nil when the store does not know it yet.
    func place(of cursor: Cursor, in conversation: ConversationID) async throws(StoreError) -> Place?

    /// Messages as they are now, as far as they are there.
    func messages(_ ids: Set<MessageID>, in conversation: ConversationID) async throws(StoreError) -> [Message]

    /// Looks for messages, thread replies included, while somebody asks for the next batch. A conversation that cannot be
    /// read gives a failure in its turn, and the search goes on with the others.
    func search(_ request: SearchRequest) -> AsyncStream<Result<SearchBatch, StoreError>>

    /// Where in a conversation the hits of a query are: all of them, thread replies included. A failure is the end.
    func places(of query: ResolvedQuery, in conversation: ConversationID) -> AsyncStream<Result<PlaceBatch, StoreError>>

    /// Whether the store knows somebody by an ID or a name, as `SearchRequest.sender` has it. May take as long as a search.
    func knows(sender: String) async -> Bool

    /// Who writes, unless somebody says otherwise; nil when the store does not know.
    var me: PersonID? { get }

    /// Why nothing can be written into a conversation, in one line for people; nil when it can.
    func obstacle(in conversation: ConversationID) async -> String?

    /// Puts a post behind all others. When this returns it is kept for good.
    /// - Parameter isRetry: whether it may be there already, from a try that failed or was cut off. Then it is not put there
    ///   again.
    /// - Throws: `notSent`, `noSuchConversation`, `noSuchMessage` for an answer, an edit, … of what is not there.
    func send(_ post: Post, to conversation: ConversationID, isRetry: Bool) async throws(StoreError)

    /// Tells those who look at a conversation that somebody writes in it; nil when nobody does any more. Counts for a few
    /// seconds.
    func noteTyping(by person: PersonID?, in conversation: ConversationID) async

    /// What changes while one looks, in the order in which it does; what comes together is told together. Ends when nothing
    /// more can come.
    /// - Parameter since: what has changed since a page was read (`Page.asOf`) is told first; nil for nothing of it.
    func changes(in conversation: ConversationID, since: Cursor?) -> AsyncStream<[StoreChange]>

    /// What comes into any conversation while one looks, in the order within each: messages of the main timeline and thread
    /// replies, one's own among them; not what edits say. What comes together is told together, some thousand at most.
    /// Nothing that was there before somebody asked. Ends when nothing more can come.
    /// - Parameter isFollowed: whether one is told of a conversation by `changes` at that moment, and need not be told twice.
    func arrivals(besides isFollowed: @escaping @Sendable (ConversationID) -> Bool) -> AsyncStream<[Arrival]>

    /// Where the file of an attachment is, for the user's own programs.
    /// - Throws: `unreadable` with why it cannot be shown: it is not there, or not the store's own.
    func location(of attachment: Attachment, in conversation: ConversationID) async throws(StoreError) -> String

    /// How far the store is with what makes it fast, 0 to 1, whenever it works at that.
    func preparation() -> AsyncStream<Double>

    /// What could not be read so far: one line each, for people, with its place.
    func problems() async -> [String]
}

extension MessageStore {
    /// Asks for one summary after the other.
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

    /// A store need not keep files.
    package func location(
        of attachment: Attachment, in conversation: ConversationID
    ) async throws(StoreError) -> String {
        throw .unreadable("the file \(attachment.name) is not kept here")
    }

    /// Looks among the members of all conversations.
    package func knows(sender: String) async -> Bool {
        let name = QueryName(sender)
        let members = ((try? await conversations()) ?? []).flatMap(\.members)
        return members.contains(where: name.names)
    }
}

/// Which page is wanted.
package struct PageRequest: Hashable, Sendable {
    package let conversation: ConversationID
    /// The root of the thread whose replies are wanted; nil for the main timeline.
    package let thread: MessageID?
    package let position: Position
    /// Messages, at most.
    package let limit: Int
    /// How far the reader has read: with the page comes what is new since. Nil when that is not asked.
    package let since: ReadState?
    /// What waited in the threads when that was last noted.
    package let threads: ThreadMarks?

    package enum Position: Hashable, Sendable {
        case earliest
        case latest
        /// The page around the first message that is new to the reader, else around what the first reply in a thread that
        /// waits for him is shown by; the latest page without either.
        case unread
        /// The page around a message.
        case message(MessageID)
        /// The page around the first of these messages that still stands there; without any, the page of the moment.
        case survivor(of: [MessageID], near: Timestamp)
        /// The page around the first message at or after a moment; the latest page when there is none.
        case date(Timestamp)
        /// The page around the message with this index in the main timeline; the last one when there are not so many.
        case index(Int)
        /// The page around the message that stands so far in the conversation, 0 to 1.
        case share(Double)
        case before(Cursor)
        case after(Cursor)
    }

    package init(
        conversation: ConversationID, thread: MessageID? = nil, position: Position, limit: Int,
        since: ReadState? = nil, threads: ThreadMarks? = nil
    ) {
        self.conversation = conversation
        self.thread = thread
        self.position = position
        self.limit = limit
        self.since = since
        self.threads = threads
    }
}

package enum StoreChange: Hashable, Sendable {
    /// A message as it is now (edited, deleted, reacted to, answered to in its thread).
    case updated(Message)
    /// A message behind the newest one; or a reply in a thread, behind the newest of those.
    case arrived(Message)
    /// Messages may be others than they were, or gone.
    case replaced
    /// Who is writing, besides oneself: all of them, for the next few seconds.
    case typing([Person])
    /// The store knows more than before: where the messages stand, and what they quote.
    case surveyed
    /// What has come in was passed over: the problems say why.
    case passedOver
}

/// Why the store could not answer. `description` is one line for people.
package enum StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    case noSuchConversation(ConversationID, nearest: [ConversationID])
    case noSuchMessage(MessageID, in: ConversationID)
    /// Worth trying again: a slow disk, a server that is away.
    case unavailable(String)
    /// The archive cannot be read: what, where, and what to do.
    case unreadable(String)
    /// What was to be written is not there: why, and what to do.
    case notSent(String)

    package var description: String {
        switch self {
        case .noSuchConversation(let id, let nearest):
            let names = nearest.map { "\"\($0)\"" }.joined(separator: ", ")
            return "there is no conversation \"\(id.rawValue.shortened)\""
                + (nearest.isEmpty ? "; `kedge list` names all" : "; the nearest are \(names) (`kedge list` names all)")
        case .noSuchMessage(let id, let conversation):
            let name = id.rawValue.shortened
            return "there is no message \"\(name)\" in \"\(conversation)\"; check the ID, or leave it out"
        case .unavailable(let reason), .unreadable(let reason), .notSent(let reason):
            return reason
        }
    }

    /// The description without the path that it may begin with: for where there is no room for one.
    package var reason: String {
        guard description.hasPrefix("/"), let end = description.firstRange(of: ": ") else { return description }
        return String(description[end.upperBound...])
    }

    /// Whether the same question may be answered later.
    package var isTransient: Bool {
        if case .unavailable = self { true } else { false }
    }
}
