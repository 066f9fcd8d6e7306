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
    var search: SearchPanel
    var rooms = ConversationLists()
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
        writing = Writing(drafts: drafts, chance: chance)
        let grid = Grid(
            columns: size.columns, isPlain: preferences.isPlain, style: GridStyle(zone: zone, preferences: preferences))
        reader = OpenConversation(
            panes: Panes(main: Timeline(ruler: MessageRuler(grid: grid), height: Rows(rows: size.rows).messages)),
            reading: Reading(states: read))
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

/// The parts of the model that its components and views may read.
extension Model {
    var outside: Outside {
        Outside(
            preferences: preferences, size: size, now: now, zone: zone, me: me, panel: panel,
            hasHelp: layers.help != nil, isAskingAboutMessage: layers.prompt?.isAboutMessage ?? false, notice: notice,
            listed: rooms.switcher.known, sidebarColumns: sidebarColumns, obstacle: writing.obstacle(in: conversation),
            sent: writing.history, members: writing.members)
    }

    var context: Context { reader.context(outside) }
    var directory: Directory { reader.directory(outside) }

    /// The conversation with this ID. While it is not known, its title is the ID.
    func known(_ id: ConversationID) -> Conversation { directory.conversation(id) }

    var inputContext: InputContext {
        let hasHeld = !inputState.held.isEmpty
        let awaitedRows: String? =
            switch panel {
            case .search: search.awaitsHits ? "the first hit" : nil
            case .switcher: rooms.switcher.awaitsList(hasHeld: hasHeld) ? "the list" : nil
            case .sheet: layers.sheet?.awaitsRows(hasHeld: hasHeld) == true ? "the list" : nil
            case nil, .find, .composer, .prompt, .picture: nil
            }
        return InputContext(
            keymap: keymap, now: now, panel: panel, hasHelp: layers.help != nil,
            promptTakesText: layers.prompt?.takesText, conversation: conversation?.id, panes: reader.panes,
            isSeeking: find?.wanted.isEmpty == false, nameOfMatch: reader.finding.nameOfMatch,
            awaitedElsewhere: rooms.membership.joining?.name ?? reader.awaited ?? rooms.awaitedList,
            awaitedInSwitcher: rooms.awaitedInSwitcher, awaitedRows: awaitedRows,
            sidebarColumns: rooms.sidebar.isDragging ? .max : sidebarColumns, notice: notice)
    }
}

/// The layout of the screen.
extension Model {
    /// The columns of the list of conversations at the left; 0 while it is hidden.
    var sidebarColumns: Int { rooms.sidebar.columns(on: size) }
    var rows: Rows { Rows(rows: size.rows, composer: composerRows) }
    var split: Split { reader.split(outside) }

    /// The columns of a pane on the screen.
    func columns(of pane: Pane) -> Range<Int> { reader.columns(of: pane, outside) }
}

/// The texts that the user writes.
extension Model {
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
    var reading: Reading { reader.reading }
    var find: Find? { reader.finding.find }
    /// The pane that has the keys.
    var pane: Pane { reader.pane }
    var main: Pane { reader.main }
    var openThread: Pane? { reader.openThread }
    var isInThread: Bool { reader.isInThread }
    var timeline: Timeline<MessageRuler> { pane.timeline }
    var opening: Pane.Opening { pane.opening }
    /// The columns of the messages.
    var grid: Grid { pane.grid }
    var keymap: Keymap { preferences.keymap }
    package var size: Size { screen.size }
    var now: Timestamp { screen.now }
    /// The open panel, which has the keys; nil when the panes have them.
    var panel: Panel? { layers.panel }

    var notice: Notice? {
        get { notices.notice }
        set { notices.notice = newValue }
    }
}
