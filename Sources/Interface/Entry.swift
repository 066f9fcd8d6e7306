import Messages
import Timeline
import Display

/// A message as an item of the timeline: scrubbed once, and told apart from the message before it for good.
struct Entry: TimelineItem {
    let message: Message
    var id: MessageID { message.id }
    var cursor: Messages.Cursor { message.cursor }

    /// The day on the wall on which it was sent.
    let date: CivilDate
    /// `09:12`
    let clock: String
    /// The seconds behind the clock's minutes.
    let second: Int
    /// The first message of its day: a header stands above it.
    let startsDay: Bool
    /// The first of several messages of one sender, or behind a line: it shows who wrote.
    let startsGroup: Bool
    /// Whether the clock shows another minute than at the message before it.
    let startsMinute: Bool
    /// The first message since the conversation was last read: a line stands above it.
    let startsUnread: Bool

    /// Nil for what nobody said.
    let sender: CleanText?
    let quote: CleanText?
    let body: Body
    let attachments: [CleanText]
    /// Whether only its first rows are shown, as the user said it; nil as long as nobody did.
    var fold: Bool?
    var isFolded: Bool { fold ?? body.isLong }

    /// Messages of one sender that are at most this far apart stand together.
    private static let groupSpan: Int64 = 5 * 60 * 1_000

    /// - Parameter lastRead: the message below which the line stands, if there is one.
    init(_ message: Message, after previous: Neighbour?, zone: Zone, lastRead: MessageID? = nil) {
        let civil = zone.civil(message.at)
        let before = previous.map { zone.civil($0.at) }
        let startsDay = before?.date != civil.date
        let startsUnread = previous != nil && previous?.id == lastRead
        // Behind a line one looks for who says it.
        let continues = !startsUnread && previous.map { Entry.continues($0, message) } ?? false
        self.init(
            message, date: civil.date, clock: civil.clock, second: civil.second, startsDay: startsDay,
            startsGroup: startsDay || !continues, startsMinute: startsDay || before?.clock != civil.clock,
            startsUnread: startsUnread)
    }

    /// The root of a thread, alone above its replies.
    init(root message: Message, zone: Zone) {
        let civil = zone.civil(message.at)
        self.init(
            message, date: civil.date, clock: civil.clock, second: civil.second, startsDay: false, startsGroup: true,
            startsMinute: true, startsUnread: false)
    }

    /// The same message with other content, where it stands.
    init(_ message: Message, replacing old: Entry) {
        self.init(
            message, date: old.date, clock: old.clock, second: old.second, startsDay: old.startsDay,
            startsGroup: old.startsGroup, startsMinute: old.startsMinute, startsUnread: old.startsUnread)
        fold = old.fold
    }

    private init(
        _ message: Message, date: CivilDate, clock: String, second: Int, startsDay: Bool, startsGroup: Bool,
        startsMinute: Bool, startsUnread: Bool
    ) {
        self.message = message
        self.date = date
        self.clock = clock
        self.second = second
        self.startsDay = startsDay
        self.startsGroup = startsGroup
        self.startsMinute = startsMinute
        self.startsUnread = startsUnread
        sender = message.sender.map(Entry.name)
        quote = message.quote.map(Entry.line(for:))
        body = Body(message, sender: sender)
        attachments = message.attachments.map(Entry.line(for:))
    }

    private static func continues(_ previous: Neighbour, _ message: Message) -> Bool {
        guard previous.kind == .text, message.kind == .text, let sender = message.sender else { return false }
        return previous.sender == sender.id && abs(message.at.milliseconds - previous.at.milliseconds) <= groupSpan
    }

    /// What people read; the ID for a name of nothing that can be seen.
    private static func name(of person: Person) -> CleanText {
        let name = CleanText(person.name)
        return name.columns > 0 ? name : CleanText(person.id.rawValue)
    }

    /// One row, however much is quoted: so much of the text is looked at as any screen could show.
    private static func line(for quote: Quote) -> CleanText {
        switch quote.content {
        case .pending: "↳ …"
        case .missing: "↳ a message that is not here"
        case .deleted: "↳ message deleted"
        case .message(let sender, let text):
            CleanText("↳ " + (sender.map { $0.name + ": " } ?? "") + text.prefix(500))
        }
    }

