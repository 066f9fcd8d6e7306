import Messages

/// All known conversations by their IDs.
struct Directory: Sendable {
    let current: Conversation?
    let listed: [ConversationID: ConversationSummary]
    let visited: [ConversationID: Conversation]

    var conversations: [Conversation] { listed.values.map(\.conversation) + [current].compactMap(\.self) }

    /// The members of all known conversations.
    var people: Set<Person> { Set(conversations.flatMap(\.members)) }

    /// A conversation that is not known gets its ID for a title.
    func conversation(_ id: ConversationID) -> Conversation {
        if let current, current.id == id { return current }
        return listed[id]?.conversation ?? visited[id] ?? Conversation(id: id, title: id.rawValue, topic: nil)
    }
}
