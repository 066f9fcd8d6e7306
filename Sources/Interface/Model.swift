package import Display
package import Messages
import Search
import Timeline

/// The whole state of the screen. It is a value: `update` changes it, `render` draws it, and neither reads anything else.
package struct Model: Sendable {
    /// The settings with which the program was started.
    let preferences: Preferences
    let zone: Zone
    /// The user: messages of this person are the user's own.
    let me: PersonID?
    var screen: ScreenState
    var reader: OpenConversation
    var layers = Layers()
    var finding = Finding()
    var search: SearchPanel
    var rooms = ConversationLists()
    var reading: Reading
    var writing: Writing
    var tasks = UserTasks()
    var notices = Notices()
    var inputState = InputState()

    /// True if there is nothing to show yet.
    package var isWaiting: Bool {
        panel == .switcher ? opening == .nothing && !rooms.switcher.isShown : opening == .loading
    }

    /// - Parameters:
    ///   - read: the read positions.
    ///   - me: the user; nil when not known.
    ///   - drafts: the texts that were being written when the program ended last.
    ///   - chance: the source of the IDs of new messages.
    package init(
        size: Size, zone: Zone, read: ReadStates = ReadStates(), me: PersonID? = nil,
        drafts: [ConversationID: Draft] = [:], preferences: Preferences = Preferences(),
        chance: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.preferences, self.zone, self.me) = (preferences, zone, me)
        screen = ScreenState(size: size, clockStyle: preferences.showsSeconds ? .seconds : .minutes)
        reading = Reading(states: read)
        writing = Writing(drafts: drafts, chance: chance)
        let grid = Grid(
            columns: size.columns, isPlain: preferences.isPlain, style: GridStyle(zone: zone, preferences: preferences))
        reader = OpenConversation(
            panes: Panes(main: Timeline(ruler: MessageRuler(grid: grid), height: Rows(rows: size.rows).messages)))
        search = SearchPanel(size: size, like: grid)
        rooms.switcher.obstacleToMaking = preferences.obstacleToMaking
        rooms.switcher.canJoin = preferences.canJoin
        rooms.sidebar.isHidden = preferences.hidesList || preferences.isPlain
    }
}

/// The screen and the clock.
struct ScreenState: Sendable {
    var size: Size
    /// The time of the last event.
    var now = Timestamp(milliseconds: 0)
    var clockStyle: ClockStyle
}

//     key → component (a pane, or the open panel) → outcomes ┐
//     store → event ─────────────────────────────────────────┴→ router → effects → the loop
//                                                                ↓
//                                                                Model → render → Frame

/// The whole behaviour of the model: applies an event, and returns the effects that the event leads to.
///
/// Two passes follow every event. `layOut` derives the layout of the panes from the size, the panel, the text that is being
/// written and the unsent posts, and compares it with the layout before: each of these changes in many places. `noteWhatIsShown`
/// marks messages as read and requests missing data by the final screen: one event may change the screen several times.
package func update(_ model: inout Model, _ event: Event) -> [Effect] {
    var effects = change(&model, event)
    effects += model.layOut()
    if !model.inputState.held.isEmpty { effects += model.takeHeld() + model.layOut() }
    return effects + model.noteWhatIsShown()
}

extension Model {
    /// Removes posts that have appeared in the list, and gives the composer and the panes their rows and columns.
    fileprivate mutating func layOut() -> [Effect] {
        (writing.outbox.isEmpty ? [] : inWriting { $0.settle(in: $1) }) + fitPanes()
    }

    /// Performs put-off reloads, marks what the user has seen as read, and requests what is missing next to the messages.
    fileprivate mutating func noteWhatIsShown() -> [Effect] {
        let reload = reloadPutOff()
        placeUnreadLine()
        return reload + markRead() + previewSwitcher() + fillSidebar()
    }
}