    private static func line(for attachment: Attachment) -> CleanText {
        CleanText("📎 " + attachment.name + (attachment.size.map { "  " + bytes($0) } ?? ""))
    }

    /// `1.2 kB`
    private static func bytes(_ count: Int64) -> String {
        guard count >= 1_000 else { return "\(max(0, count)) B" }
        var value = count / 100
        for unit in ["kB", "MB", "GB"] {
            if value < 10_000 { return value < 100 ? "\(value / 10).\(value % 10) \(unit)" : "\(value / 10) \(unit)" }
            value /= 1_000
        }
        return "\(value / 10) TB"
    }
}

extension Entry {
    /// The entries of a slice of the conversation, each told apart from the one before it.
    /// - Parameter folds: those that the user folded (true) or unfolded.
    static func entries(
        _ messages: [Message], after neighbour: Neighbour?, zone: Zone, lastRead: MessageID? = nil,
        folds: [MessageID: Bool] = [:]
    ) -> [Entry] {
        var previous = neighbour
        return messages.map { message in
            defer { previous = Neighbour(message) }
            var entry = Entry(message, after: previous, zone: zone, lastRead: lastRead)
            if !folds.isEmpty { entry.fold = folds[message.id] }
            return entry
        }
    }
}

/// The text of a message as lines of prose and of code.
struct Body: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case prose, code
        /// What opens or closes a block of code.
        case fence
    }

    struct Line: Equatable, Sendable {
        let text: CleanText
        let kind: Kind
        /// Bytes of the body before this line: with a row's own offset, the place of that row.
        let start: Int
        /// Bytes at the beginning that name the sender (an action).
        var nameEnd = 0
        /// The byte from which on the line says that the message was edited.
        var markStart: Int?
        var head = LineHead.none
        var markup = Markup.none
    }

    let lines: [Line]
    /// Whether it is worth folding at first. By a width of its own, so that a resize folds and unfolds nothing.
    let isLong: Bool

    init(_ message: Message, sender: CleanText?) {
        let prefix: CleanText = message.kind == .action ? "* " + (sender ?? "?") + " " : ""
        guard !message.isDeleted else {
            lines = [Line(text: "message deleted", kind: .prose, start: 0)]
            isLong = false
            return
        }
        var isCode = false
        var start = 0
        var lines: [Line] = []
        let cleanLines = message.text.isEmpty && !message.attachments.isEmpty ? [] : CleanText.lines(message.text)
        for (index, clean) in cleanLines.enumerated() {
            let fence = Body.isFence(clean.string)
            let name = index == 0 ? prefix : ""
            let text = name + clean
            var line = Line(
                text: text, kind: fence ? .fence : isCode ? .code : .prose, start: start,
                nameEnd: name.string.utf8.count)
            if line.kind == .prose {
                if message.kind == .text { line.head = LineHead(clean) }
                line.markup = Markup(text, from: max(line.nameEnd, line.head.hang))
            }
            lines.append(line)
            if fence { isCode.toggle() }
            start += text.string.utf8.count + 1
        }
        if message.isEdited { Body.mark(&lines, start: start) }
        self.lines = lines
        isLong = Fold.isLong(lines)
    }

    private static func mark(_ lines: inout [Line], start: Int) {
        guard let last = lines.last, last.kind == .prose else {
            return lines.append(Line(text: "(edited)", kind: .prose, start: start, markStart: 0))
        }
        lines[lines.count - 1] = Line(
            text: last.text + " (edited)", kind: .prose, start: last.start, nameEnd: last.nameEnd,
            markStart: last.text.string.utf8.count, head: last.head, markup: last.markup)
    }

    /// A line that opens or closes a block of code: three backquotes, and no more of them behind.
    private static func isFence(_ line: String) -> Bool {
        let bytes = line.utf8.drop { $0 == UInt8(ascii: " ") }
        guard bytes.starts(with: "```".utf8) else { return false }
        return !bytes.dropFirst(3).contains(UInt8(ascii: "`"))
    }
}
