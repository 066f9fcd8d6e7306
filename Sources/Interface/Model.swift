package import Display
package import Messages
import Search
import Timeline

/// All that the screen is made of. A value: `update` changes it, `render` draws it, neither looks at anything else.
package struct Model: Sendable {
    /// Nil until one has been chosen.
    package internal(set) var conversation: Conversation?
    let keymap: Keymap
    let zone: Zone
    /// The user: messages of this person are the user's own.
    let me: PersonID?
    package internal(set) var size: Size
    /// As of the last event.
    var now = Timestamp(milliseconds: 0)
    var panes: Panes
    /// The component that lies over the conversation or takes the keys.
    var panel: Panel? {
        didSet { if panel != .prompt { prompt = nil } }
    }
    /// The question of the panel `prompt`.
    var prompt: (any Prompt)?
    /// Rows that the help is scrolled by; nil when it is not shown. It lies over all else.
    var help: Int?
    /// The search in the conversation: its hits are highlighted.
    var find: Find?
    /// The search from before, while another one is being typed.
    var formerFind: Find?
    /// The words that were searched for last.
    var lastQuery = ""
    var search: SearchPanel
    var switcher = Switcher()
    var trail = Trail()
    var inputState = InputState()
    var preparation = Preparation()
    /// One line for the status bar, until the next key.
    var notice: Notice?
    var reading: Reading
    var writing: Writing
    var typing = Typing()
    /// The messages that have come in below the screen in conversations and threads that were left, or since.
    var newBelow: [WritingPlace: NewBelow] = [:]
    /// The messages that came into the other conversations since they were looked at, if that was in this session.
    var elsewhere: [ConversationID: NewElsewhere] = [:]
    /// Problems of the store that were told already.
    var knownProblems = 0
    /// Whether times are told to the second.
    var isExact = false
    /// The messages that were folded (true) or unfolded, and by conversation, so that one comes back to the same screen.
    var folds: [ConversationID: [MessageID: Bool]] = [:]
    /// Counts requests: the result of an earlier one is dropped.
    var epoch = 0

    /// Whether there is nothing to show yet.
    package var isWaiting: Bool {
        panel == .switcher ? opening == .nothing && !switcher.isShown : opening == .loading
    }

    enum Panel: Hashable, Sendable {
        /// The line at the bottom in which `/` and `?` take their words.
        case find
        case search
        case switcher
        case composer
        case prompt
    }

    struct Notice: Hashable, Sendable {
        let text: String
        var isWarning = false
        /// The post of which it is true until that is there.
        var post: MessageID?
        /// Problems of the store that were known before those of which it tells; nil when it tells of something else.
        var earlierProblems: Int?
        /// The list that could not be loaded: it is true until that is there.
        var failedList: ListRequest?

        var span: Span { Span(CleanText(text), Style(isWarning ? .warning : .accent)) }
    }

    /// - Parameters:
    ///   - read: how far each conversation has been read.
    ///   - me: the user; nil when nobody says.
    ///   - drafts: the texts that were being written when the program ended last.
    ///   - chance: chooses the IDs of new messages.
    package init(
        size: Size, zone: Zone, read: ReadStates = ReadStates(), me: PersonID? = nil,
        drafts: [ConversationID: Draft] = [:],
        chance: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.size = size
        self.zone = zone
        self.me = me
        reading = Reading(states: read)
        writing = Writing(drafts: drafts, chance: chance)
        keymap = .standard
        panes = Panes(
            main: Pane(
                number: 0,
                timeline: Timeline(
                    ruler: MessageRuler(grid: Grid(columns: size.columns)), height: Rows(rows: size.rows).messages)))
        search = SearchPanel(size: size)
    }

    // Of the pane that the keys go to.
    var timeline: Timeline<MessageRuler> { pane.timeline }
    var opening: Pane.Opening { pane.opening }
    var target: MessageID? { pane.target }
    var pending: ListRequest? { pane.pending }
    var history: JumpHistory { pane.history }
    /// The columns that it keeps to.
    var grid: Grid { timeline.ruler.grid }

    /// Work that the store does in less is not told.
    static let preparationGrace = Duration.seconds(1)

    /// A list that is there in less is not worth a word.
    static let grace = Duration.milliseconds(150)

    mutating func nextEpoch() -> Int {
        epoch += 1
        return epoch
    }

    mutating func tell(_ text: String) { notice = Notice(text: text) }

    mutating func warn(_ text: String) { notice = Notice(text: text, isWarning: true) }
}
