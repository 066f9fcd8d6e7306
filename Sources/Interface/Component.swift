/// A part of the screen that takes the keys while it is open: its state, the way in which events change it, and
/// outcomes for what concerns more than itself.
protocol Component: Sendable {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome]
}

extension Model {
    /// Brings an event to the component that has the keys: a line for each.
    mutating func handle(_ event: PanelEvent) -> [Outcome] {
        let context = context
        switch panel {
        case .composer: return handleInComposer(event, context)
        case .find: return find?.handle(event, in: context) ?? []
        case .prompt: return prompt?.handle(event, in: context) ?? []
        case .search: return search.handle(event, in: context)
        case .switcher: return switcher.handle(event, in: context)
        case nil: return []
        }
    }

    private mutating func handleInComposer(_ event: PanelEvent, _ context: Context) -> [Outcome] {
        // In its place: a copy of a megabyte takes its time.
        guard let place = writingPlace else { return [.close] }
        return writing.composers[place]?.handle(event, in: context) ?? [.close]
    }
}
