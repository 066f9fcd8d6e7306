import Display
import Messages

/// The question whether a message is to be deleted: only `y` says so.
struct DeletionPrompt: Prompt {
    let message: MessageID

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        return key == .character("y") ? [.close, .delete(message)] : [.close]
    }

    func view(in context: Context) -> PanelView {
        .question("delete this message? y deletes it, any other key leaves it")
    }
}
