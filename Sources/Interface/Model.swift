package import Display
package import Messages
import Search
import Timeline

/// The whole state of the screen. It is a value: `update` changes it, `render` draws it, and neither looks at anything else.
package struct Model: Sendable {
    /// Nil until the user has chosen one.
    package internal(set) var conversation: Conversation?
    let preferences: Preferences
    var keymap: Keymap { preferences.keymap }
    let zone: Zone
    /// The user: messages of this person are the user's own.
    let me: PersonID?
    package internal(set) var size: Size
    /// As of the last event.
    var now = Timestamp(milliseconds: 0)
    var panes: Panes
    /// The open panel, which has the keys; nil when the panes have them.
    var panel: Panel? {
        didSet {
            if panel != .prompt { prompt = nil }
            if panel != .sheet { sheet = nil }
        }
    }
    /// The question of the panel `prompt`.
    var prompt: (any Prompt)?
    /// The list of the panel `sheet`.
    var sheet: (any Sheet)?
    /// Numbers the sheets.
    var sheets = 0
    /// The failed questions of the open sheet.
    var sheetRetries = Retries()
    /// Whether the store may still be working for a sheet.
    var hasAsked = false
    var bookmarks = KnownBookmarks()
    /// Nil when it is closed.
    var help: Help?
    var commands = Commands()
    var pictures = PictureViewer()
    var tasks = UserTasks()
    var finding = Finding()
    var search: SearchPanel
    var switcher = Switcher()
    var sidebar = Sidebar()
    var membership = Membership()
    var switcherPreview = LinkPreview()
    var trail = Trail()
    var inputState = InputState()
    var preparation = Preparation()
    var notices = Notices()
    var reading: Reading
    var writing: Writing
    var typing = Typing()
    var readers = Readers()
    /// Nil for an archive without a server, and until the store has told.
    var reach: StoreReach?
    /// The failed questions for the place of the window.
    var locating = Retries()
    var clockStyle = ClockStyle.minutes

    /// Whether there is nothing to show yet.
    package var isWaiting: Bool {
        panel == .switcher ? opening == .nothing && !switcher.isShown : opening == .loading
    }

    /// - Parameters:
    ///   - read: how far each conversation has been read.
    ///   - me: the user; nil when it is not known who that is.
    ///   - drafts: the texts that were being written when the program ended last.
    ///   - chance: the source of the IDs of new messages.
    package init(
        size: Size, zone: Zone, read: ReadStates = ReadStates(), me: PersonID? = nil,
        drafts: [ConversationID: Draft] = [:], preferences: Preferences = Preferences(),
        chance: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.size = size
        self.zone = zone
        self.me = me
        self.preferences = preferences
        reading = Reading(states: read)
        writing = Writing(drafts: drafts, chance: chance)
        panes = Panes(
            main: Timeline(
                ruler: MessageRuler(
                    grid: Grid(
                        columns: size.columns, isPlain: preferences.isPlain,
                        style: GridStyle(zone: zone, preferences: preferences))),
                height: Rows(rows: size.rows).messages))
        search = SearchPanel(size: size, like: panes.main.grid)
        (switcher.obstacleToMaking, switcher.canJoin) = (preferences.obstacleToMaking, preferences.canJoin)
        sidebar.isHidden = preferences.hidesList || preferences.isPlain
        clockStyle = preferences.showsSeconds ? .seconds : .minutes
    }
}

//     key → component (a pane, or the open panel) → outcomes ┐
//     store → event ─────────────────────────────────────────┴→ Navigation → effects → the loop
//                                                                  ↓
//                                                                Model → render → Frame

