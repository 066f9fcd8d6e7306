import Messages

/// The search in all conversations.
extension Model {
    mutating func openSearch() -> [Effect] {
        panel = .search
        return [.loadConversations(summaries: false, read: ReadStates())] + inSearch { $0.open(in: $1) }
    }

    mutating func inSearch(_ body: (inout SearchPanel, Context) -> [Outcome]) -> [Effect] {
        let context = context
        return carryOut(body(&search, context))
    }

    /// A closed search asks for nothing.
    mutating func inOpenSearch(_ body: (inout SearchPanel, Context) -> [Outcome]) -> [Effect] {
        panel == .search ? inSearch(body) : []
    }
}
