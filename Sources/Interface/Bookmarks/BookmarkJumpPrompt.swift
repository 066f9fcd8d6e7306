import Display

/// Asks for the letter of the bookmark to go to.
struct BookmarkJumpPrompt: Prompt {
    var takesText: Bool { false }
    var isAboutMessage: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        switch key {
        case _ where context.keymap.action(for: key) == .goToBookmark: return [.close, .bookmark(.goBack)]
        case .enter: return [.close, .perform(.bookmarks)]
        case .character(let letter): return [.close, .bookmark(.go(letter))]
        default: return [.close]
        }
    }

    func view(in context: Context) -> PanelView {
        .question("go to bookmark: its letter · \(context.keymap.keyName(.goToBookmark)) goes back · Enter lists them")
    }
}