private func change(_ model: inout Model, _ event: Event) -> [Effect] {
    switch event {
    case .input(let inputs):
        if !inputs.isEmpty { model.reading.attention.look() }
        return model.take(inputs)
    case .focus(let hasFocus): return model.note(focus: hasFocus)
    // Another program had the terminal, or this one was stopped.
    case .interrupted: model.reading.attention.interrupt()
    case .resized(let size): return model.resize(size)
    case .time(let now):
        model.screen.now = now
        return []
    case .reply(let ticket, let reply): return model.receive(reply, for: ticket)
    case .retry(let ticket): return model.retry(ticket)
    case .pause(let pause): return model.end(pause)
    case .changed(let id, let changes):
        guard id == model.conversation?.id else { return [] }
        return model.take(changes)
    case .arrived(let arrivals): return model.receive(arrivals)
    case .news(let news): return model.take(news)
    case .edited(let result): return model.inWriting { $0.receive(edited: result, in: $1) }
    case .notOpened(let text, nil): model.warn(text)
    case .notOpened(let text, let link?):
        model.warn("\(text); its address is copied instead")
        return [.copy(link)]
    // The error replaces a notice such as "bookmark a is here", which may be false now. A warning stays.
    case .trouble(let text): if model.notice?.isWarning != true { model.warn(text) }
    }
    return []
}

extension Model {
    /// Requests the place with which the program was started.
    package mutating func start(in conversation: Conversation, at position: PageRequest.Position) -> [Effect] {
        request(.position(position), in: conversation, leaving: .nothing, on: main.number)
            + inWriting { writing, _ in writing.sendKept() }
    }

    /// Requests the first unread message of a conversation; if there is none, the newest message.
    package mutating func startAtUnread(in conversation: Conversation) -> [Effect] {
        request(.unread(nil), in: conversation, leaving: .nothing, on: main.number)
            + inWriting { writing, _ in writing.sendKept() }
    }

    /// Begins with the list of conversations.
    package mutating func startInSwitcher() -> [Effect] {
        reader.trail.beganInSwitcher = true
        return openSwitcher() + inWriting { writing, _ in writing.sendKept() }
    }

    fileprivate mutating func take(_ news: News) -> [Effect] {
        switch news {
        case .bookmarks(let bookmarks): return receive(bookmarks)
        case .muted(let muted): reading.muted = muted
        case .invitations(let invitations): return receive(invitations)
        case .listChanged: return listAgain()
        case .preparing(let progress): return notices.preparation.note(progress)
        case .readElsewhere(let positions): return take(readElsewhere: positions)
        case .baseline(let last): reading.states.baseline = last
        }
        return []
    }

    /// Forwards to a pane, if it still exists.
    mutating func inPane(_ number: Int, _ body: (inout Pane, PaneContext) -> [Outcome]) -> [Effect] {
        let context = paneContext
        return carryOut(reader.panes.change(number) { body(&$0, context) })
    }

    fileprivate mutating func end(_ pause: Pause) -> [Effect] {
        switch pause {
        case .list(let ticket), .settling(let ticket), .quiet(let ticket), .counting(let ticket):
            return inPane(ticket.pane) { $0.end(pause, in: $1) }
        case .preparation(let number): notices.preparation.end(number)
        case .hits(let epoch): return find?.epoch == epoch ? inFind { $0.recountStale(in: $1) } : []
        case .results(let epoch): return inOpenSearch { $0.refresh(epoch, in: $1) }
        case .draft(let epoch): return writing.keepEpoch == epoch ? inWriting { $0.keepDraft(in: $1) } : []
        case .switcher(let epoch):
            guard panel == .switcher, rooms.switcher.epoch == epoch, !rooms.switcher.isEmpty else { return [] }
            rooms.switcher.isShown = true
        case .typing(let epoch): writing.typing.end(epoch)
        case .sent(let id, let message):
            guard let number = writing.pane(missing: message, in: id, context) else { return [] }
            return carryOut(reader.panes.change(number) { $0.lookForNewer() })
        }
        return []
    }

