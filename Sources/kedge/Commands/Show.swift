import ArgumentParser
import Display
import Interface
import JSON
import Messages
import Settings
import Usage

extension MessageFormat: ExpressibleByArgument {}

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print a message with its neighbours, a range of messages, or the last ones.",
        discussion: """
            One message a line, separated by tabs: link, time, sender, text. On a terminal they look as on the screen of `open`, \
            by the program of PAGER (else less) if they are too many for the screen. A conversation alone stands for its last \
            messages. In a range, the replies in a thread stand after its root.

              kedge show general --last 50
              kedge show general/m-001500 --context 10
              kedge show general/m-001500..m-001520
              kedge show general/m-001500..m-001520 --format markdown
            """)

    @OptionGroup var options: ArchiveOptions

    @Argument(
        help: ArgumentHelp(
            "The message, two with .. between them, or a conversation.", valueName: "conversation[/message-id]"))
    var link: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Messages to print before and after it; 3 if not given.", valueName: "n"))
    var context: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Print this many last messages of a conversation; 20 if not given.", valueName: "n"))
    var last: Int?

    @Flag(help: "Print a JSON array.")
    var json = false

    @Option(help: ArgumentHelp("text, markdown or json (as --json).", valueName: "format"))
    var format: MessageFormat?

    @OptionGroup var raw: RawOption

    func validate() throws {
        if json, format != nil { throw ValidationError("use either --json or --format") }
        guard (0...1_000_000).contains(context ?? 0) else {
            throw ValidationError("--context takes a number from 0 to 1,000,000")
        }
        guard (1...1_000_000).contains(last ?? 1) else {
            throw ValidationError("--last takes a number from 1 to 1,000,000")
        }
    }

    func run() throws {
        // The choice of a program such as fzf is empty when the user leaves it.
        if link.isEmpty { throw CommandError.interrupted }
        try raw.check()
        var options = self.options
        let wanted = try options.resolve(link)
        let opened = try options.opened(first: wanted)
        let found = try found(wanted, in: opened, by: &options)
        if json || format == .json {
            try Output.write("[")
            var separator = ""
            try found.forEach { messages in
                let records = messages.map { JSONText($0, in: found.conversation.id) }
                try Output.write(separator + JSONText.elements(records))
                separator = ","
            }
            try Output.write("]\n")
        } else if let format {
            let writer = MessageWriter(format, zone: .local)
            try found.forEach {
                try Output.write(writer.text(of: $0, in: found.conversation.id))
            }
        } else if Output.isTerminal {
            try UserPager.show(screen(found, me: opened.store.me, opened.store))
        } else {
            try found.forEach { messages in
                try Table(messages.map { Show.row($0, in: found.conversation.id, isTarget: $0.id == found.target) })
                    .print(isRaw: raw.isOn)
            }
        }
        try warn(of: opened.store, in: [found.conversation.id])
    }

    /// The messages to print.
    private struct Found {
        let conversation: Conversation
        /// The message that was asked for; nil for a range.
        let target: MessageID?
        /// Calls its argument with the messages, some at a time.
        let forEach: (_ body: ([Message]) throws -> Void) throws -> Void
    }

    private func found(_ wanted: Link, in opened: OpenedArchive, by options: inout ArchiveOptions) throws -> Found {
        let store = opened.store
        if let ends = try range(by: &options), try !isMessage(wanted, in: opened) {
            let (conversation, first) = try opened.conversation(of: ends.first)
            guard let start = first.message, let end = ends.last.message else { throw withoutMessage }
            guard last == nil else { throw lastOfMessage }
            guard context == nil else { throw CommandError(.usage, "--context is for a single message") }
            guard ends.last.conversation == ends.first.conversation else {
                throw CommandError(.usage, "both messages of a range must be in one conversation")
            }
            let range = try waiting { () async throws(StoreError) in
                try await MessageRange(start, end, in: conversation.id, hasReplies: true, of: store)
            }
            return Found(conversation: conversation, target: nil) { body in
                var (left, index): (MessageRange?, ThreadIndex) = (range, ThreadIndex())
                while let range = left {
                    let (messages, rest) = try waiting { () async throws(StoreError) in try await range.next() }
                    if !messages.isEmpty { try body(messages) }
                    // The replies of the last message come next.
                    if messages.last.map({ $0.replyCount > 0 }) ?? false {
                        try index.make(of: conversation.id, in: store)
                    }
                    left = rest
                }
            }
        }
        let conversation = try opened.conversation(of: wanted).conversation
        guard let id = opened.resolved(wanted).message else {
            guard context == nil else { throw withoutMessage }
            let count = last ?? Show.last
            let pieces = try waiting { () async throws(StoreError) in
                let request = PageRequest(conversation: conversation.id, position: .latest, limit: count)
                let page = try await store.page(request)
                var pieces = MessagePieces()
                try await Show.add(
                    to: &pieces, .before, page.messages.count, of: page, request, atMost: count, from: store)
                return pieces
            }
            return Found(conversation: conversation, target: nil) { try pieces.forEach(of: store, $0) }
        }
        guard last == nil else { throw lastOfMessage }
        let context = context ?? 3
        let pieces = try waiting { () async throws(StoreError) in
            try await Show.pieces(around: id, in: conversation.id, of: store, context: context)
        }
        return Found(conversation: conversation, target: id) { try pieces.forEach(of: store, $0) }
    }

    private var withoutMessage: CommandError {
        CommandError(.usage, "\"\(link.shortened)\" names no message; write CONVERSATION/MESSAGE-ID")
    }

    private var lastOfMessage: CommandError {
        CommandError(.usage, "--last is for a conversation; for the neighbours of a message there is --context")
    }

    /// The number of messages to show of a conversation.
    private static let last = 20

    /// The ends of a range: `general/m-1..m-9`, or with the conversation at both ends.
    private func range(by options: inout ArchiveOptions) throws -> (first: Link, last: Link)? {
        guard let dots = link.firstRange(of: "..") else { return nil }
        let (start, end) = (String(link[..<dots.lowerBound]), String(link[dots.upperBound...]))
        guard !start.isEmpty, !end.isEmpty else { return nil }
        let first = try options.resolve(start)
        let isWhole = end.contains("/")
        return (
            first, isWhole ? try options.resolve(end) : Link(conversation: first.conversation, message: MessageID(end))
        )
    }

    /// True if a link with two dots names one message: its ID contains the dots.
    private func isMessage(_ link: Link, in opened: OpenedArchive) throws -> Bool {
        guard let id = link.message else { return false }
        let (store, conversation) = (opened.store, opened.resolved(link).conversation)
        do {
            _ = try waiting { () async throws(StoreError) in try await store.message(id, in: conversation) }
            return true
        } catch let error as StoreError where !error.isTransient {
            return false
        }
    }

    /// The message and its neighbours in the main timeline. A reply in a thread comes after the root of the thread.
    private static func pieces(
        around id: MessageID, in conversation: ConversationID, of store: any MessageReading, context: Int
    ) async throws(StoreError) -> MessagePieces {
        guard context > 0 else { return MessagePieces([try await store.message(id, in: conversation)]) }
        let request = PageRequest(conversation: conversation, position: .message(id), limit: 2 * context + 1)
        let page = try await store.page(request)
        guard let index = page.messages.firstIndex(where: { $0.id == page.focus }) else {
            return MessagePieces([try await store.message(id, in: conversation)])
        }
        var pieces = MessagePieces()
        try await add(to: &pieces, .before, index, of: page, request, atMost: context, from: store)
        // The page has all other messages already. To read one again may be slow: it may have a million reactions.
        let reply = page.focus == id ? [] : [try await store.message(id, in: conversation)]
        pieces.append([page.messages[index]] + reply)
        try await add(to: &pieces, .after, index, of: page, request, atMost: context, from: store)
        return pieces
    }

    /// Adds the messages next to one of a page, on one side of it. Reads further pages while there are too few: each
    /// page has a limit in bytes.
    private static func add(
        to pieces: inout MessagePieces, _ side: Side, _ index: Int, of page: Page, _ request: PageRequest,
        atMost count: Int, from store: any MessageReading
    ) async throws(StoreError) {
        func add(_ messages: [Message], atMost count: Int, _ request: PageRequest) -> Int {
            let nearest = side == .before ? messages.suffix(count) : messages.prefix(count)
            if side == .before { pieces.prepend(nearest, request) } else { pieces.append(nearest, request) }
            return nearest.count
        }
        let own = side == .before ? page.messages[..<index] : page.messages[(index + 1)...]
        var missing = count - add(Array(own), atMost: count, request)
        var (edge, walk) = (side.edge(of: page), PageWalk())
        var known = Set(page.messages.map(\.id))
        // A page of long messages has few: to ask for many would read them in vain.
        var size = max(1, page.messages.count)
        while missing > 0, let next = walk.next(beyond: edge, isNewer: side == .after) {
            let request = PageRequest(
                conversation: request.conversation, position: next.position, limit: min(missing, 4 * size))
            let page = try await store.page(request)
            size = max(1, page.messages.count)
            // A page beyond a gap is around a message: it may reach back into what is known.
            missing -= add(page.messages.filter { known.insert($0.id).inserted }, atMost: missing, request)
            edge = side.edge(of: page)
        }
    }

    private enum Side {
        case before, after

        func edge(of page: Page) -> Page.Edge { self == .before ? page.older : page.newer }
    }

    /// The lines for people, as on the screen of `open`, below a line that names the place.
    private func screen(_ found: Found, me: PersonID?, _ store: any MessageReading) throws -> [String] {
        var messages: [Message] = []
        try found.forEach { messages += $0 }
        let title: Line = [
            Span(" " + CleanText(found.conversation.title), Style(.standard, .bold)), Span("   "),
            Span(CleanText(link), .dim),
        ]
        let lines = PrintedMessages.lines(
            of: messages, target: found.target, columns: Output.columns, zone: Config.ofUser.zoneOfScreen, me: me,
            now: .now)
        let styled = StyledText(Config.themeOfOutput)
        return ([title.truncated(to: Output.columns)] + lines).map(styled.text)
    }

    private static func row(_ message: Message, in conversation: ConversationID, isTarget: Bool) -> [Cell] {
        [
            Cell(Link(conversation: conversation, message: message.id).description, isTarget ? .target : .time),
            Cell(Zone.local.minute(message.at), .time), Cell(message.sender?.name ?? "", .name),
            message.isDeleted
                ? Cell("message deleted") : Cell(text: message.text, files: message.attachments.map(\.name)),
        ]
    }
}

