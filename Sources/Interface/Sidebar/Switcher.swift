import Display
import Messages
import Search
import Timeline

/// The list of conversations, from which the user chooses by some letters of a title, a topic or a name.
struct Switcher: Hashable, Sendable {
    /// A list that arrives within this time is shown only when it is complete.
    static let grace = Duration.milliseconds(150)
    /// The ID of the previews of the switcher. Previews of the search everywhere have IDs from 1.
    static let previewEpoch = -1
    /// The reason why no conversation can be made here; nil if one can.
    var obstacleToMaking: String?
    /// True if rooms of a server can be joined.
    var canJoin = false

    private(set) var field = TextField()
    /// The summary of each conversation, without count and times until the store has loaded it.
    private(set) var known: [ConversationID: ConversationSummary] = [:]
    /// Distinguishes conversations of equal titles.
    private(set) var namesakes = Namesakes()
    /// The order of the conversations: first those with mentions, then those with other unread messages, each by the last message
    /// of a person, the latest first. The others follow space by space, beginning with those outside all spaces. Conversations
    /// whose summary is not loaded yet are at the end of their space, by title.
    private(set) var order: [ConversationID] = []
    /// The conversations with unread messages, listed before all spaces.
    private var unread: Set<ConversationID> = []
    /// The invitations, listed before all conversations.
    private(set) var invitations: [Invitation] = []
    private(set) var rows: [SwitcherRow] = []
    /// The lines of the list: its rows, and the titles of spaces.
    private(set) var lines: [SwitcherLine] = []
    private(set) var selected = 0
    /// True if the user has chosen a row or narrowed the list. Before that, the cursor stays at the conversation before the
    /// current one.
    private(set) var isPicked = false
    /// The number of times that the switcher was opened.
    private(set) var epoch = 0
    /// True if the list is shown: as soon as it is complete, or a part of it if loading takes long.
    var isShown = false
    /// The failed requests for the list.
    var retries = Retries()
    /// True if a new conversation is being made, which will be opened.
    var isMaking = false
    /// The conversation on the screen, and the one before it.
    private var current: ConversationID?
    private var former: ConversationID?
    /// The first visible row.
    private var first = 0

    var isEmpty: Bool { order.isEmpty }

    /// The latest conversation with unread messages.
    /// - Parameter shown: the part of them that counts.
    func firstUnread(
        besides id: ConversationID?, _ shown: (ConversationID, Unread) -> Unread
    ) -> Conversation? {
        order.first { $0 != id && known[$0].map { !shown($0.conversation.id, $0.unread).isEmpty } ?? false }
            .flatMap { known[$0]?.conversation }
    }

    func summary(of id: ConversationID) -> ConversationSummary? { known[id] }

    func conversation(_ id: ConversationID) -> Conversation? { known[id]?.conversation }

    mutating func open(in current: ConversationID?, after former: ConversationID?) {
        epoch += 1
        (self.current, self.former) = (current, former)
        field = TextField()
        retries = Retries()
        isMaking = false
        isPicked = false
        first = 0
        filter()
        selectFirst()
    }

    /// Selects the conversation before the current one, so that opening the switcher and Enter go back and forth.
    private mutating func selectFirst() {
        let ids = rows.map(\.conversation?.id)
        selected =
            former.flatMap(ids.firstIndex) ?? ids.firstIndex { $0 != nil && $0 != current } ?? ids.firstIndex {
                $0 != nil
            }
            ?? 0
    }

    mutating func take(_ invitations: [Invitation]) { self.invitations = invitations }

    mutating func take(_ conversations: [Conversation]) {
        let old = known
        known = [:]
        namesakes = Namesakes(conversations)
        for conversation in conversations {
            let summary = old[conversation.id]
            known[conversation.id] = ConversationSummary(
                conversation: conversation, count: summary?.count ?? 0, presence: summary?.presence ?? 0,
                first: summary?.first, last: summary?.last, newest: summary?.newest, spoken: summary?.spoken,
                unread: summary?.unread ?? Unread()
            )
        }
        let listed = Set(order)
        order = order.filter { known[$0] != nil } + conversations.map(\.id).filter { !listed.contains($0) }
        groupBySpace()
        retries.begin()
        keepingSelection { $0.filter() }
    }

    /// Shows the summaries that arrived after the list was shown.
    mutating func show() { if isShown { keepingSelection { $0.filter() } } }