    fileprivate mutating func resize(_ size: Size) -> [Effect] {
        screen.size = size
        fitRoots()
        let effects = fitPanes()
        search.resize(size)
        scrollSwitcher()
        if panel == .picture { return effects + carryOut(layers.pictures.load(size)) }
        return effects + inSheet { $0.resized(in: $1) } + inOpenSearch { $0.wantPreview(in: $1) }
    }

    var rows: Rows { Rows(rows: size.rows, composer: composerRows) }
}

/// The parts of the model that its components and views may read.
extension Model {
    var context: Context {
        Context(
            keymap: keymap, size: size, now: now, zone: zone, me: me, panel: panel, hasHelp: layers.help != nil,
            notice: notice, directory: directory, conversation: conversation, panes: reader.panes, reading: reading,
            folds: currentFolds,
            sent: writing.history, composerColumns: composerColumns)
    }

    var paneContext: PaneContext {
        PaneContext(
            keymap: keymap, now: now, zone: zone, me: me, conversation: conversation, reading: reading,
            folds: currentFolds,
            isWriting: panel == .composer,
            isAskingAboutMessage: panel == .prompt && (layers.prompt?.isAboutMessage ?? false),
            canWrite: canWrite)
    }

    var directory: Directory {
        Directory(current: conversation, listed: rooms.switcher.known, visited: reader.trail.visited)
    }

    /// The conversation with this ID. While it is not known, its title is the ID.
    func known(_ id: ConversationID) -> Conversation { directory.conversation(id) }

    /// The part of the state that changes the look of messages.
    var looks: Looks {
        Looks(
            me: me, own: addressee, clockStyle: screen.clockStyle, clockColumns: zone.clockColumns, now: now,
            links: (layers.prompt as? LinkPrompt)?.numbers,
            openKey: keymap.keyName(.activate))
    }
}

/// Performs the requests of components. Only here does one component reach another.
extension Model {
    mutating func carryOut(_ outcomes: [Outcome]?) -> [Effect] { (outcomes ?? []).flatMap { carryOut($0) } }

    private mutating func carryOut(_ outcome: Outcome) -> [Effect] {
        switch outcome {
        case .typed: inputState.isTyping = true
        case .close: return layers.close()
        case .leavePanel: layers.panel = nil
        case .perform(let action): return act(action)
        case .notice(let notice): self.notice = notice
        case .effect(let effect):
            if case .stop(.conversations) = effect { rooms.sidebar.isLoading = false }
            return [effect]
        case .ask(let question):
            return [layers.ask(question)]
        case .prompt(.link(let numbers, let number)): ask(LinkPrompt(numbers, number: number))
        case .prompt(.invitation(let invitation)): ask(InvitationPrompt(invitation: invitation))
        case .prompt(.deletion(let message)): ask(Permission.toDelete(message))
        case .prompt(.reaction(let message, let others)): ask(ReactionPalette(target: message, others: others))
        case .lost: dropHeld()
        case .stayHere: stayHere()
        case .open(let panel): layers.panel = panel
        case .go(nil, let conversation, _): return conversation.map { open($0) } ?? []
        case .go(.position(.message(let message)), let conversation?, _): return go(toMain: message, in: conversation)
        case .go(.position(let position), nil, let leaving): return go(toShare: position, leaving: leaving)
        case .go(let destination?, let conversation, let leaving):
            guard let conversation = conversation ?? self.conversation else { return [] }
            return go(to: destination, in: conversation, leaving: leaving)
        case .begin(let task): return begin(task)
        case .pictures(let files):
            dropPending()
            layers.panel = .picture
            return carryOut(layers.pictures.open(files, on: size))
        case .find(let wish): return carryOut(wish)
        case .compose(.scroll(let screens)): return carryOut(pane.scroll(screens: screens))
        case .compose(let wish): return inWriting { $0.perform(wish, in: $1) }
        case .bookmark(let wish): return carryOut(wish)
        case .list(let wish): return carryOut(wish)
        case .pane(.folded(let message, let isFolded)):
            currentFolds[message] = isFolded
        case .pane(.moved): return askForPlace()
        case .pane(.reread(let firstUnread, let hasMoved)):
            reading.firstUnread = firstUnread
            return carryOut(finding.lookAgain(hasMoved: hasMoved, in: context))
        }
        return []
    }

