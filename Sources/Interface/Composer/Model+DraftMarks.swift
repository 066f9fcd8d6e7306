import Display
import Messages

/// Marks of drafts for the status line.
extension Model {
    /// `draft`: in the conversation on the screen. Nil for none.
    var draftMark: Span? {
        guard let id = conversation?.id, writing.drafts.contains(id) else { return nil }
        return Span(draftMark: "draft")
    }

    /// `draft in Dev`, `drafts in 2 conversations`. Nil for none.
    var draftsElsewhere: Span? {
        let others = writing.drafts.subtracting([conversation?.id].compactMap(\.self))
        guard let first = others.first else { return nil }
        if others.count > 1 { return Span(draftMark: "drafts in \(others.count) conversations") }
        // A conversation that has not been listed has no title yet, and its ID may say nothing.
        return Span(draftMark: title(of: first).map { "draft in \($0)" } ?? "draft elsewhere")
    }

    /// Nil as long as only the ID is known.
    private func title(of id: ConversationID) -> String? {
        switcher.conversation(id)?.title ?? trail.visited[id]?.title
    }
}