/// All messages of a main timeline or of a thread from one to another, in the order of the conversation, some at a time: only a page of
/// them is in memory.
struct MessageRange: Sendable {
    private static let pageSize = 500

    private let store: any MessageReading
    private let conversation: ConversationID
    /// The root of the thread; nil for the main timeline.
    private let thread: MessageID?
    private let first: MessageID
    private let last: MessageID
    /// True if replies in threads stand after their roots.
    private let hasReplies: Bool

    /// The remaining messages of the last page, and the replies that come before them.
    private var left: ArraySlice<Message> = []
    private var replies: ThreadPages?
    /// The next page; nil after the last one.
    private var position: PageRequest.Position?
    private var walk = PageWalk()
    private var isAtLast = false

    /// - Parameters:
    ///   - one, other: the ends, in either order. A reply in a thread stands for the root of its thread.
    ///   - thread: the root of the thread for a range of its replies; nil for the main timeline.
    ///   - hasReplies: true to put replies in threads after their roots. For two replies in one thread the range is the
    ///     part of the thread between them.
    /// - Throws: `noSuchMessage` if one of them does not exist, or no way leads from one to the other.
    init(
        _ one: MessageID, _ other: MessageID, in conversation: ConversationID, thread: MessageID? = nil,
        hasReplies: Bool = false, of store: any MessageReading
    ) async throws(StoreError) {
        var ends = (try await store.message(one, in: conversation), try await store.message(other, in: conversation))
        var thread = thread
        if hasReplies, let root = ends.0.thread, root == ends.1.thread, !ends.0.isMain, !ends.1.isMain { thread = root }
        if thread == nil {
            ends.0 = try await Self.main(of: ends.0, in: conversation, of: store)
            ends.1 = try await Self.main(of: ends.1, in: conversation, of: store)
        }
        // Times need not rise, so they only decide which way is tried first.
        if ends.0.at > ends.1.at { ends = (ends.1, ends.0) }
        for (first, last) in [(ends.0.id, ends.1.id), (ends.1.id, ends.0.id)] {
            self.init(first, last, conversation, thread, hasReplies: hasReplies, store)
            if try await reachesEnd() { return }
        }
        throw .noSuchMessage(other, in: conversation)
    }