    /// Opens a conversation where the user left it, or at its newest message if it was not opened yet.
    private mutating func open(_ chosen: Conversation) -> [Effect] {
        rooms.sidebar.isLoading = false
        return [.stop(.conversations)] + visit(chosen)
    }

    mutating func visit(_ chosen: Conversation) -> [Effect] {
        dropPending()
        guard chosen.id != conversation?.id else { return [] }
        let destination = reader.trail.leftAt[chosen.id].map { ListRequest.Destination.place($0) } ?? .position(.latest)
        return leaveText() + go(to: destination, in: chosen)
    }

    private mutating func carryOut(_ wish: ListWish) -> [Effect] {
        switch wish {
        case .load: [loadSummaries()]
        case .mark(let mark, let id): self.mark(mark, id)
        case .mute(let id): toggleMute(id)
        case .join(let address, let name): join(address, name: name)
        case .followMove(let side): followMove(side)
        }
    }

    private mutating func carryOut(_ wish: FindWish) -> [Effect] {
        switch wish {
        case .go(let hit, let leaving): return go(to: .hit(hit), leaving: leaving, on: main.number)
        case .restore(let place):
            if main.place == place {
                reader.panes.main.dropPending()
                return reopen(place.beside)
            }
            return go(to: .place(place), in: known(place.conversation), leaving: .nothing, on: main.number)
        case .showMatch(let match): show(match)
        case .showReply(let reply, let hit): return show(reply, of: hit)
        case .goOn:
            var effects: [Effect] = []
            while let outcomes = finding.goOn(in: context) { effects += carryOut(outcomes) }
            return effects
        case .goOnElsewhere(let direction): return goOnElsewhere(direction)
        case .dropHit: if case .hit? = main.pending?.destination { reader.panes.main.dropPending() }
        case .dropOthers: if case .hit? = main.pending?.destination {} else { reader.panes.main.dropPending() }
        case .leave(let place): reader.panes.main.history.leave(place)
        case .makeJump: reader.panes.main.pending?.leaving = .jump
        case .tellOfNothing(let text):
            warn(text, about: .noMatch)
            dropHeld()
        case .folds(let former): return restoreFolds(former)
        case .giveUp: finding.giveUp()
        case .toggleScope: return toggleScope()
        case .everywhere(let words): return openSearch(words: words)
        }
        return []
    }
}

/// The component of each panel, and its view.
extension Model {
    /// Gives an event to the open panel.
    mutating func handle(_ event: PanelEvent) -> [Outcome] {
        let context = context
        return switch panel {
        case nil: []
        case .find: finding.handle(event, in: context)
        case .search: search.handle(event, in: context)
        case .switcher: rooms.switcher.handle(event, in: context)
        case .prompt: layers.prompt?.handle(event, in: context) ?? []
        case .composer: writing.handle(event, in: context)
        case .sheet: layers.sheet?.handle(event, in: context) ?? []
        case .picture: layers.pictures.handle(event, in: context)
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
                    search: search, directory: directory, looks: looks, newElsewhere: newElsewhere,
                    hasConversation: opening == .shown, screen: listScreen
                ).frame
            )
        case .switcher:
            .screen(
                SwitcherView(
                    switcher: rooms.switcher, drafts: writing.drafts, reading: reading,
                    hasConversation: opening != .nothing, screen: listScreen, preview: rooms.preview, looks: looks
                ).frame)
        case .prompt: layers.prompt?.view(in: context)
        case .composer: .composer
        case .sheet: layers.sheet.map { .screen($0.frame(on: listScreen, in: context, looks: looks)) }
        case .picture:
            .screen(PictureView(viewer: layers.pictures, size: size, notice: statusNotice, keymap: keymap).frame)
        }
    }

    /// The screen for a list that covers the conversation.
    private var listScreen: ListScreen {
        ListScreen(
            size: size, grid: grid, keymap: keymap, notice: statusNotice ?? taskStatus(), nextTry: layers.retries.words,
            now: now, zone: zone)
    }
}

