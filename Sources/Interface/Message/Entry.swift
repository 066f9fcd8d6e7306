import Display
import Markup
import Messages
import Timeline

/// A message as an item of the timeline. It is scrubbed once, and compared once with the message before it.
struct Entry: TimelineItem {
    let message: Message
    var id: MessageID { message.id }
    var cursor: Messages.Cursor { message.cursor }
    var endCursor: Messages.Cursor { last.cursor }
    var weight: Int { run?.lines.reduce(message.weight) { $0 + $1.weight } ?? message.weight }
    var span: Int { run?.lines.count ?? 1 }

    /// The presence lines that `message` stands for; nil for any other message.
    let run: PresenceRun?
    /// The last message of the item.
    var last: Message { run?.lines.last ?? message }

    /// The day in the local zone.
    let date: CivilDate
    /// `09:12`, `9:12 AM`
    let clock: String
    /// The seconds of the clock.
    let second: Int
    /// True for the first message of its day, which has a header above it.
    private(set) var startsDay: Bool
    /// True if the sender is shown: for the first of several messages of one sender, and below a line.
    private(set) var startsGroup: Bool
    /// True if the clock differs from that of the message before.
    let startsMinute: Bool
    /// True for the first unread message, which has a line above it.
    private(set) var startsUnread: Bool

    /// Nil for a message without a sender.
    let sender: CleanText?
    let quote: CleanText?
    /// The text to draw: with its spoilers covered, until the user unfolds the message.
    var body: Body { isCovered ? covered ?? open : open }
    private let open: Body
    /// The text with covered spoilers; nil for a text without spoilers.
    private let covered: Body?
    /// True if a part of the text is covered.
    var isCovered: Bool { covered != nil && fold != false }
    var hasSpoilers: Bool { covered != nil }
    /// True if the user has folded the message, false if unfolded; nil for neither.
    var fold: Bool?
    var isFolded: Bool { fold ?? (run != nil || body.isLong) }

    /// The most Unicode scalars of a text in one row: more than fit on any screen.
    private static let longestRow = 1_000

    /// The longest pause between messages of a group, in milliseconds.
    private static let groupSpan: Int64 = 5 * 60 * 1_000

    /// - Parameter firstUnread: the message below the line of unread messages.
    init(
        _ message: Message, run: PresenceRun? = nil, after previous: Neighbour?, zone: Zone,
        firstUnread: MessageID? = nil
    ) {
        let civil = zone.civil(message.at)
        let before = previous.map { zone.civil($0.at) }
        let startsDay = before?.date != civil.date
        let startsUnread = message.id == firstUnread
        // Below a line the sender is shown again.
        let continues = !startsUnread && previous.map { Entry.continues($0, message) } ?? false
        self.init(
            message, run: run, date: civil.date, clock: zone.clock(civil), second: civil.second, startsDay: startsDay,
            startsGroup: startsDay || !continues, startsMinute: startsDay || before?.clock != civil.clock,
            startsUnread: startsUnread)
    }

    /// True for a long text that is loaded as a whole.
    var isWhole: Bool { message.text.utf8.count > Message.longText && message.omitted == 0 }
    /// True if only the beginning of a long text is loaded.
    var isShortened: Bool { message.omitted > 0 }

    /// A run of presence lines as one item.
    init(_ run: PresenceRun, after previous: Neighbour?, zone: Zone) {
        self.init(run.message(zone: zone), run: run, after: previous, zone: zone)
    }

    /// The same run with other lines, in the same place.
    init(_ run: PresenceRun, replacing old: Entry, zone: Zone) {
        self.init(run.message(zone: zone), run: run, replacing: old)
    }

    /// The same message or run after a gap has closed above it, or in another place that shows its day: without the header of the
    /// day, but with name and time.
    func withoutDay() -> Entry {
        var entry = self
        entry.startsDay = false
        return entry
    }

    /// The same message with or without the line of unread messages above it. Below the line its sender is shown.
    func below(line startsUnread: Bool) -> Entry {
        var entry = self
        entry.startsGroup = startsGroup || startsUnread
        entry.startsUnread = startsUnread
        return entry
    }

    /// The ID of a run is that of its first line. It changes when the run is joined with the one before, or loses that line.
    func succeeds(_ other: Entry) -> Bool {
        if id == other.id { return true }
        guard let run, let former = other.run else { return false }
        return run.lines.contains { former.holds($0.id) }
    }

    /// The same message with new content, in the same place.
    init(_ message: Message, run: PresenceRun? = nil, replacing old: Entry) {
        self.init(
            message, run: run, date: old.date, clock: old.clock, second: old.second, startsDay: old.startsDay,
            startsGroup: old.startsGroup, startsMinute: old.startsMinute, startsUnread: old.startsUnread)
        fold = old.fold
    }

    private init(
        _ message: Message, run: PresenceRun?, date: CivilDate, clock: String, second: Int, startsDay: Bool,
        startsGroup: Bool, startsMinute: Bool, startsUnread: Bool
    ) {
        self.message = message
        self.run = run
        self.date = date
        self.clock = clock
        self.second = second
        self.startsDay = startsDay
        self.startsGroup = startsGroup
        self.startsMinute = startsMinute
        self.startsUnread = startsUnread
        sender = message.sender.map(ShownName.of)
        quote = message.quote.map(Entry.line(for:))
        open = Body(message, sender: sender)
        let text = message.isDeleted ? nil : Spoiler.covered(message.text)
        covered = text.map { [sender] in Body(message, text: $0, sender: sender) }
    }