    private init(
        _ first: MessageID, _ last: MessageID, _ conversation: ConversationID, _ thread: MessageID?, hasReplies: Bool,
        _ store: any MessageReading
    ) {
        (self.first, self.last, self.conversation, self.thread) = (first, last, conversation, thread)
        (self.hasReplies, self.store, position) = (hasReplies, store, .message(first))
    }

    /// The message of the main timeline below which a message stands: the root of its root if that is a reply too.
    private static func main(
        of message: Message, in conversation: ConversationID, of store: any MessageReading
    ) async throws(StoreError) -> Message {
        var (message, known) = (message, Set([message.id]))
        while !message.isMain, let root = message.thread, known.insert(root).inserted {
            message = try await store.message(root, in: conversation)
        }
        return message
    }

    /// True if the last message stands after the first one, or is the same.
    private func reachesEnd() async throws(StoreError) -> Bool {
        var (page, walk) = (try await page(.message(first)), PageWalk())
        guard let start = page.messages.firstIndex(where: { $0.id == first }) else { return false }
        if page.messages[start...].contains(where: { $0.id == last }) { return true }
        // The store does not know places without an index.
        if let place = page.place {
            let end = try await self.page(.message(last), 1)
            if end.messages.map(\.id) == [last], let end = end.place { return place.index + start <= end.index }
        }
        while let next = walk.next(beyond: page.newer) {
            page = try await self.page(next.position)
            if page.messages.contains(where: { $0.id == last }) { return true }
        }
        return false
    }