    /// Stores a summary. It is shown when all summaries have come.
    mutating func take(_ summary: ConversationSummary) { known[summary.conversation.id] = summary }

    /// Orders the list after all summaries have come.
    mutating func finish(_ reading: Reading) {
        // If nobody has written anywhere, all conversations are ordered by their last lines, such as reports of the connection.
        let hasPeople = known.values.contains { $0.spoken != nil }
        func rank(_ id: ConversationID) -> (class: Int, people: Int, last: Int64) {
            guard let summary = known[id] else { return (0, 0, .min) }
            let unread = reading.shown(summary.unread(with: reading.elsewhere[id]), in: id)
            let people = summary.spoken != nil || !hasPeople
            let isNew = unread.count > 0 && people
            let last = summary.spoken ?? summary.last
            return (unread.mentions > 0 ? 2 : isNew ? 1 : 0, people ? 1 : 0, last?.milliseconds ?? .min)
        }
        order = order.enumerated().map { (rank: rank($0.element), place: -$0.offset, id: $0.element) }
            .sorted { a, b in
                (a.rank.class, a.rank.people, a.rank.last, a.place) > (
                    b.rank.class, b.rank.people, b.rank.last, b.place
                )
            }
            .map(\.id)
        unread = Set(order.filter { rank($0).class > 0 })
        groupBySpace()
        keepingSelection { $0.filter() }
        isShown = true
    }

    /// Groups the conversations by space. Their order in each space stays.
    private mutating func groupBySpace() {
        func place(_ id: ConversationID) -> Int {
            unread.contains(id) ? -2 : known[id]?.conversation.space?.place ?? -1
        }
        order = order.enumerated().map { (place: place($0.element), offset: $0.offset, id: $0.element) }
            .sorted { ($0.place, $0.offset) < ($1.place, $1.offset) }.map(\.id)
    }

    /// True if the conversation is listed before all spaces, since it has unread messages.
    func isUnread(_ id: ConversationID) -> Bool { unread.contains(id) }

    /// Selects the rows that match the typed letters.
    private mutating func filter() {
        (rows, lines) = matching()
        selected = min(selected, max(0, rows.count - 1))
    }

    private mutating func keepingSelection(_ change: (inout Switcher) -> Void) {
        let id = isShown && isPicked ? selectedRow?.id : nil
        change(&self)
        if !isPicked { selectFirst() }
        if let id, let index = rows.firstIndex(where: { $0.id == id }) { selected = index }
    }

    var selectedRow: SwitcherRow? { rows.indices.contains(selected) ? rows[selected] : nil }

    var selectedConversation: Conversation? { selectedRow?.conversation }

    private mutating func move(by step: Int) {
        isPicked = true
        selected = min(max(0, selected + step), max(0, rows.count - 1))
    }

    /// The rows of the list on a screen of this size.
    static func height(_ size: Size, on grid: Grid) -> Int { PreviewLayout.switcher(size, on: grid).list.rows }

    /// Scrolls as little as possible to show the selected row in a list of this height.
    mutating func scroll(height: Int) { first = visible(height: height).lowerBound }

    /// The lines that a list of this height shows. The title of a space is shown with its first conversation.
    func visible(height: Int) -> Range<Int> {
        let height = max(1, height)
        let line = lines.firstIndex(of: .row(selected)) ?? 0
        let top = height > 1 && line > 0 && lines[line - 1].isHeading ? line - 1 : line
        let first = max(0, min(max(self.first, line - height + 1), top, lines.count - height))
        return first..<min(lines.count, first + height)
    }
}

