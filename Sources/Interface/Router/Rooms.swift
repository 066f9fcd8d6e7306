import Display
import Messages
import Timeline

/// The list of conversations at the left, and steps from one conversation to the next.
extension Model {
    /// The columns of the list; 0 while it is hidden.
    var sidebarColumns: Int { rooms.sidebar.columns(on: size) }

    /// The rows of the list: those of the day and of the messages.
    private var sidebarRows: Int { rows.day + rows.messages }

    /// The lines of the list; nil while it is hidden.
    var sidebarLines: [Line]? {
        let columns = sidebarColumns
        guard columns > 0 else { return nil }
        let view = SidebarView(
            sidebar: rooms.sidebar, current: conversation?.id, drafts: writing.drafts, facts: sidebarFacts,
            columns: columns,
            height: sidebarRows)
        return view.lines
    }

    private func sidebarFacts(_ id: ConversationID) -> SidebarView.Facts {
        SidebarView.Facts(
            title: rooms.switcher.namesakes.title(of: known(id)), unread: reading.shown(unread(in: id), in: id),
            isDim: reading.isDim(known(id)))
    }

    private func unread(in id: ConversationID) -> Unread {
        let elsewhere = reading.elsewhere[id]
        // In the conversation on the screen, only messages below the screen are new, unless the user has marked messages as
        // unread.
        if id == conversation?.id, !reading.isHeld {
            return Unread(count: main.newCount, mentions: elsewhere?.unread.mentions ?? 0)
        }
        return rooms.switcher.summary(of: id)?.unread(with: elsewhere) ?? elsewhere?.unread ?? Unread()
    }

    /// Requests the conversations and their new messages, once, after the first list of messages was shown.
    mutating func fillSidebar() -> [Effect] {
        guard sidebarColumns > 0, !rooms.sidebar.isLoaded, !rooms.sidebar.isLoading, main.opening == .shown,
            panel != .switcher
        else {
            return []
        }
        rooms.sidebar.isLoading = true
        return [loadSummaries()]
    }

    mutating func toggleSidebar() {
        guard !main.grid.isPlain else {
            tell(
                "there is no list beside the messages in plain mode; \(keymap.keyName(.switcher)) lists the conversations"
            )
            return
        }
        rooms.sidebar.isHidden.toggle()
        if !rooms.sidebar.isHidden { rooms.sidebar.sort() }
        if size.columns < Sidebar.leastScreen {
            rooms.sidebar.isHidden = false
            tell(
                "the list of conversations needs \(Sidebar.leastScreen) columns; \(keymap.keyName(.switcher)) lists them here"
            )
        } else if let id = conversation?.id {
            rooms.sidebar.reveal(id, height: sidebarRows)
        }
    }

    // MARK: - Steps

    /// Goes to another conversation of the list, as soon as the list is known.
    mutating func step(_ step: Sidebar.Step) -> [Effect] {
        guard rooms.sidebar.order.isEmpty else { return take(step) }
        rooms.sidebar.wanted = step
        return leaveText() + (rooms.sidebar.isLoading ? [] : [listConversations()])
    }

    /// Fills the list with conversations.
    mutating func fillSidebar(with conversations: [Conversation]) -> [Effect] {
        rooms.sidebar.take(conversations, rooms.switcher.invitations)
        if let id = conversation?.id { rooms.sidebar.reveal(id, height: sidebarRows) }
        guard let wanted = rooms.sidebar.wanted else { return [] }
        rooms.sidebar.wanted = nil
        return take(wanted)
    }

    private mutating func take(_ step: Sidebar.Step) -> [Effect] {
        guard let id = rooms.sidebar.target(of: step, from: pending?.conversation.id ?? conversation?.id) else {
            if case .row(let row) = step { tell("there is no conversation \(row + 1)") }
            dropHeld()
            return []
        }
        return visit(known(id))
    }

    // MARK: - Mouse

    /// - Returns: nil if the action is not for the list.
    mutating func useSidebar(_ mouse: Mouse) -> [Effect]? {
        let columns = sidebarColumns
        let (row, column) = (mouse.position.row - rows.title, mouse.position.column)
        switch mouse.action {
        case .drag where rooms.sidebar.isDragging:
            rooms.sidebar.drag(to: column)
            return []
        case .release where rooms.sidebar.isDragging:
            rooms.sidebar.isDragging = false
            return []
        case .press:
            guard column < columns, (0..<sidebarRows).contains(row) else { return nil }
            guard column < columns - 1 else {
                rooms.sidebar.isDragging = true
                return []
            }
            let visible = rooms.sidebar.visible(height: sidebarRows)
            guard row < visible.count else { return [] }
            switch rooms.sidebar.items[visible.lowerBound + row] {
            case .conversation(let id): return visit(known(id))
            case .invitation(let invitation):
                layers.ask(InvitationPrompt(invitation: invitation))
                return []
            case .heading: return []
            }
        case .wheelUp, .wheelDown:
            guard column < columns, let rows = mouse.wheelRows else { return nil }
            rooms.sidebar.scroll(by: rows, height: sidebarRows)
            return []
        case .drag, .release: return nil
        }
    }
}