    /// - Returns: the next messages, and the rest of the range; nil after the last message.
    func next() async throws(StoreError) -> (messages: [Message], rest: MessageRange?) {
        var rest = self
        if let pages = replies {
            let (messages, more) = try await pages.next()
            rest.replies = more
            return (messages, rest.isOver ? nil : rest)
        }
        if left.isEmpty {
            guard let position else { throw .noSuchMessage(last, in: conversation) }
            let page = try await page(position)
            rest.left = page.messages[...]
            if case .message(first) = position { rest.left = rest.left.drop { $0.id != first } }
            rest.position = rest.walk.next(beyond: page.newer)?.position
            if let end = rest.left.firstIndex(where: { $0.id == last }) {
                (rest.left, rest.isAtLast) = (rest.left[...end], true)
            }
        }
        var messages = rest.left
        rest.left = []
        if hasReplies, let root = messages.firstIndex(where: { $0.replyCount > 0 }) {
            rest.replies = ThreadPages(of: messages[root].id, in: conversation, of: store)
            rest.left = messages[(root + 1)...]
            messages = messages[...root]
        }
        return (Array(messages), rest.isOver ? nil : rest)
    }

    private var isOver: Bool { isAtLast && left.isEmpty && replies == nil }

    private func page(
        _ position: PageRequest.Position, _ limit: Int = MessageRange.pageSize
    ) async throws(StoreError) -> Page {
        try await store.page(
            PageRequest(conversation: conversation, thread: thread, position: position, limit: limit))
    }
}

/// Messages in their order, page by page. Pages are kept as long as they fit into memory; the others are read again
/// when needed.
struct MessagePieces: Sendable {
    private struct Piece: Sendable {
        /// The messages; nil to read them again.
        var messages: [Message]?
        let ids: [MessageID]
        let weight: Int
        /// The request for the page; nil for messages that are always kept.
        let request: PageRequest?

        init(_ messages: some Collection<Message>, _ request: PageRequest?) {
            self.messages = Array(messages)
            ids = messages.map(\.id)
            weight = messages.reduce(0) { $0 + $1.weight }
            self.request = request
        }
    }

    /// The most bytes of messages to keep: one page may exceed it.
    static let mostBytes = 2 << 20

    private var pieces: [Piece] = []
    /// The bytes of the kept messages.
    private(set) var weight = 0

