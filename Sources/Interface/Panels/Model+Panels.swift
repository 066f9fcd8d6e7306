/// The component of each panel, and its view.
extension Model {
    /// Gives an event to the open panel.
    mutating func handle(_ event: PanelEvent) -> [Outcome] {
        let context = context
        return switch panel {
        case nil: []
        case .find: finding.handle(event, in: context)
        case .search: search.handle(event, in: context)
        case .switcher: switcher.handle(event, in: context)
        case .prompt: prompt?.handle(event, in: context) ?? []
        case .composer: writing.handle(event, in: context)
        case .commands: commands.handle(event, in: context)
        case .sheet: sheet?.handle(event, in: context) ?? []
        case .picture: pictures.handle(event, in: context)
        }
    }

    /// The view of the open panel; nil when none is open.
    var panelView: PanelView? {
        switch panel {
        case nil: nil
        case .find: finding.view(in: context)
        case .search:
            .screen(
                SearchView(
                    search, directory: directory, looks: looks, newElsewhere: newElsewhere,
                    hasConversation: opening == .shown, on: listScreen
                ).frame
            )
        case .switcher:
            .screen(
                SwitcherView(
                    switcher, preview: switcherPreview, drafts: writing.drafts, reading: reading,
                    looks: looks, hasConversation: opening != .nothing, on: listScreen
                ).frame)
        case .prompt: prompt?.view(in: context)
        case .composer: .composer
        case .commands: .screen(CommandsView(commands, on: listScreen).frame)
        case .sheet: sheet.map { .screen($0.frame(on: listScreen, in: context, looks: looks)) }
        case .picture: .screen(PictureView(pictures, size: size, notice: statusNotice, keymap: keymap).frame)
        }
    }

    /// The screen for a list that covers the conversation.
    private var listScreen: ListScreen {
        ListScreen(
            size: size, grid: grid, keymap: keymap, notice: statusNotice ?? taskStatus(), nextTry: sheetRetries.words,
            now: now, zone: zone)
    }

    /// Closes a panel that belongs to the conversation: the composer, or a question about a message.
    mutating func closePanelOfConversation() {
        if panel == .composer || prompt?.isAboutMessage == true { panel = nil }
    }
}
