import Display
import Messages
import Timeline

/// The lists of conversations: the one at the left, the switcher that covers the screen, and the rooms that the user joins and
/// leaves. A step or a room that the user has asked for waits here until the list has come.
struct ConversationLists: Sendable {
    var switcher = Switcher()
    /// The preview in the switcher: the end of the selected conversation.
    var preview = LinkPreview()
    var sidebar = Sidebar()
    var membership = Membership()

    /// Cancels what waits for a list or a room, since the user begins to do something here.
    mutating func giveUp() {
        sidebar.wanted = nil
        (membership.wanted, membership.joining) = (nil, nil)
        switcher.isMaking = false
    }

    // MARK: - Names for the user

    /// The name of the conversation that the switcher makes or joins.
    var awaitedInSwitcher: String? { switcher.isMaking ? "the new conversation" : membership.joining?.name }

    /// The name of the list if a step or a room waits for it.
    var awaitedList: String? {
        membership.wanted != nil || sidebar.wanted != nil ? "the list of conversations" : nil
    }

    // MARK: - Requests

    func loadSummaries(in context: Context) -> Outcome {
        .effect(.ask(.conversations(summaries: true, context.reading.states), .conversations(epoch: switcher.epoch)))
    }

    var loadTitles: Outcome {
        .effect(.ask(.conversations(summaries: false, ReadStates()), .conversations(epoch: switcher.epoch)))
    }

    /// - Parameter height: the rows of the list at the left.
    mutating func receive(
        _ result: Result<[Conversation], StoreError>, height: Int, in context: Context
    ) -> [Outcome] {
        switch result {
        case .success(let conversations):
            switcher.take(conversations)
            return tellOfMove(in: context) + [.list(.named)]
                + fillSidebar(with: conversations, height: height, in: context) + visitWanted()
        case .failure(let error): return fail(error, in: context)
        }
    }

    /// Handles a list that could not be loaded: it is requested again, after a pause or by Enter.
    private mutating func fail(_ error: StoreError, in context: Context) -> [Outcome] {
        let again = switcher.retries.fail(error, .conversations(epoch: switcher.epoch))
        // Another try is made when the user opens the switcher.
        (sidebar.isLoading, sidebar.isLoaded) = (false, true)
        // An earlier list stays.
        if !switcher.isEmpty { switcher.isShown = true }
        var outcomes: [Outcome] = []
        if context.trail.seeksUnread || sidebar.wanted != nil || membership.wanted != nil {
            (sidebar.wanted, membership.wanted) = (nil, nil)
            outcomes = [.list(.seekNoMore), .warn("the conversations are not loaded: \(error)"), .lost]
        }
        guard context.panel == .switcher else { return outcomes }
        return outcomes + [again.map { .effect($0) } ?? .lost]
    }

    mutating func receive(summary result: Result<ConversationSummary, StoreError>) -> [Outcome] {
        switch result {
        case .success(let summary): switcher.take(summary)
        case .failure(let error): return [.warn(error.description)]
        }
        return []
    }

    mutating func endSummaries(in context: Context) -> [Outcome] {
        switcher.finish(context.reading)
        (sidebar.isLoading, sidebar.isLoaded) = (false, true)
        scrollSwitcher(in: context)
        guard context.trail.seeksUnread else { return [] }
        let unread = switcher.firstUnread(besides: context.conversation?.id) { context.reading.shown($1, in: $0) }
        return [.list(.goToUnread(unread))]
    }

    /// Handles a change of the list on the server. Summaries that have been requested are requested again, since the
    /// response may lack conversations.
    func listAgain(in context: Context) -> [Outcome] {
        let isAwaited = context.panel == .switcher && !switcher.isShown
        let needsSummaries = sidebar.isLoading || isAwaited || context.trail.seeksUnread
        return [needsSummaries ? loadSummaries(in: context) : loadTitles]
    }
}

/// The list at the left, and steps from one conversation to the next.
extension ConversationLists {
    /// The lines of the list; nil while it is hidden.
    func sidebarLines(drafts: Set<ConversationID>, height: Int, in context: Context) -> [Line]? {
        let columns = sidebar.columns(on: context.size)
        guard columns > 0 else { return nil }
        let view = SidebarView(
            sidebar: sidebar, current: context.conversation?.id, drafts: drafts, facts: { facts(of: $0, in: context) },
            columns: columns, height: height)
        return view.lines
    }