/// The whole behaviour of the model: changes it by an event, and returns the effects that it asks for.
package func update(_ model: inout Model, _ event: Event) -> [Effect] {
    var effects = change(&model, event)
    effects += model.settleOutbox()
    model.layOutComposer()
    effects += model.fitPanes()
    if model.hasHeld {
        effects += model.takeHeld() + model.settleOutbox()
        model.layOutComposer()
        effects += model.fitPanes()
    }
    effects += model.reloadPutOff()
    model.placeUnreadLine()
    effects += model.markRead()
    effects += model.previewSwitcher()
    effects += model.fillSidebar()
    effects += model.stopAsking()
    return effects
}

private func change(_ model: inout Model, _ event: Event) -> [Effect] {
    switch event {
    case .input(let inputs):
        if !inputs.isEmpty { model.look() }
        return model.take(model.linesAsPaste(inputs))
    case .focus(let hasFocus): return model.note(focus: hasFocus)
    case .interrupted: model.interrupt()
    case .resized(let size): return model.resize(size)
    case .time(let now):
        model.now = now
        return []
    case .list(let request, let result): return model.receive(request, result)
    case .page(let ticket, let result): return model.receive(ticket, result)
    case .retry(let loadable): return model.retry(loadable)
    case .pause(let pause): return model.end(pause)
    case .places(let epoch, let result): return model.inFind { $0.receive(epoch, result, in: $1) }
    case .placesEnd(let epoch): return model.inFind { $0.endPlaces(epoch, in: $1) }
    case .found(let epoch, let result): return model.inSearch { $0.receive(epoch, result, in: $1) }
    case .foundEnd(let epoch): return model.inSearch { $0.end(epoch, in: $1) }
    case .preview(Switcher.previewEpoch, let result): return model.receiveSwitcherPreview(result)
    case .preview(let epoch, let result): return model.inSearch { $0.receivePreview(epoch, result, in: $1) }
    case .sheet(let number, let answer): return model.receive(answer, forSheet: number)
    case .sheetFailed(let number, let question, let error): return model.retryLater(question, ofSheet: number, error)
    case .bookmarks(let bookmarks): return model.receive(bookmarks)
    case .end(let mark, let request, let result): return model.receive(end: result, of: request, toMark: mark)
    case .muted(let muted): model.reading.muted = muted
    case .conversations(let result): return model.receive(conversations: result)
    case .invitations(let invitations): return model.receive(invitations)
    case .listChanged: return model.listAgain()
    case .joined(let address, let result): return model.receive(joined: result, at: address)
    case .declined(let invitation, let result): model.receive(declined: invitation, result)
    case .left(let conversation, let result): model.receive(left: conversation, result)
    case .made(let result): return model.receive(made: result)
    case .summary(let result): model.receive(summary: result)
    case .counted(let result):
        model.receive(summary: result)
        if model.panel == .switcher { model.switcher.show() }
    case .summariesEnd: return model.endSummaries()
    case .changed(let id, let changes):
        guard id == model.conversation?.id else { return [] }
        return model.take(changes)
    case .arrived(let arrivals): return model.receive(arrivals)
    case .located(let id, let first, let place, let messages):
        return model.receivePlace(id, of: first, place, messages)
    case .notLocated(let id, let error): return model.failToLocate(in: id, error)
    case .range(let task, let result): return model.receive(result, of: task)
    case .preparing(let progress): return model.carryOut(model.preparation.note(progress))
    case .problems(let problems): model.notices.report(problems)
    case .readElsewhere(let positions): return model.take(readElsewhere: positions)
    case .baseline(let last): model.reading.states.baseline = last
    case .edited(let result): return model.receive(edited: result)
    case .notOpened(let text, nil): model.warn(text)
    case .notOpened(let text, let link?):
        model.warn("\(text); its address is copied instead")
        return [.copy(link)]
    case .file(let file, let news): return model.take(news, about: file)
    case .pictureFailed(let number, let error): return model.carryOut(model.pictures.fail(number, error))
    case .pictureComing(let number, let received): model.pictures.note(received, of: number)
    case .picture(let number, let result): model.pictures.receive(number, result)
    // It takes the place of "bookmark a is here" and the like, which is not true then.
    case .trouble(let text): if model.notice?.isWarning != true { model.warn(text) }
    case .obstacle(let id, let reason): if id == model.conversation?.id { model.writing.obstacle = reason }
    case .members(let id, let result): return model.receive(members: result, of: id)
    case .missing(let id, let messages): return model.receive(missing: messages, in: id)
    case .typingEnds(let epoch): model.typing.end(epoch)
    case .sent(let id, let message, let result): return model.receive(sent: message, in: id, result)
    case .retrySend(let id, let message): return model.retrySend(message, in: id)
    case .lookForSent(let id, let message): return model.lookForSent(message, in: id)
    }
    return []
}

