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
