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
            let isAtHit = finding.isAtHit(in: main)
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

    /// Goes on with a search everywhere in the next conversation of its list, or in the one before.
    mutating func goOnElsewhere(_ direction: Find.Direction) -> [Effect] {
        guard let words = find?.field.text, let here = conversation,
            let (hit, isWrapped) = search.hit(beyond: here.id, direction)
        else { return [] }
        let next = known(hit.conversation)
        let effects = go(to: .found(hit.message, words: words), in: next)
        tell("no more in \(here.title), on to \(next.title)\(isWrapped ? " · search wrapped" : "")")
        return effects
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