extension Model {
    /// Asks for the place that the program was started for.
    package mutating func start(in conversation: Conversation, at position: PageRequest.Position) -> [Effect] {
        request(.position(position), in: conversation, leaving: .nothing, on: main.number) + sendKept()
    }

    /// Asks for the first unread message of a conversation; if there is none, for the newest message.
    package mutating func startAtUnread(in conversation: Conversation) -> [Effect] {
        request(.unread(nil), in: conversation, leaving: .nothing, on: main.number) + sendKept()
    }

    /// Begins with the list of conversations.
    package mutating func startInSwitcher() -> [Effect] {
        trail.beganInSwitcher = true
        return openSwitcher() + sendKept()
    }

    fileprivate mutating func receive(_ ticket: PageTicket, _ result: Result<Page, StoreError>) -> [Effect] {
        let context = paneContext
        let effects = carryOut(panes.change(ticket.pane) { $0.receive(ticket.load, result, in: context) })
        if case .failure = result { dropHeldSteps() }
        return effects
    }

    fileprivate mutating func end(_ pause: Pause) -> [Effect] {
        switch pause {
        case .list(let ticket), .settling(let ticket), .quiet(let ticket), .counting(let ticket):
            let context = paneContext
            return carryOut(panes.change(ticket.pane) { $0.end(pause, in: context) })
        case .preparation(let number): preparation.end(number)
        case .hits(let epoch): return find?.epoch == epoch ? inFind { $0.recountStale(in: $1) } : []
        case .results(let epoch): return inOpenSearch { $0.refresh(epoch, in: $1) }
        case .draft(let epoch): return writing.keepEpoch == epoch ? keepDraft() : []
        case .switcher(let epoch):
            guard panel == .switcher, switcher.epoch == epoch, !switcher.isEmpty else { return [] }
            switcher.isShown = true
        }
        return []
    }

    fileprivate mutating func resize(_ size: Size) -> [Effect] {
        self.size = size
        fitRoots()
        let effects = fitPanes()
        search.resize(size)
        scrollSwitcher()
        if panel == .picture { return effects + carryOut(pictures.load(size)) }
        return effects + inSheet { $0.resized(in: $1) } + inOpenSearch { search, _ in search.wantPreview() }
    }

    var rows: Rows { Rows(rows: size.rows, composer: composerRows) }
}

/// The parts of the model that its components and views may look at.
extension Model {
    var context: Context {
        Context(
            keymap: keymap, size: size, now: now, zone: zone, me: me, panel: panel, hasNotice: notice != nil,
            directory: directory,
            conversation: conversation, main: main, thread: isInThread ? pane : nil, folds: currentFolds,
            hasConversation: opening != .nothing,
            day: pane.selectedEntry?.date, writingPlace: writingPlace,
            sent: writing.history, composerColumns: composerColumns)
    }

    var paneContext: PaneContext {
        PaneContext(
            keymap: keymap, now: now, zone: zone, me: me, conversation: conversation, reading: reading,
            folds: currentFolds,
            isWriting: panel == .composer,
            isAskingAboutMessage: panel == .prompt && (prompt?.isAboutMessage ?? false),
            canWrite: me != nil && obstacle == nil)
    }

    var directory: Directory { Directory(current: conversation, listed: switcher.known, visited: trail.visited) }