extension Model {
    mutating func ask(_ prompt: any Prompt) { layers.ask(prompt) }
}

/// The texts that the user writes.
extension Model {
    mutating func inWriting(_ body: (inout Writing, Context) -> [Outcome]) -> [Effect] {
        let context = context
        return carryOut(body(&writing, context))
    }

    /// Cancels earlier requests that would lead elsewhere, since the user begins to do something here.
    mutating func stayHere() {
        if let thread = openThread, thread.opening != .shown { closeThread() }
        reader.panes.updateAll { pane in if pane.opening == .shown { pane.dropPending() } }
        finding.giveUp()
        reader.trail.seeksUnread = false
        reader.bookmarks.wanted = nil
        rooms.sidebar.wanted = nil
        (rooms.membership.wanted, rooms.membership.joining) = (nil, nil)
        rooms.switcher.isMaking = false
    }

    /// Closes the composer when the user asks for another conversation: the next keys are meant for that one.
    mutating func leaveText() -> [Effect] { panel == .composer ? inWriting { $0.leave(in: $1) } : [] }

    /// Saves all drafts when the program ends.
    package mutating func keepAllDrafts() -> [Effect] { inWriting { $0.keepAllDrafts(in: $1) } }

    /// The number of posts that are not known to have been sent.
    package var unsentCount: Int { writing.unsentCount }

    /// True if a post is being sent at this moment.
    package var isSending: Bool { writing.isSending }

    var canWrite: Bool { me != nil && writing.obstacle(in: conversation) == nil }
    var writingPlace: WritingPlace? {
        conversation.map { WritingPlace(conversation: $0.id, thread: pane.thread) }
    }
    var composer: Composer? { writingPlace.flatMap { writing.composers[$0] } }
    /// The columns of the text.
    var composerColumns: Int { ComposerView.columns(size, margin: grid.margin) }
    /// The rows that the composer takes; 0 when it is closed.
    var composerRows: Int { panel == .composer ? composerView?.height ?? 0 : 0 }
    var composerView: ComposerView? { writing.view(at: writingPlace, in: pane, on: size) }
}

/// The parts of components that most of the router reads.
extension Model {
    /// The current conversation; nil until the user has chosen one.
    package var conversation: Conversation? { reader.conversation }
    var keymap: Keymap { preferences.keymap }
    package var size: Size { screen.size }
    var now: Timestamp { screen.now }
    /// The open panel, which has the keys; nil when the panes have them.
    var panel: Panel? { layers.panel }

    var notice: Notice? {
        get { notices.notice }
        set { notices.notice = newValue }
    }

    mutating func tell(_ text: String) { notice = Notice(text: text) }

    mutating func warn(_ text: String, about subject: Notice.Subject? = nil) {
        notice = Notice(text: text, isWarning: true, subject: subject)
    }
}