/// The list of conversations.
extension Model {
    mutating func openSwitcher() -> [Effect] {
        layers.panel = .switcher
        // While the first conversation is being opened, that is the current one.
        rooms.switcher.open(in: conversation?.id ?? main.pending?.conversation.id, after: reader.trail.former)
        rooms.preview.forget()
        return [loadSummaries(), .wait(Switcher.grace, .pause(.switcher(rooms.switcher.epoch)))]
    }

    func loadSummaries() -> Effect {
        .ask(.conversations(summaries: true, reading.states), .conversations(epoch: rooms.switcher.epoch))
    }

    func listConversations() -> Effect {
        .ask(.conversations(summaries: false, ReadStates()), .conversations(epoch: rooms.switcher.epoch))
    }

    mutating func receive(conversations result: Result<[Conversation], StoreError>) -> [Effect] {
        switch result {
        case .success(let conversations):
            rooms.switcher.take(conversations)
            nameConversation()
            let effects = inSearch { search, context in
                search.nameResults(in: context)
                return []
            }
            return effects + fillSidebar(with: conversations) + visitWanted()
        case .failure(let error): return failToList(error)
        }
    }

    /// Applies newly loaded data, such as the title, to a conversation that was shown by its ID.
    private mutating func nameConversation() {
        if let id = conversation?.id, let named = rooms.switcher.conversation(id) { rename(named) }
        if let id = pending?.conversation.id, let named = rooms.switcher.conversation(id) {
            reader.pane.pending?.conversation = named
        }
    }

    /// Handles a list that could not be loaded: it is requested again, after a pause or by Enter.
    private mutating func failToList(_ error: StoreError) -> [Effect] {
        let again = rooms.switcher.retries.fail(error, .conversations(epoch: rooms.switcher.epoch))
        // Another try is made when the user opens the switcher.
        (rooms.sidebar.isLoading, rooms.sidebar.isLoaded) = (false, true)
        // An earlier list stays.
        if !rooms.switcher.isEmpty { rooms.switcher.isShown = true }
        if reader.trail.seeksUnread || rooms.sidebar.wanted != nil || rooms.membership.wanted != nil {
            (reader.trail.seeksUnread, rooms.sidebar.wanted, rooms.membership.wanted) = (false, nil, nil)
            warn("the conversations are not loaded: \(error)")
            dropHeld()
        }
        guard panel == .switcher else { return [] }
        if again == nil { dropHeld() }
        return [again].compactMap(\.self)
    }

    /// Opens the conversation that the user has made.
    mutating func receive(made result: Result<Conversation?, StoreError>) -> [Effect] {
        switch result {
        case .success(let conversation):
            guard panel == .switcher, rooms.switcher.isMaking, let conversation else { return [loadSummaries()] }
            rooms.switcher.isMaking = false
            return carryOut([.close, .go(nil, in: conversation)]) + [loadSummaries()]
        case .failure(let error):
            rooms.switcher.isMaking = false
            warn(error.description)
            dropHeld()
            return []
        }
    }

    mutating func retryConversations(_ epoch: Int) -> [Effect] {
        guard panel == .switcher, rooms.switcher.epoch == epoch, rooms.switcher.retries.reason != nil else { return [] }
        return [loadSummaries()]
    }

    mutating func receive(summary result: Result<ConversationSummary, StoreError>) {
        switch result {
        case .success(let summary): rooms.switcher.take(summary)
        case .failure(let error): warn(error.description)
        }
    }

    mutating func endSummaries() -> [Effect] {
        rooms.switcher.finish(reading)
        (rooms.sidebar.isLoading, rooms.sidebar.isLoaded) = (false, true)
        scrollSwitcher()
        guard reader.trail.seeksUnread else { return [] }
        let unread = rooms.switcher.firstUnread(besides: conversation?.id) { [reading] in reading.shown($1, in: $0) }
        return inReader { $0.goToUnread(unread, $1) }
    }

    mutating func scrollSwitcher() { rooms.switcher.scroll(height: Switcher.height(size, on: reader.panes.main.grid)) }

    // MARK: - Preview

    /// Requests the end of the selected conversation, if there is room for it.
    mutating func previewSwitcher() -> [Effect] {
        guard panel == .switcher, rooms.switcher.isShown else { return [] }
        let link = rooms.switcher.selectedConversation.map { Link(conversation: $0.id, message: nil) }
        let context = context
        let request = rooms.preview.want(link, in: context)
        return request.map { [.ask(.page($0), .preview(epoch: Switcher.previewEpoch))] } ?? []
    }

