import Messages
import Timeline

/// The search in all conversations.
extension Model {
    /// - Parameters:
    ///   - words: of another search; nil for those that it had.
    ///   - link: the hit of that search.
    mutating func openSearch(words: String? = nil, near link: Link? = nil) -> [Effect] {
        panel = .search
        return [.loadConversations(summaries: false, read: ReadStates())]
            + inSearch { $0.open(words: words, near: link, in: $1) }
    }

    /// Tab: the same words here or everywhere. Esc brings back the screen from before the first of both.
    mutating func toggleScope() -> [Effect] {
        if panel == .find, let find {
            let isAtHit = finding.isAtHit(pane.selectedPlaces)
            let link = conversation.flatMap { conversation in
                timeline.selection.map { Link(conversation: conversation.id, message: $0) }
            }
            let words = find.field.text
            let effects = carryOut(handle(.action(.cancel)))
            return effects + openSearch(words: words.isEmpty ? nil : words, near: isAtHit ? link : nil)
        }
        guard panel == .search, opening == .shown else { return [] }
        let words = search.field.text
        let effects = carryOut(handle(.action(.cancel)))
        openFind(towards: .newer)
        return effects + carryOut(finding.take(words)) + finishTyping()
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
