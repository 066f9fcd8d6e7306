import Display
import Messages
import Timeline

/// Rooms of a server that the user joins and leaves.
struct Membership: Sendable {
    /// The address of the room that is being joined, and its name for the user. The conversation is opened when it arrives.
    var joining: (address: String, name: String)?
    /// A conversation to open as soon as the list of conversations is known.
    var wanted: ConversationID?
    /// The conversation that was replaced while it was on the screen, until the next action of the user. Its last row stays in
    /// place until then.
    var justMoved: ConversationID?
    /// The IDs of the invitations that the user was told about.
    var told: Set<String> = []
    /// True once the first list of invitations has come: later ones are new.
    var isListed = false
}

/// Asks if the user accepts an invitation: `y` accepts it, `n` declines it.
struct InvitationPrompt: Prompt {
    let invitation: Invitation

    var takesText: Bool { false }
    var isAboutMessage: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        // Without a conversation, only the list is left to go back to.
        let back: [Outcome] = context.hasConversation ? [.close] : [.close, .perform(.switcher)]
        switch key {
        case .character("y"): return back + [.list(.join(invitation.id, name: invitation.name))]
        case .character("n"): return back + [.effect(.ask(.decline(invitation)))]
        default: return back
        }
    }

    /// `Boat ho… (Ana): y joins, n declines`
    private func short(_ columns: Int) -> CleanText {
        let room = max(4, (columns - 26) / 2)
        let sender = invitation.sender.map { CleanText($0.name).truncated(to: room) } ?? "?"
        return CleanText(invitation.name).truncated(to: room) + " (" + sender + "): y joins, n declines"
    }

    func view(in context: Context) -> PanelView {
        let columns = context.size.columns
        guard columns >= 60 else { return .question(short(columns)) }
        // Anybody can choose any name, so the ID is shown too.
        let sender = invitation.sender.map {
            columns >= 100 && $0.name != $0.id.rawValue ? "\($0.name) (\($0.id))" : $0.name
        }
        let name = CleanText(invitation.title ?? "a room").truncated(to: max(8, columns / 4))
        let space = invitation.isToSpace ? "the space " : ""
        let who = CleanText(sender.map { "\($0) invites" } ?? "somebody invites").truncated(to: max(8, columns / 2))
        return .question(
            who + CleanText(" you to \(space)") + name + CleanText(": y accepts, n declines, any other key waits"))
    }
}
