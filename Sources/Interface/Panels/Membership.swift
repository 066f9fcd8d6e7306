import Display
import Messages
import Timeline

/// Rooms of a server that the user joins and leaves.
struct Membership: Sendable {
    /// The room that is being joined, by its address, and its name for people. Its conversation is opened when it comes.
    var joining: (address: String, name: String)?
    /// A conversation that is opened as soon as the list of conversations is known.
    var wanted: ConversationID?
    /// The conversation whose people have moved while it was on the screen, until the user does something: only then its last row may
    /// move.
    var justMoved: ConversationID?
    /// The invitations of which the user has been told.
    var told: Set<String> = []
    /// Whether the invitations were asked for before: those that come later are new.
    var isListed = false
}

/// Asks whether an invitation is accepted. `y` accepts it, `n` declines it.
struct InvitationPrompt: Prompt {
    let invitation: Invitation

    init(_ invitation: Invitation) { self.invitation = invitation }

    var takesText: Bool { false }
    var isAboutMessage: Bool { false }

    func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        guard case .key(let key) = event else { return [] }
        // Without a conversation there is nothing to go back to but the list.
        let back: [Outcome] = context.hasConversation ? [.close] : [.close, .perform(.switcher)]
        switch key {
        case .character("y"): return back + [.join(invitation.id, name: invitation.name)]
        case .character("n"): return back + [.effect(.decline(invitation))]
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
        // Names are what their bearers like: the ID tells who it is.
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

/// Invitations, and rooms that are joined, left, and followed where people have moved.
extension Model {
    // MARK: - Joining and leaving

    /// Joins a room. Its conversation is opened when it is here, unless the user does something else meanwhile.
    mutating func join(_ address: String, name: String) -> [Effect] {
        membership.joining = (address, name)
        // Without a conversation there is nothing below the list.
        if panel == .switcher, opening != .nothing { panel = nil }
        tell("joining \(name)…")
        return [.join(address)]
    }

    mutating func receive(joined result: Result<Conversation?, StoreError>, at address: String) -> [Effect] {
        let wanted = membership.joining?.address == address ? membership.joining : nil
        if wanted != nil { membership.joining = nil }
        switch result {
        case .failure(let error):
            warn(error.reason)
            if wanted != nil { dropHeld() }
        case .success(nil):
            tell("joined \(wanted?.name ?? address): a space; its conversations stand under its name")
            if wanted != nil { dropHeld() }
        case .success(let conversation?):
            guard wanted != nil, panel == nil || panel == .switcher else {
                tell("joined \(conversation.title); \(keymap.keyName(.switcher)) leads there")
                return []
            }
            // It says that the room is being joined.
            if notice?.isWarning == false { notice = nil }
            return carryOut([.close, .openConversation(conversation)])
        }
        return []
    }

    mutating func receive(declined invitation: Invitation, _ result: Result<Void, StoreError>) {
        switch result {
        case .success: tell("declined the invitation to \(invitation.name)")
        case .failure(let error): warn(error.reason)
        }
    }

    mutating func askToLeave() {
        guard let conversation else { return }
        guard preferences.canJoin else {
            return warn("this archive has no server, so there is no room to leave")
        }
        ask(LeavePrompt(conversation))
    }

    mutating func receive(left conversation: Conversation, _ result: Result<Void, StoreError>) {
        switch result {
        case .success: tell("you have left \(conversation.title); its messages stay here")
        case .failure(let error): warn(error.reason)
        }
    }

    // MARK: - The list

    /// Takes the invitations that there are, and tells of new ones.
    mutating func receive(_ invitations: [Invitation]) -> [Effect] {
        switcher.take(invitations)
        let new = invitations.filter { !membership.told.contains($0.id) }
        membership.told.formUnion(new.map(\.id))
        defer { membership.isListed = true }
        guard membership.isListed, let last = new.last else { return [] }
        let sender = last.sender?.name ?? "somebody"
        let place = last.title.map { " to \($0)" } ?? ""
        if notice?.isWarning != true { tell("\(sender) invites you\(place); \(keymap.keyName(.switcher)) lists it") }
        return [.notify(from: sender, text: "invites you\(place)")]
    }

    /// The list has changed on the server. Summaries that are on their way are asked for again, since they may lack conversations.
    mutating func listAgain() -> [Effect] {
        let needsSummaries = sidebar.isLoading || panel == .switcher && !switcher.isShown || trail.seeksUnread
        return [needsSummaries ? loadSummaries() : .loadConversations(summaries: false, read: ReadStates())]
    }

    // MARK: - Rooms that have moved

    /// The ends of the conversation whose rows lead to another one.
    var moves: Set<Pane.Edge> {
        var sides: Set<Pane.Edge> = []
        if conversation?.predecessor != nil { sides.insert(.older) }
        if conversation?.successor != nil { sides.insert(.newer) }
        return sides
    }

    var hasLinkBelow: Bool { conversation?.successor != nil && membership.justMoved != conversation?.id }

    /// Takes what is new about the conversation on the screen.
    mutating func rename(_ named: Conversation) {
        if let conversation, conversation.successor == nil, named.successor != nil {
            membership.justMoved = named.id
            tell("people have moved to another room; \(keymap.keyName(.activate)) at the end goes there")
        }
        conversation = named
    }

    mutating func followMove(_ side: Pane.Edge) -> [Effect] {
        guard let conversation else { return [] }
        guard side == .newer else { return conversation.predecessor.map { visit(listed: $0) } ?? [] }
        guard let successor = conversation.successor else { return [] }
        if let id = successor.conversation { return visit(listed: id) }
        guard preferences.canJoin else { return warnOfFarMove() }
        return join(successor.address, name: "the room to which people have moved")
    }

    /// Opens a conversation of which more than the ID has to be known: where its people came from, or went.
    private mutating func visit(listed id: ConversationID) -> [Effect] {
        if let conversation = switcher.conversation(id) { return visit(conversation) }
        membership.wanted = id
        return [.loadConversations(summaries: false, read: ReadStates())]
    }

    /// The list of conversations has come.
    mutating func visitWanted() -> [Effect] {
        guard let id = membership.wanted else { return [] }
        membership.wanted = nil
        guard let conversation = switcher.conversation(id) else {
            warn("the conversation \(id) is not here")
            dropHeld()
            return []
        }
        return visit(conversation)
    }

    private mutating func warnOfFarMove() -> [Effect] {
        warn("the room to which people have moved is not here")
        return []
    }
}
