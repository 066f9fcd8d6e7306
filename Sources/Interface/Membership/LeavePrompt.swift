import Display
import Messages

/// Asks whether to leave a room. Only `y` leaves it.
struct LeavePrompt: Prompt {
    let conversation: Conversation

    init(_ conversation: Conversation) { self.conversation = conversation }

    var takesText: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        return key == .character("y") ? [.close, .effect(.leave(conversation))] : [.close]
    }

    func view(in context: Context) -> PanelView {
        let name = CleanText(conversation.title).truncated(to: max(8, context.size.columns / 3))
        return .question(
            CleanText("leave ") + name + "? y leaves it, any other key stays; its messages stay here", isWarning: true)
    }
}