/// Routes each reply to the component that asked, by its ticket.
extension Model {
    mutating func receive(_ reply: Reply, for ticket: Ticket) -> [Effect] {
        switch (ticket, reply) {
        case (.list(let request), .page(let result)): return receive(request, result)
        case (.page(let ticket), .page(let result)):
            return inPane(ticket.pane) { $0.receive(ticket.load, result, in: $1) }
        case (.places(let epoch), .places(let result)): return inFind { $0.receive(epoch, result, in: $1) }
        case (.places(let epoch), .end): return inFind { $0.endPlaces(epoch, in: $1) }
        case (.search(let epoch), .hits(let result)): return inSearch { $0.receive(epoch, result, in: $1) }
        case (.search(let epoch), .end): return inSearch { $0.end(epoch, in: $1) }
        case (.preview(Switcher.previewEpoch), .page(let result)): return receiveSwitcherPreview(result)
        case (.preview(let epoch), .page(let result)): return inSearch { $0.receivePreview(epoch, result, in: $1) }
        case (.conversations, .conversations(let result)): return receive(conversations: result)
        case (.conversations, .summary(let result)): receive(summary: result)
        case (.conversations, .end): return endSummaries()
        case (.request(.summary), .summary(let result)):
            receive(summary: result)
            if panel == .switcher { rooms.switcher.show() }
        case (.place(let id, let first), .place(let result)): return receive(place: result, of: first, in: id)
        case (.task(.open(let file)), .file(let news)): return take(news, about: file)
        case (.task(.mark(let mark, let request)), .page(let result)):
            return receive(end: result, of: request, toMark: mark)
        case (.task(let task), .range(let result)): return receive(result, of: task)
        case (.picture(let number), .file(.coming(let received))): layers.pictures.note(received, of: number)
        case (.picture(let number), .file(.failed(let error))): return carryOut(layers.pictures.fail(number, error))
        case (.picture(let number), .picture(let result)): layers.pictures.receive(number, result)
        case (.request(.members(let id)), .members(let result)):
            return inWriting { $0.receive(members: result, of: id, in: $1) }
        case (.sheet(let number, let rest), let reply): return receive(reply, forSheet: number, rest: rest)
        case (.request(.obstacle(let id)), .obstacle(let reason)):
            if id == conversation?.id { writing.obstacle = reason }
        case (.request(.missing(_, let id)), .missing(let messages)):
            return inWriting { $0.receive(missing: messages, in: id, $1) }
        case (.request(.problems), .problems(let problems)): notices.report(problems)
        case (.text(let ticket), .messages(_, let result)):
            return carryOut(reader.panes.change(ticket.pane) { $0.receive(text: ticket, result) })
        case (.request(.make), .conversation(let result)): return receive(made: result)
        case (.request(.join(let address)), .conversation(let result)): return receive(joined: result, at: address)
        case (.request(.decline(let invitation)), .done(let result)):
            report(result, "declined the invitation to \(invitation.name)")
        case (.request(.leave(let conversation)), .done(let result)):
            report(result, "you have left \(conversation.title); its messages stay here")
        case (.post(let id, let message), .done(let result)):
            return inWriting { $0.receive(sent: message, in: id, result, $1) }
        // The file is a step on the way to the picture.
        case (.picture, .file(.here)): break
        default: assertionFailure("no component takes the reply \(reply) to \(ticket)")
        }
        return []
    }

    /// The pause after a failed try is over.
    mutating func retry(_ ticket: Ticket) -> [Effect] {
        switch ticket {
        case .list(let request): inPane(request.ticket.pane) { $0.retry(request, in: $1) }
        case .page(let ticket): carryOut(reader.panes.change(ticket.pane) { $0.retry(ticket.load) })
        case .text(let ticket): carryOut(reader.panes.change(ticket.pane) { $0.retry(text: ticket) })
        case .places(let epoch): inFind { $0.retry(epoch, in: $1) }
        case .search(let epoch): inOpenSearch { $0.retry(epoch, in: $1) }
        case .preview(Switcher.previewEpoch): retrySwitcherPreview()
        case .preview(let epoch): inOpenSearch { $0.retryPreview(epoch, in: $1) }
        case .conversations(let epoch): retryConversations(epoch)
        case .place(let id, _): retryPlace(in: id)
        case .task(let task): tasks.retry(task) ? [task.effect] : []
        case .request(.members(let id)): inWriting { $0.retryMembers(of: id, in: $1) }
        case .picture(let number): panel == .picture ? carryOut(layers.pictures.retry(number)) : []
        case .sheet(let number, let rest): layers.retry(rest, ofSheet: number)
        case .post(let id, let message): inWriting { writing, _ in writing.retrySend(message, in: id) }
        // The error of any other request is shown, and the request is not retried.
        case .request: []
        }
    }
}
