import Messages

/// The conversations by their IDs, as far as they are known.
struct Directory: Sendable {
    let current: Conversation?
    let listed: [ConversationID: ConversationSummary]
    let visited: [ConversationID: Conversation]

    /// A conversation that is not known has its ID for a title.
    func conversation(_ id: ConversationID) -> Conversation {
        if let current, current.id == id { return current }
        return listed[id]?.conversation ?? visited[id] ?? Conversation(id: id, title: id.rawValue, topic: nil)
    }
}