extension Switcher: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        defer { scroll(height: Switcher.height(context.size, on: context.main.grid)) }
        switch event {
        case .text, .edit: return field.take(event)
        case .settled:
            // A key that only moves the cursor in the text selects nothing.
            guard field.settle() else { return [] }
            isPicked = !field.isEmpty
            selected = 0
            filter()
            if !isPicked { selectFirst() }
            return []
        case .action(let action): return act(action, in: context)
        case .mouse(let mouse): return use(mouse, in: context)
        case .key: return []
        }
    }

    private mutating func act(_ action: Action, in context: Context) -> [Outcome] {
        let page = max(1, Switcher.height(context.size, on: context.main.grid) - 1)
        switch action {
        case .cancel:
            return [.close, .effect(context.hasConversation ? .stop(.conversations) : .quit(.done))]
        case .activate: return openSelected()
        case .markRead: return selectedConversation.map { [.list(.mark(.read, $0.id))] } ?? []
        case .markUnread: return selectedConversation.map { [.list(.mark(.unread, $0.id))] } ?? []
        case .mute: return selectedConversation.map { [.list(.mute($0.id))] } ?? []
        case .makeConversation:
            if let obstacleToMaking { return [.warn(obstacleToMaking)] }
            guard let newTitle else { return [] }
            isMaking = true
            return [.effect(.ask(.make(newTitle)))]
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .beginning: move(by: -rows.count)
        case .end: move(by: rows.count)
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        default: break
        }
        return []
    }

    private mutating func use(_ mouse: Mouse, in context: Context) -> [Outcome] {
        switch mouse.action {
        case .wheelUp: move(by: -1)
        case .wheelDown: move(by: 1)
        case .press(let clicks):
            let visible = visible(height: Switcher.height(context.size, on: context.main.grid))
            let row = mouse.position.row - 1
            guard visible.indices.contains(visible.lowerBound + row), row >= 0,
                mouse.position.column < PreviewLayout.switcher(context.size, on: context.main.grid).list.columns,
                case .row(let index) = lines[visible.lowerBound + row]
            else { return [] }
            isPicked = true
            selected = index
            if clicks == 2 { return openSelected() }
        case .drag, .release: break
        }
        return []
    }

    private mutating func openSelected() -> [Outcome] {
        if retries.reason != nil, isEmpty { return [.list(.load)] }
        switch selectedRow?.content {
        case .conversation(let summary): return [.close, .go(nil, in: summary.conversation)]
        case .invitation(let invitation): return [.prompt(.invitation(invitation))]
        case .address(let address): return [.list(.join(address, name: address))]
        case nil: return [.lost]
        }
    }

    /// True if there is nothing to choose from yet. After a failure, keys that wait already keep waiting for the next try.
    func awaitsList(hasHeld: Bool) -> Bool { !isShown && (retries.reason == nil || hasHeld) }

    /// The typed text as the title of a new conversation; nil if there is none.
    var newTitle: String? { field.text.contains { !$0.isWhitespace } ? field.text : nil }
}

/// The rows that match the typed letters.
extension Switcher {
    /// Without letters, all rows under the titles of their spaces. With letters, the best match first; of equal matches, the
    /// latest first.
    func matching() -> (rows: [SwitcherRow], lines: [SwitcherLine]) {
        let pattern = FuzzyPattern(field.text)
        let words = field.text.split(whereSeparator: \.isWhitespace).count
        let all =
            invitations.map { SwitcherRow(content: .invitation($0)) }
            + order.compactMap { id in known[id].map { SwitcherRow(content: .conversation($0)) } }
        guard words > 0 else { return (all, lines(of: all)) }
        let scored = all.compactMap { row in Switcher.score(row, pattern, words: words) }
        // The offset keeps rows of equal scores in their order.
        let sorted = scored.enumerated().sorted {
            ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
        }
        let rows = joinable.map { [SwitcherRow(content: .address($0))] } ?? []
        let found = rows + sorted.map(\.element.row)
        return (found, found.indices.map { .row($0) })
    }

    /// The lines for rows: each space has its title above its first row. Rows with unread messages are listed without a title.
    private func lines(of rows: [SwitcherRow]) -> [SwitcherLine] {
        var lines: [SwitcherLine] = []
        var last: Space?
        for (index, row) in rows.enumerated() {
            let space = row.conversation.flatMap { isUnread($0.id) ? nil : $0.space }
            if let space, space.id != last?.id { lines.append(.heading(space.title)) }
            last = space
            lines.append(.row(index))
        }
        return lines
    }

    /// The typed text, if it is the address of a room that is not in the list.
    private var joinable: String? {
        let words = field.text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard canJoin, words.count == 1, let text = words.first, Switcher.isAddress(text) else { return nil }
        let isKnown = known.values.contains {
            $0.conversation.title == text || $0.conversation.address?.hasSuffix("/" + text) == true
        }
        return isKnown ? nil : text
    }

    /// True for `#harbour:example.org`, `!AbC:example.org`, the longer IDs without a server, or a link of matrix.to.
    private static func isAddress(_ text: String) -> Bool {
        if text.hasPrefix("https://matrix.to/#/") || text.hasPrefix("matrix:r") { return true }
        let server = text.firstIndex(of: ":").map { text[$0...].dropFirst() } ?? ""
        if text.hasPrefix("#") { return text.count > 2 && !server.isEmpty }
        return text.hasPrefix("!") && (!server.isEmpty || text.count > 40)
    }