    init() {}

    /// - Parameter messages: the messages, which are always kept.
    init(_ messages: [Message]) { append(messages) }

    mutating func prepend(_ messages: some Collection<Message>, _ request: PageRequest) {
        add(Piece(messages, request), at: 0)
    }

    /// - Parameter request: the page that has them; nil to keep them.
    mutating func append(_ messages: some Collection<Message>, _ request: PageRequest? = nil) {
        add(Piece(messages, request), at: pieces.count)
    }

    private mutating func add(_ piece: Piece, at index: Int) {
        guard !piece.ids.isEmpty else { return }
        pieces.insert(piece, at: index)
        weight += piece.weight
        // The pieces that are printed last are left out first.
        for index in pieces.indices.reversed() where weight > MessagePieces.mostBytes {
            guard pieces[index].request != nil, pieces[index].messages != nil else { continue }
            pieces[index].messages = nil
            weight -= pieces[index].weight
        }
    }

    /// Calls `body` with the messages of each piece.
    /// - Throws: the errors of reading pages and of `body`.
    func forEach(of store: any MessageReading, _ body: ([Message]) throws -> Void) throws {
        for piece in pieces {
            if let messages = piece.messages {
                try body(messages)
                continue
            }
            guard let request = piece.request else { continue }
            let wanted = Set(piece.ids)
            try body(
                try waiting { () async throws(StoreError) in
                    let found = try await store.page(request).messages.filter { wanted.contains($0.id) }
                    // The page has other messages when some have arrived meanwhile.
                    return found.count == wanted.count
                        ? found : try await store.messages(wanted, in: request.conversation)
                })
        }
    }
}

/// The index for replies in threads: without it, they are searched for in the rest of the log. An output without
/// threads does not wait for the index of a whole archive.
struct ThreadIndex {
    private var isMade = false

    /// Call this before each thread.
    mutating func make(of id: ConversationID, in store: any UnreadCounting) throws {
        guard !isMade else { return }
        isMade = true
        // Counting makes the index.
        _ = try waiting { () async throws(StoreError) in try await store.summary(of: id) }
    }
}

/// The replies in a thread that are not in the main timeline too, page by page: a thread may be longer than memory. The replies to
/// a reply follow it.
struct ThreadPages: Sendable {
    private static let pageSize = 500

    /// The rest of one thread.
    private struct Level: Sendable {
        let root: MessageID
        /// The remaining messages of the last page.
        var left: ArraySlice<Message> = []
        /// The next page; nil after the last one.
        var position: PageRequest.Position? = .earliest
        var walk = PageWalk()

        var isOver: Bool { left.isEmpty && position == nil }
    }

    private let store: any MessageReading
    private let conversation: ConversationID
    /// The thread, and those of its replies to which the last messages belong.
    private var levels: [Level]
    /// The roots so far: messages may name each other as roots.
    private var roots: Set<MessageID>

    /// The pages from the first reply on.
    init(of root: MessageID, in conversation: ConversationID, of store: any MessageReading) {
        (self.conversation, self.store) = (conversation, store)
        (levels, roots) = ([Level(root: root)], [root])
    }

    /// - Returns: the next replies, and the pages after them; nil after the last one.
    func next() async throws(StoreError) -> (replies: [Message], rest: ThreadPages?) {
        var rest = self
        guard var level = rest.levels.popLast() else { return ([], nil) }
        if level.left.isEmpty, let position = level.position {
            let page = try await store.page(
                PageRequest(
                    conversation: conversation, thread: level.root, position: position, limit: ThreadPages.pageSize))
            level.left = page.messages.filter { !$0.isMain }[...]
            level.position = level.walk.next(beyond: page.newer)?.position
        }
        var replies = level.left
        level.left = []
        let root = replies.firstIndex { $0.replyCount > 0 && rest.roots.insert($0.id).inserted }
        if let root {
            level.left = replies[(root + 1)...]
            replies = replies[...root]
        }
        if !level.isOver { rest.levels.append(level) }
        if let root { rest.levels.append(Level(root: replies[root].id)) }
        return (Array(replies), rest.levels.isEmpty ? nil : rest)
    }
}