    private func facts(of id: ConversationID, in context: Context) -> SidebarView.Facts {
        let conversation = context.directory.conversation(id)
        return SidebarView.Facts(
            title: switcher.namesakes.title(of: conversation),
            unread: context.reading.shown(unread(in: id, context), in: id), isDim: context.reading.isDim(conversation))
    }

    private func unread(in id: ConversationID, _ context: Context) -> Unread {
        let elsewhere = context.reading.elsewhere[id]
        // In the conversation on the screen, only messages below the screen are new, unless the user has marked messages as
        // unread.
        if id == context.conversation?.id, !context.reading.isHeld {
            return Unread(count: context.main.newCount, mentions: elsewhere?.unread.mentions ?? 0)
        }
        return switcher.summary(of: id)?.unread(with: elsewhere) ?? elsewhere?.unread ?? Unread()
    }

    /// Requests the conversations and their new messages for the list at the left.
    mutating func loadSidebar(in context: Context) -> [Outcome] {
        sidebar.isLoading = true
        return [loadSummaries(in: context)]
    }

    /// True if the list at the left has not requested anything yet.
    var isSidebarEmpty: Bool { !sidebar.isLoaded && !sidebar.isLoading }

    mutating func toggleSidebar(height: Int, in context: Context) -> [Outcome] {
        let key = context.keymap.keyName(.switcher)
        guard !context.main.grid.isPlain else {
            return [.tell("there is no list beside the messages in plain mode; \(key) lists the conversations")]
        }
        sidebar.isHidden.toggle()
        if !sidebar.isHidden { sidebar.sort() }
        if context.size.columns < Sidebar.leastScreen {
            sidebar.isHidden = false
            let least = Sidebar.leastScreen
            return [.tell("the list of conversations needs \(least) columns; \(key) lists them here")]
        }
        if let id = context.conversation?.id { sidebar.reveal(id, height: height) }
        return []
    }

    /// Goes to another conversation of the list, as soon as the list is known.
    mutating func step(_ step: Sidebar.Step, in context: Context) -> [Outcome] {
        guard sidebar.order.isEmpty else { return take(step, in: context) }
        sidebar.wanted = step
        // The next keys are meant for the other conversation.
        let leaving: [Outcome] = context.panel == .composer ? [.compose(.leave)] : []
        return leaving + (sidebar.isLoading ? [] : [loadTitles])
    }

    /// Fills the list with conversations.
    private mutating func fillSidebar(
        with conversations: [Conversation], height: Int, in context: Context
    ) -> [Outcome] {
        sidebar.take(conversations, switcher.invitations)
        if let id = context.conversation?.id { sidebar.reveal(id, height: height) }
        guard let wanted = sidebar.wanted else { return [] }
        sidebar.wanted = nil
        return take(wanted, in: context)
    }

    private func take(_ step: Sidebar.Step, in context: Context) -> [Outcome] {
        let current = context.pane.pending?.conversation.id ?? context.conversation?.id
        guard let id = sidebar.target(of: step, from: current) else {
            guard case .row(let row) = step else { return [.lost] }
            return [.tell("there is no conversation \(row + 1)"), .lost]
        }
        return [.list(.visit(known(id, in: context)))]
    }

    /// A conversation as the list describes it, which is newer than the context after a list has come.
    private func known(_ id: ConversationID, in context: Context) -> Conversation {
        if let current = context.conversation, current.id == id { return current }
        return switcher.conversation(id) ?? context.directory.conversation(id)
    }

