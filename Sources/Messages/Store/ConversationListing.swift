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
