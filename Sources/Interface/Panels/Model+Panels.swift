/// Which component an open panel is, and how it is drawn.
extension Model {
    /// Brings an event to the component that has the keys.
    mutating func handle(_ event: PanelEvent) -> [Outcome] {
        let context = context
        return switch panel {
        case nil: []
        case .find: finding.handle(event, in: context)
        case .search: search.handle(event, in: context)
        case .switcher: switcher.handle(event, in: context)
        case .prompt: prompt?.handle(event, in: context) ?? []
        case .composer: writing.handle(event, in: context)
        }
    }

    /// The look of the open panel; nil when none is open.
    var panelView: PanelView? {
        switch panel {
        case nil: nil
        case .find: finding.view(in: context)
        case .search:
            .screen(
                SearchView(search, directory: directory, looks: looks, newElsewhere: newElsewhere, on: listScreen).frame
            )
        case .switcher:
            .screen(SwitcherView(switcher, drafts: writing.drafts, elsewhere: reading.elsewhere, on: listScreen).frame)
        case .prompt: prompt?.view(in: context)
        case .composer: .composer
        }
    }

    /// The screen under a list that lies over the conversation.
    private var listScreen: ListScreen {
        ListScreen(size: size, grid: grid, keymap: keymap, notice: notice?.span, now: now, zone: zone)
    }

    /// A question about a message, or a text for the conversation, is left with the conversation.
    mutating func closePanelOfConversation() {
        if panel == .composer || prompt?.isAboutMessage == true { panel = nil }
    }
}