    /// - Parameters:
    ///   - row: the row of the list under the mouse.
    ///   - height: the rows of the list.
    /// - Returns: nil if the action is not for the list.
    mutating func use(_ mouse: Mouse, row: Int, height: Int, in context: Context) -> [Outcome]? {
        let (columns, column) = (sidebar.columns(on: context.size), mouse.position.column)
        switch mouse.action {
        case .drag where sidebar.isDragging: sidebar.drag(to: column)
        case .release where sidebar.isDragging: sidebar.isDragging = false
        case .press:
            guard column < columns, (0..<height).contains(row) else { return nil }
            guard column < columns - 1 else {
                sidebar.isDragging = true
                return []
            }
            let visible = sidebar.visible(height: height)
            guard row < visible.count else { return [] }
            switch sidebar.items[visible.lowerBound + row] {
            case .conversation(let id): return [.list(.visit(known(id, in: context)))]
            case .invitation(let invitation): return [.prompt(.invitation(invitation))]
            case .heading: break
            }
        case .wheelUp, .wheelDown:
            guard column < columns, let rows = mouse.wheelRows else { return nil }
            sidebar.scroll(by: rows, height: height)
        case .drag, .release: return nil
        }
        return []
    }
}

/// The list that covers the screen.
extension ConversationLists {
    mutating func openSwitcher(in context: Context) -> [Outcome] {
        // While the first conversation is being opened, that is the current one.
        let current = context.conversation?.id ?? context.main.pending?.conversation.id
        switcher.open(in: current, after: context.trail.former)
        preview.forget()
        let grace = Effect.wait(Switcher.grace, .pause(.switcher(switcher.epoch)))
        return [.open(.switcher), loadSummaries(in: context), .effect(grace)]
    }

    /// Opens the conversation that the user has made.
    mutating func receive(made result: Result<Conversation?, StoreError>, in context: Context) -> [Outcome] {
        switch result {
        case .success(let conversation):
            guard context.panel == .switcher, switcher.isMaking, let conversation else {
                return [loadSummaries(in: context)]
            }
            switcher.isMaking = false
            return [.close, .go(nil, in: conversation), .list(.load)]
        case .failure(let error):
            switcher.isMaking = false
            return [.warn(error.description), .lost]
        }
    }

    func retry(_ epoch: Int, in context: Context) -> [Outcome] {
        guard context.panel == .switcher, switcher.epoch == epoch, switcher.retries.reason != nil else { return [] }
        return [loadSummaries(in: context)]
    }

    mutating func scrollSwitcher(in context: Context) {
        switcher.scroll(height: Switcher.height(context.size, on: context.main.grid))
    }

    /// Requests the end of the selected conversation, if there is room for it.
    mutating func previewSelected(in context: Context) -> [Outcome] {
        guard switcher.isShown else { return [] }
        let link = switcher.selectedConversation.map { Link(conversation: $0.id, message: nil) }
        return preview.want(link, in: context).map { [previewed($0)] } ?? []
    }

    private func previewed(_ request: PageRequest) -> Outcome {
        .effect(.ask(.page(request), .preview(epoch: Switcher.previewEpoch)))
    }

    mutating func receivePreview(_ result: Result<Page, StoreError>, in context: Context) -> [Outcome] {
        preview.receive(result, in: context)
        guard case .failure(let error) = result, context.panel == .switcher else { return [] }
        return [preview.retryLater(error, .preview(epoch: Switcher.previewEpoch))].compactMap(\.self).outcomes
    }

    func retryPreview(in context: Context) -> [Outcome] {
        guard context.panel == .switcher, let request = preview.wanted else { return [] }
        return [previewed(request)]
    }
}

/// Invitations, and rooms that are joined, left, or replaced.
extension ConversationLists {
    /// Joins a room. The conversation is opened when it arrives, unless the user does something else meanwhile.
    mutating func join(_ address: String, name: String, in context: Context) -> [Outcome] {
        membership.joining = (address, name)
        // Without a conversation there is nothing to show instead of the list.
        let isOver = context.panel == .switcher && context.hasConversation
        return (isOver ? [.close] : []) + [.tell("joining \(name)…"), .effect(.ask(.join(address)))]
    }

