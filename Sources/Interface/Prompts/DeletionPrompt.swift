import Display
import Messages

/// Asks whether to delete a message. Only `y` deletes it.
struct DeletionPrompt: Prompt {
    let message: MessageID

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        return key == .character("y") ? [.close, .delete(message)] : [.close]
    }

    func view(in context: Context) -> PanelView {
        .question("delete this message? y deletes it, any other key keeps it", isWarning: true)
    }
}
