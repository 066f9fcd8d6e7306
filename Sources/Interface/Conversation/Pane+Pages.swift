import Messages
import Timeline

/// Pages are asked for here and nowhere else: where the viewport or the messages under it moved, and where a load that
/// failed is tried again.
extension Pane {
    typealias Edge = Pager<Messages.Cursor>.Side

    /// The viewport moved, or the messages under it did: the messages on the screen are new no more, and the edges that
    /// are near ask for pages. Every function that moves either calls it at its end.
    mutating func viewportMoved() -> [Effect] {
        guard opening == .shown else { return [] }
        seeNewBelow()
        return load { $0.loads() }
    }

    /// The user tries a failed load again.
    mutating func retry(_ edge: Edge) -> [Effect] { load { [$0.retry(edge)].compactMap(\.self) } }

    /// The pause after a failed load is over.
    mutating func retry(_ ticket: Pager<Messages.Cursor>.Ticket) -> [Effect] {
        load { [$0.retry(ticket)].compactMap(\.self) }
    }

    /// Whether an edge would ask for a page now. It would not, unless a function that moves the viewport forgot to say so.
    var wantsPages: Bool {
        var timeline = timeline
        return opening == .shown && !timeline.loads().isEmpty
    }

    /// Whether a page or a list is on its way that may have been read before what is told now.
    var isLoading: Bool {
        pending != nil
            || Edge.allCases.contains { if case .loading = timeline.pager.state(of: $0) { true } else { false } }
    }

    private mutating func load(_ begin: (inout Timeline<MessageRuler>) -> [Pager<Messages.Cursor>.Output]) -> [Effect] {
        forgetOverruled()
        return begin(&timeline).compactMap(effect)
    }

    /// The changes from before the first request cannot overrule its page.
    mutating func forgetOverruled() { if !isLoading { changes.forget() } }

    private func effect(_ output: Pager<Messages.Cursor>.Output) -> Effect? {
        guard let conversation else { return nil }
        let (load, position, limit): (_, PageRequest.Position, _) =
            switch output {
            case .onPrepend(let load, let cursor, let limit): (load, .before(cursor), limit)
            case .onAppend(let load, let cursor, let limit): (load, .after(cursor), limit)
            }
        return .loadPage(
            PageTicket(pane: number, load: load),
            PageRequest(conversation: conversation, thread: thread, position: position, limit: limit))
    }

    /// The messages on the screen are new no more.
    private mutating func seeNewBelow() {
        if timeline.viewport.isFollowing { newBelow = NewBelow() }
        guard newBelow.first != nil, let last = timeline.visibleIndices.last else { return }
        for index in (0...last).reversed() {
            if newBelow.see(upTo: timeline.list[index].id) { return }
        }
    }
}