    mutating func receiveSwitcherPreview(_ result: Result<Page, StoreError>) -> [Effect] {
        let context = context
        rooms.preview.receive(result, in: context)
        guard case .failure(let error) = result, panel == .switcher else { return [] }
        return [rooms.preview.retryLater(error, .preview(epoch: Switcher.previewEpoch))].compactMap(\.self)
    }

    func retrySwitcherPreview() -> [Effect] {
        guard panel == .switcher, let request = rooms.preview.wanted else { return [] }
        return [.ask(.page(request), .preview(epoch: Switcher.previewEpoch))]
    }
}

/// Invitations, and rooms that are joined, left, or replaced.
extension Model {
    // MARK: - Joining and leaving

    /// Joins a room. The conversation is opened when it arrives, unless the user does something else meanwhile.
    mutating func join(_ address: String, name: String) -> [Effect] {
        rooms.membership.joining = (address, name)
        // Without a conversation there is nothing to show instead of the list.
        if panel == .switcher, opening != .nothing { layers.panel = nil }
        tell("joining \(name)…")
        return [.ask(.join(address))]
    }

    mutating func receive(joined result: Result<Conversation?, StoreError>, at address: String) -> [Effect] {
        let wanted = rooms.membership.joining?.address == address ? rooms.membership.joining : nil
        if wanted != nil { rooms.membership.joining = nil }
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
            // The notice says that the room is being joined.
            if notice?.isWarning == false { notice = nil }
            return carryOut([.close, .go(nil, in: conversation)])
        }
        return []
    }

    /// Tells that a request is done, or the reason why it is not.
    mutating func report(_ result: Result<Void, StoreError>, _ text: String) {
        switch result {
        case .success: tell(text)
        case .failure(let error): warn(error.reason)
        }
    }

    mutating func askToLeave() {
        guard let conversation else { return }
        guard preferences.canJoin else {
            return warn("this archive has no server, so there is no room to leave")
        }
        layers.ask(Permission.toLeave(conversation))
    }

    // MARK: - The list

    /// Handles the current invitations, and shows new ones.
    mutating func receive(_ invitations: [Invitation]) -> [Effect] {
        rooms.switcher.take(invitations)
        let new = invitations.filter { !rooms.membership.told.contains($0.id) }
        rooms.membership.told.formUnion(new.map(\.id))
        defer { rooms.membership.isListed = true }
        guard rooms.membership.isListed, let last = new.last else { return [] }
        let sender = last.sender?.name ?? "somebody"
        let place = last.title.map { " to \($0)" } ?? ""
        if notice?.isWarning != true { tell("\(sender) invites you\(place); \(keymap.keyName(.switcher)) lists it") }
        return [.notify(from: sender, text: "invites you\(place)")]
    }

    /// Handles a change of the list on the server. Summaries that have been requested are requested again, since the
    /// response may lack conversations.
    mutating func listAgain() -> [Effect] {
        let needsSummaries =
            rooms.sidebar.isLoading || panel == .switcher && !rooms.switcher.isShown || reader.trail.seeksUnread
        return [needsSummaries ? loadSummaries() : listConversations()]
    }

    // MARK: - Rooms that have moved

    /// The ends of the conversation whose rows lead to another one.
    var moves: Set<Pane.Side> {
        var sides: Set<Pane.Side> = []
        if conversation?.predecessor != nil { sides.insert(.older) }
        if conversation?.successor != nil { sides.insert(.newer) }
        return sides
    }

    var hasLinkBelow: Bool { conversation?.successor != nil && rooms.membership.justMoved != conversation?.id }

    /// Applies newly loaded data about the conversation on the screen.
    mutating func rename(_ named: Conversation) {
        if let conversation, conversation.successor == nil, named.successor != nil {
            rooms.membership.justMoved = named.id
            tell("people have moved to another room; \(keymap.keyName(.activate)) at the end goes there")
        }
        reader.conversation = named
    }

    mutating func followMove(_ side: Pane.Side) -> [Effect] {
        guard let conversation else { return [] }
        guard side == .newer else { return conversation.predecessor.map { visit(listed: $0) } ?? [] }
        guard let successor = conversation.successor else { return [] }
        if let id = successor.conversation { return visit(listed: id) }
        guard preferences.canJoin else {
            warn("the room to which people have moved is not here")
            return []
        }
        return join(successor.address, name: "the room to which people have moved")
    }

    /// Opens the conversation that replaces this one, or that this one replaced, once it is listed.
    private mutating func visit(listed id: ConversationID) -> [Effect] {
        if let conversation = rooms.switcher.conversation(id) { return visit(conversation) }
        rooms.membership.wanted = id
        return [listConversations()]
    }

    /// Opens the wanted conversation, when the list of conversations has come.
    mutating func visitWanted() -> [Effect] {
        guard let id = rooms.membership.wanted else { return [] }
        rooms.membership.wanted = nil
        guard let conversation = rooms.switcher.conversation(id) else {
            warn("the conversation \(id) is not here")
            dropHeld()
            return []
        }
        return visit(conversation)
    }
}