    /// The conversation; with its ID for a title when it is not known.
    func known(_ id: ConversationID) -> Conversation { directory.conversation(id) }

    /// The part of the state that changes the look of messages.
    var looks: Looks {
        Looks(
            me: me, own: addressee, clockStyle: clockStyle, clockColumns: zone.clockColumns, now: now,
            links: (prompt as? LinkPrompt)?.numbers,
            openKey: keymap.keyName(.activate))
    }
}

/// Carries out the wishes of components. Only here does one component reach another.
extension Model {
    mutating func carryOut(_ outcomes: [Outcome]?) -> [Effect] { (outcomes ?? []).flatMap { carryOut($0) } }

    private mutating func carryOut(_ outcome: Outcome) -> [Effect] {
        switch outcome {
        case .typed: inputState.isTyping = true
        case .close: panel = nil
        case .closeHelp: help = nil
        case .perform(let action): return perform(action)
        case .tell(let text): tell(text)
        case .warn(let text): warn(text)
        case .effect(let effect):
            if case .stopLoadingConversations = effect { sidebar.isLoading = false }
            return [effect]
        case .askForLink(let numbers, let number): ask(LinkPrompt(numbers, number: number))
        case .stay: finding.giveUp()
        case .lost: dropHeld()
        case .go(let destination, let conversation, let leaving):
            guard let conversation = conversation ?? self.conversation else { return [] }
            return go(to: destination, in: conversation, leaving: leaving)
        case .goTo(let message, let conversation):
            return go(toMain: message, in: conversation)
        case .goToShare(let position, let leaving): return go(toShare: position, leaving: leaving)
        case .openConversation(let conversation): return open(conversation)
        case .listConversations: return [loadSummaries()]
        case .toggleScope: return toggleScope()
        case .toggleThread: return toggleThread()
        case .open(let openable): return open(openable)
        case .showPictures(let files, let message): return showPictures(files, of: message)
        case .delete(let message): return delete(message)
        case .react(let emoji, let message): return react(emoji, to: message)
        case .fold(let message, let isFolded):
            if let conversation { trail.folds[conversation.id, default: [:]][message] = isFolded }
        case .locate: return askForPlace()
        case .unreadLine(let first): reading.firstUnread = first
        case .reread(let hasMoved): return carryOut(finding.lookAgain(hasMoved: hasMoved, in: context))
        case .find(let wish): return carryOut(wish)
        case .compose(let wish): return carryOut(wish)
        case .searchFor(let words): return search(for: words)
        case .bookmark(let wish): return carryOut(wish)
        case .mark(let mark, let id): return self.mark(mark, id)
        case .begin(let task): return begin(task)
        case .mute(let id): return toggleMute(id)
        case .answer(let invitation): ask(InvitationPrompt(invitation))
        case .join(let address, let name): return join(address, name: name)
        case .followMove(let side): return followMove(side)
        case .ask(let question):
            hasAsked = true
            return [.askForSheet(sheets, question)]
        }
        return []
    }

    /// Opens a conversation where the user has left it; for the first time at its newest message.
    private mutating func open(_ chosen: Conversation) -> [Effect] {
        sidebar.isLoading = false
        return [.stopLoadingConversations] + visit(chosen)
    }

    mutating func visit(_ chosen: Conversation) -> [Effect] {
        dropPending()
        guard chosen.id != conversation?.id else { return [] }
        let destination = trail.leftAt[chosen.id].map { ListRequest.Destination.place($0) } ?? .position(.latest)
        return go(to: destination, in: chosen)
    }

    private mutating func open(_ openable: Openable) -> [Effect] {
        guard let conversation else { return [] }
        tell("opening \(openable.name)")
        switch openable {
        case .link(let address): return [.openLink(address)]
        case .file(let attachment, let message):
            return find(MessageFile(attachment, of: message, in: conversation.id))
        }
    }