    /// A match in the title counts more than one in the topic or in a name. In topics and names the letters must be adjacent,
    /// since almost any long text contains them somewhere.
    private static func score(
        _ row: SwitcherRow, _ pattern: FuzzyPattern, words: Int
    ) -> (score: Int, row: SwitcherRow)? {
        let title: String
        var asides: [(part: SwitcherRow.Match.Part, text: String)] = []
        switch row.content {
        case .conversation(let summary):
            let conversation = summary.conversation
            title = conversation.title
            asides = [(.id, conversation.id.rawValue), (.topic, conversation.topic ?? "")]
            if let space = conversation.space { asides.append((.space, space.title)) }
            asides += conversation.members.map { (.people, $0.name) }
        case .invitation(let invitation):
            title = invitation.name
            if let sender = invitation.sender { asides.append((.people, sender.name)) }
        case .address: return nil
        }
        func matched(_ part: SwitcherRow.Match.Part, _ text: String, _ ranges: [Range<Int>]) -> SwitcherRow {
            SwitcherRow(content: row.content, match: SwitcherRow.Match(part: part, text: text, ranges: ranges))
        }
        if let match = pattern.match(title) { return (match.score * 2, matched(.title, title, match.ranges)) }
        let matches = asides.compactMap { part, text -> (score: Int, row: SwitcherRow)? in
            guard let match = pattern.match(text), match.ranges.count <= words else { return nil }
            return (match.score, matched(part, text, match.ranges))
        }
        return matches.max { $0.score < $1.score }
    }
}

/// A row of the list of conversations that the user can choose.
struct SwitcherRow: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case conversation(ConversationSummary)
        case invitation(Invitation)
        /// A room that can be joined, by its typed address.
        case address(String)
    }

    /// The text with the matched letters.
    struct Match: Hashable, Sendable {
        enum Part: Hashable, Sendable { case title, id, topic, people, space }

        let part: Part
        let text: String
        /// UTF-8 offsets in `text`.
        let ranges: [Range<Int>]
    }

    enum ID: Hashable, Sendable {
        case conversation(ConversationID)
        case invitation(String)
        case address
    }

    let content: Content
    var match: Match?

    var id: ID {
        switch content {
        case .conversation(let summary): .conversation(summary.conversation.id)
        case .invitation(let invitation): .invitation(invitation.id)
        case .address: .address
        }
    }

    var summary: ConversationSummary? { if case .conversation(let summary) = content { summary } else { nil } }
    var conversation: Conversation? { summary?.conversation }
}

/// A line of the list of conversations.
enum SwitcherLine: Hashable, Sendable {
    /// The title of the space of the conversations below it.
    case heading(String)
    /// The row with this index.
    case row(Int)

    var isHeading: Bool { if case .heading = self { true } else { false } }
}

extension Switcher {
    /// Counts a new message of a conversation. The order of an open list stays.
    mutating func note(_ arrival: Arrival, _ unread: Unread) {
        guard let summary = summary(of: arrival.conversation) else { return }
        let message = arrival.message
        let isSpoken = message.kind != .system
        take(
            ConversationSummary(
                conversation: summary.conversation, count: summary.count + 1,
                presence: summary.presence + (message.presence == nil ? 0 : 1), first: summary.first ?? message.at,
                last: message.isMain ? message.at : summary.last,
                newest: message.isMain && (isSpoken || summary.spoken == nil) ? message : summary.newest,
                spoken: message.isMain && isSpoken ? message.at : summary.spoken,
                unread: summary.unread + unread))
    }

    /// Removes the badge of a conversation that was read to its end.
    mutating func noteRead(_ id: ConversationID) {
        guard let summary = summary(of: id), !summary.unread.isEmpty else { return }
        take(summary.with(Unread()))
    }
}

extension ConversationSummary {
    /// The unread messages and mentions: the larger of what the store counts and what is new in this session. The store counts
    /// none for a conversation that was never opened.
    func unread(with elsewhere: NewElsewhere?) -> Unread {
        let new = elsewhere?.unread ?? Unread()
        return Unread(count: max(unread.count, new.count), mentions: max(unread.mentions, new.mentions))
    }
}
