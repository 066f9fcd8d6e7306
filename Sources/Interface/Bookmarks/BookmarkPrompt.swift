import Display
import Messages

/// Asks for the letter of a new bookmark.
struct BookmarkPrompt: Prompt {
    let message: MessageID

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        guard case .character(let letter) = key else { return [.close] }
        guard letter.isLetter else { return [.close, .tell("a bookmark is a letter; nothing was set")] }
        return [.close, .bookmark(.set(letter, message))]
    }

    func view(in context: Context) -> PanelView {
        .question("bookmark: a letter for this conversation, a capital for the whole archive")
    }
}