    private mutating func showPictures(_ files: [Attachment], of message: MessageID) -> [Effect] {
        guard let conversation else { return [] }
        dropPending()
        panel = .picture
        return carryOut(pictures.open(files.map { MessageFile($0, of: message, in: conversation.id) }, on: size))
    }

    private mutating func carryOut(_ wish: ComposerWish) -> [Effect] {
        switch wish {
        case .changed: return composerTextChanged()
        case .keep: return keepDraftLater()
        case .leave: return leaveComposer()
        case .edit: return editOutside()
        case .scroll(let screens): return carryOut(pane.scroll(screens: screens))
        case .send: return sendComposed()
        }
    }

    private mutating func carryOut(_ wish: FindWish) -> [Effect] {
        switch wish {
        case .go(let hit, let leaving): return go(to: .hit(hit), leaving: leaving, on: main.number)
        case .restore(let place):
            if main.place == place {
                panes.main.dropPending()
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
        case .dropHit: if case .hit? = main.pending?.destination { panes.main.dropPending() }
        case .dropOthers: if case .hit? = main.pending?.destination {} else { panes.main.dropPending() }
        case .leave(let place): panes.main.history.leave(place)
        case .makeJump: panes.main.pending?.leaving = .jump
        case .tellOfNothing(let text):
            warn(text)
            notice?.isAboutNoMatch = true
            dropHeld()
        case .folds(let former): return restoreFolds(former)
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
        case .switcher: switcher.handle(event, in: context)
        case .prompt: prompt?.handle(event, in: context) ?? []
        case .composer: writing.handle(event, in: context)
        case .commands: commands.handle(event, in: context)
        case .sheet: sheet?.handle(event, in: context) ?? []
        case .picture: pictures.handle(event, in: context)
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
                    search, directory: directory, looks: looks, newElsewhere: newElsewhere,
                    hasConversation: opening == .shown, on: listScreen
                ).frame
            )
        case .switcher:
            .screen(
                SwitcherView(
                    switcher, preview: switcherPreview, drafts: writing.drafts, reading: reading,
                    looks: looks, hasConversation: opening != .nothing, on: listScreen
                ).frame)
        case .prompt: prompt?.view(in: context)
        case .composer: .composer
        case .commands: .screen(CommandsView(commands, on: listScreen).frame)
        case .sheet: sheet.map { .screen($0.frame(on: listScreen, in: context, looks: looks)) }
        case .picture: .screen(PictureView(pictures, size: size, notice: statusNotice, keymap: keymap).frame)
        }
    }

    /// The screen for a list that covers the conversation.
    private var listScreen: ListScreen {
        ListScreen(
            size: size, grid: grid, keymap: keymap, notice: statusNotice ?? taskStatus(), nextTry: sheetRetries.words,
            now: now, zone: zone)
    }

    /// Closes a panel that belongs to the conversation: the composer, or a question about a message.
    mutating func closePanelOfConversation() {
        if panel == .composer || prompt?.isAboutMessage == true { panel = nil }
    }
}

extension Model {
    mutating func ask(_ prompt: any Prompt) {
        self.prompt = prompt
        panel = .prompt
    }
}

/// The settings of the user that concern the screen.
package struct Preferences: Sendable {
    package var keymap = Keymap.standard
    /// Whether the status line shows the link to the selected message.
    package var showsLink = false
    /// Whether the list of conversations is hidden at first.
    package var hidesList = false
    /// Whether the screen shows nothing but words, for a screen reader.
    package var isPlain = false
    /// Whether times have seconds at first.
    package var showsSeconds = false
    /// The columns of names; nil for as many as they need.
    package var nameWidth: Int?
    /// The words that stand for the user in texts, besides the ID and the name.
    package var highlight: [String] = []
    /// Why no conversation can be made in this archive, and what to do; nil where it can.
    package var obstacleToMaking: String?
    /// Whether the archive has a server on which rooms can be joined and left.
    package var canJoin = false

    package init() {}
}