    private static func continues(_ previous: Neighbour, _ message: Message) -> Bool {
        guard previous.kind == .text, message.kind == .text, let sender = message.sender else { return false }
        return previous.sender == sender.id && abs(message.at.milliseconds - previous.at.milliseconds) <= groupSpan
    }

    /// The mark before a quote.
    static let quoteMark = "↳ "

    /// The quote in one row. Only as much of a long text is read as fits on a screen.
    private static func line(for quote: Quote) -> CleanText {
        switch quote.content {
        case .pending: CleanText(quoteMark + "…")
        case .missing: CleanText(quoteMark + "a message that is not here")
        case .deleted: CleanText(quoteMark + "message deleted")
        case .message(let sender, let text):
            CleanText(
                quoteMark + (sender.map { $0.name.beginning(ShownName.longest) + ": " } ?? "")
                    + text.withoutSpoilers.beginning(longestRow))
        }
    }

    /// The row of an attachment. Rows are made when they are drawn, since there may be many.
    /// - Parameter inWords: true to use a word instead of the mark.
    func attachment(_ index: Int, inWords: Bool = false) -> CleanText {
        let size = message.attachments[index].size
        return CleanText(inWords ? "file: " : "📎 ") + attachmentName(index)
            + CleanText(size.map { "  " + ByteCount.label($0) } ?? "")
    }

    /// The part of the name that a row can show.
    func attachmentName(_ index: Int) -> CleanText {
        CleanText(message.attachments[index].name.beginning(Entry.longestRow))
    }
}

extension Entry {
    /// The entries of consecutive messages, each compared with the one before it. A long text is shortened, unless it is unfolded.
    /// - Parameters:
    ///   - folds: the messages that the user folded (true) or unfolded.
    ///   - whole: a message whose text is not shortened.
    ///   - shortens: false in a thread: its hits are counted by its messages.
    static func entries(
        _ messages: [Message], after neighbour: Neighbour?, zone: Zone, firstUnread: MessageID? = nil,
        folds: [MessageID: Bool] = [:], whole: MessageID? = nil, shortens: Bool = true
    ) -> [Entry] {
        var previous = neighbour
        var entries: [Entry] = []
        entries.reserveCapacity(messages.count)
        var index = 0
        while index < messages.count {
            let message = messages[index]
            var entry: Entry
            if message.presence == nil {
                let isWhole = !shortens || message.id == whole || folds[message.id] == false
                entry = Entry(
                    isWhole ? message : message.shortened, after: previous, zone: zone, firstUnread: firstUnread)
                index += 1
            } else {
                let run = PresenceRun(Entry.run(in: messages[index...], zone: zone))
                entry = Entry(run, after: previous, zone: zone)
                index += run.lines.count
            }
            if !folds.isEmpty { entry.fold = folds[message.id] }
            previous = Neighbour(entry.last)
            entries.append(entry)
        }
        return entries
    }

    /// The run of presence lines at the beginning of some messages.
    private static func run(in messages: ArraySlice<Message>, zone: Zone) -> [Message] {
        guard let first = messages.first else { return [] }
        let stretch = messages.prefix { $0.presence?.stretch == first.presence?.stretch }
        let rest = PresenceRun([first]).continuation(in: Array(stretch.dropFirst()), zone: zone)
        return Array(messages.prefix(1 + rest))
    }
}

extension [Entry] {
    /// The ID of a message's entry, which may be the run of a presence line; without one, the message's own.
    func item(holding id: MessageID) -> MessageID { first { $0.id == id || $0.run?.holds(id) ?? false }?.id ?? id }
}

extension String {
    /// The text with its spoilers covered.
    var withoutSpoilers: String { Spoiler.covered(self) ?? self }
}

/// The columns for the names of the members. They are counted once for a conversation, when its first list is requested, and not
/// when the list arrives and the screen waits.
struct NameRoom: Sendable {
    private var members: [Person] = []
    private var longest: Int?

    /// The columns of the longest name; nil without members.
    mutating func columns(for members: [Person]) -> Int? {
        if members != self.members {
            self.members = members
            longest = members.map { ShownName.of($0).columns }.max()
        }
        return longest
    }
}

extension Entry {
    /// The links, then the files. The first of all has the number 1.
    var openables: [Openable] {
        body.links.map { .link($0.address) } + message.attachments.map { .file($0, of: id) }
    }
}

extension Entry {
    /// True if the time is shown next to the message: at the first message of a group, and when the minute has changed.
    var showsTime: Bool { startsGroup || startsMinute }

    /// True if the sender is shown next to or above the text. The text of an action and of many system lines names the sender
    /// already.
    var namesSender: Bool {
        message.kind == .text || message.kind == .system && sender != nil && !message.textBeginsWithSender
    }

    /// True if time and sender have a separate row on a narrow screen.
    var showsHead: Bool { namesSender ? showsTime : startsMinute }
}