    mutating func receive(
        joined result: Result<Conversation?, StoreError>, at address: String, in context: Context
    ) -> [Outcome] {
        let wanted = membership.joining?.address == address ? membership.joining : nil
        if wanted != nil { membership.joining = nil }
        let lost: [Outcome] = wanted == nil ? [] : [.lost]
        switch result {
        case .failure(let error): return [.warn(error.reason)] + lost
        case .success(nil):
            let name = wanted?.name ?? address
            return [.tell("joined \(name): a space; its conversations stand under its name")] + lost
        case .success(let conversation?):
            guard wanted != nil, context.panel == nil || context.panel == .switcher else {
                let key = context.keymap.keyName(.switcher)
                return [.tell("joined \(conversation.title); \(key) leads there")]
            }
            // The notice says that the room is being joined.
            let isTold = context.notice?.isWarning == false
            return (isTold ? [.notice(nil)] : []) + [.close, .go(nil, in: conversation)]
        }
    }

    /// Says that a request is done, or the reason why it is not.
    func report(_ result: Result<Void, StoreError>, _ text: String) -> [Outcome] {
        switch result {
        case .success: [.tell(text)]
        case .failure(let error): [.warn(error.reason)]
        }
    }

    func askToLeave(in context: Context) -> [Outcome] {
        guard let conversation = context.conversation else { return [] }
        guard switcher.canJoin else { return [.warn("this archive has no server, so there is no room to leave")] }
        return [.prompt(.leaving(conversation))]
    }

    /// Handles the current invitations, and shows new ones.
    mutating func receive(_ invitations: [Invitation], in context: Context) -> [Outcome] {
        switcher.take(invitations)
        let new = invitations.filter { !membership.told.contains($0.id) }
        membership.told.formUnion(new.map(\.id))
        defer { membership.isListed = true }
        guard membership.isListed, let last = new.last else { return [] }
        let sender = last.sender?.name ?? "somebody"
        let place = last.title.map { " to \($0)" } ?? ""
        let key = context.keymap.keyName(.switcher)
        let isFree = context.notice?.isWarning != true
        return (isFree ? [.tell("\(sender) invites you\(place); \(key) lists it")] : [])
            + [.effect(.notify(from: sender, text: "invites you\(place)"))]
    }

    // MARK: - Rooms that have moved

    /// True if the row below the last message that leads to the new room is shown.
    func hasLinkBelow(_ conversation: Conversation?) -> Bool {
        conversation?.successor != nil && membership.justMoved != conversation?.id
    }

    /// Says that the room on the screen was replaced, once the list has reported it.
    private mutating func tellOfMove(in context: Context) -> [Outcome] {
        guard let conversation = context.conversation, conversation.successor == nil,
            let named = switcher.conversation(conversation.id), named.successor != nil
        else { return [] }
        membership.justMoved = named.id
        return [.tell("people have moved to another room; \(context.keymap.keyName(.activate)) at the end goes there")]
    }

    /// Opens the conversation that follows or precedes this one because people moved, and joins it first if necessary.
    mutating func followMove(_ side: Pane.Side, in context: Context) -> [Outcome] {
        guard let conversation = context.conversation else { return [] }
        guard side == .newer else { return conversation.predecessor.map { visit(listed: $0) } ?? [] }
        guard let successor = conversation.successor else { return [] }
        if let id = successor.conversation { return visit(listed: id) }
        guard switcher.canJoin else { return [.warn("the room to which people have moved is not here")] }
        return join(successor.address, name: "the room to which people have moved", in: context)
    }

    /// Opens the conversation that replaces this one, or that this one replaced, once it is listed.
    private mutating func visit(listed id: ConversationID) -> [Outcome] {
        if let conversation = switcher.conversation(id) { return [.list(.visit(conversation))] }
        membership.wanted = id
        return [loadTitles]
    }

    /// Opens the wanted conversation, when the list of conversations has come.
    private mutating func visitWanted() -> [Outcome] {
        guard let id = membership.wanted else { return [] }
        membership.wanted = nil
        guard let conversation = switcher.conversation(id) else {
            return [.warn("the conversation \(id) is not here"), .lost]
        }
        return [.list(.visit(conversation))]
    }
}

extension Conversation {
    /// The ends of the conversation whose rows lead to another one.
    var moves: Set<Pane.Side> {
        var sides: Set<Pane.Side> = []
        if predecessor != nil { sides.insert(.older) }
        if successor != nil { sides.insert(.newer) }
        return sides
    }
}
