import Display
import Messages
import Search
import Timeline

/// The search in all conversations: the typed words, the hits, and the messages around the selected one. It keeps its state
/// while it is closed.
struct SearchPanel: Sendable {
    /// The number of hits at first. It is doubled when the last of them is selected.
    static let firstLimit = 1_000
    /// The bytes of a hit's text that are loaded, since it is shown in one row.
    static let textLimit = 4_096

    var field = TextField()
    /// The query that the hits belong to.
    var query = ResolvedQuery(Query(""))
    /// The ID of the last search.
    var epoch = 0
    var limit = SearchPanel.firstLimit
    /// The number of hits beyond the limit, by conversation, as counted so far by the current search.
    var more: [ConversationID: Int] = [:]
    /// The number of all hits, by conversation, once they are counted. A search with a higher limit need not count them again.
    private(set) var counts: [ConversationID: Int]?
    /// True if the current search counts all hits.
    var isCounting = false
    /// True if messages have come or changed since the current search began, so that hits are missing or outdated.
    var isStale = false
    /// The hits of the current search.
    var incoming: [Hit] = []
    var list: Timeline<ResultRuler>
    var state = State.idle
    /// The errors of conversations that could not be searched, and the number of failed tries.
    var failures: [StoreError] = []
    var attempts = 0
    /// The hit to select as soon as it is found.
    var wanted: Link?
    /// True if the search repeats the last one. Its hits stay on the screen until the selected one is found again.
    var isRefreshing = false
    /// The messages around the selected hit.
    private(set) var preview = LinkPreview(in: PreviewLayout.search)
    private(set) var layout: PreviewLayout
    private let grid: Grid

    enum State: Hashable, Sendable {
        case idle
        case running(progress: Double)
        case done
        /// The panel was closed before the search was done.
        case interrupted
    }

    /// - Parameter grid: the grid of the conversation on the screen.
    init(size: Size, like grid: Grid) {
        self.grid = grid
        layout = PreviewLayout.search(size, on: grid)
        list = Timeline(ruler: ResultRuler(), height: layout.list.rows, capacity: .max, edgeRows: 0, follows: false)
    }

    var isFull: Bool { incoming.count >= limit }
    var selected: Hit? { list.selectedIndex.map { list.list[$0].hit } }

    mutating func resize(_ size: Size) {
        layout = PreviewLayout.search(size, on: grid)
        list.resize(ruler: ResultRuler(), height: layout.list.rows)
    }

    /// The number of known hits, shown or not.
    private var total: Int {
        let known = counts?.values.reduce(0, +) ?? incoming.count + more.values.reduce(0, +)
        return max(known, list.count)
    }

    mutating func forgetCounts() { (counts, more) = (nil, [:]) }

    /// Stores the counts when the search is done.
    mutating func keepCounts() {
        guard isCounting, failures.isEmpty else { return }
        counts = incoming.reduce(into: more) { $0[$1.conversation, default: 0] += 1 }
    }

    /// `128 hits`
    var standing: String { query.standing(counted, findsNothing: false) }

    private var counted: String {
        let hits = total == 1 ? "1 hit" : "\(total.grouped) hits"
        switch state {
        case .idle: return ""
        case .interrupted: return hits
        case .running where counts != nil: return hits
        case .running(let progress):
            let percent = "searching… \(Int(progress * 100))%"
            return incoming.isEmpty || isRefreshing ? percent : "\(hits) so far, " + percent
        case .done:
            if list.count == 0, !failures.isEmpty { return "not searched" }
            let found = list.count == 0 ? "0 hits" : hits
            guard let failure = failures.first else { return found }
            let others = failures.count > 1 ? " and \(failures.count - 1) more" : ""
            let delay = Pager<Messages.Cursor>.retryDelay(attempts: attempts)
            let next = failures.contains(where: \.isTransient) ? " · next try in \(delay) s" : ""
            return "\(found), not all searched: \(failure)\(others)\(next)"
        }
    }

    /// The conversations with hits, in the order of the list.
    var conversations: [ConversationID] {
        var known: Set<ConversationID> = []
        return (0..<list.count).map { list.list[$0].hit.conversation }.filter { known.insert($0).inserted }
    }

    /// The oldest hit of the next conversation in the list, or the newest hit of the previous one.
    func hit(beyond id: ConversationID, _ direction: FindDirection) -> (hit: Hit, isWrapped: Bool)? {
        let all = conversations
        guard !all.isEmpty else { return nil }
        let here = all.firstIndex(of: id) ?? (direction == .newer ? -1 : 0)
        let index = here + (direction == .newer ? 1 : -1)
        let wanted = all[(index + all.count) % all.count]
        let hits = (0..<list.count).map { list.list[$0].hit }.filter { $0.conversation == wanted }
        return (direction == .newer ? hits.last : hits.first).map { ($0, !all.indices.contains(index)) }
    }

    /// Items for hits, grouped by conversation. The conversation with the newest hit comes first.
    func items(_ hits: [Hit], title: (ConversationID) -> String) -> [ResultItem] {
        var order: [ConversationID] = []
        var groups: [ConversationID: [Hit]] = [:]
        for hit in hits {
            if groups[hit.conversation] == nil { order.append(hit.conversation) }
            groups[hit.conversation, default: []].append(hit)
        }
        return order.enumerated().flatMap { number, id -> [ResultItem] in
            let group = groups[id] ?? []
            let count = max(group.count, counts?[id] ?? 0)
            return group.enumerated().map { index, hit in
                let heading = index == 0 ? (title: title(id), count: count) : nil
                return ResultItem(hit, heading: heading, isFirst: number == 0)
            }
        }
    }
}

extension SearchPanel: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text, .edit: return field.take(event)
        case .settled: return textChanged(in: context)
        case .action(.cancel): return close()
        case .action(.activate): return openHit(in: context)
        case .action(.toggleScope):
            // Esc then restores the screen from before both searches.
            return context.pane.opening == .shown ? close() + [.search(.here(words: field.text))] : []
        case .action(let action): return move(action, in: context)
        case .mouse(let mouse): return use(mouse, in: context)
        case .key: return []
        }
    }

    /// Continues a search everywhere in the next conversation of the list, or in the previous one.
    func goOn(_ direction: FindDirection, words: String, in context: Context) -> [Outcome] {
        guard let here = context.conversation, let (hit, isWrapped) = hit(beyond: here.id, direction) else { return [] }
        let next = context.directory.conversation(hit.conversation)
        let wrapped = isWrapped ? " · search wrapped" : ""
        return [
            .go(.found(hit.message, words: words), in: next),
            .tell("no more in \(here.title), on to \(next.title)\(wrapped)"),
        ]
    }

    /// - Parameters:
    ///   - words: the words of another search; nil to keep the words.
    ///   - link: the hit of that search, to select when it is found.
    mutating func open(words: String? = nil, near link: Link? = nil, in context: Context) -> [Outcome] {
        wanted = link
        var outcomes: [Outcome] = []
        if let words {
            field = TextField(words)
            outcomes += textChanged(in: context)
            reachWanted()
        } else {
            field.select()
        }
        // An interrupted search starts again. Its hits stay in place meanwhile.
        if state == .interrupted || isStale && state == .done {
            let isSame = context.query(field.text, isTyping: true) == query.query
            outcomes += run(isRefreshing: isSame && list.count > 0, in: context)
        }
        return outcomes + wantPreview(in: context)
    }

    /// Closes the search. Later results do not change its list.
    private mutating func close() -> [Outcome] {
        preview.dropPending()
        if case .running = state {
            state = .interrupted
            epoch += 1
        }
        return [.close, .effect(.stop(.search))]
    }

    private mutating func textChanged(in context: Context) -> [Outcome] {
        guard context.query(field.text, isTyping: true) != query.query else { return [] }
        forgetCounts()
        limit = SearchPanel.firstLimit
        attempts = 0
        return run(isRefreshing: false, in: context)
    }

    private mutating func move(_ action: Action, in context: Context) -> [Outcome] {
        wanted = nil
        let screen = max(1, list.viewport.height - 1)
        switch action {
        case .up: list.moveSelection(by: -1)
        case .down: list.moveSelection(by: 1)
        case .beginning: list.moveSelection(by: -list.count)
        case .end: list.moveSelection(by: list.count)
        case .pageUp: list.scrollScreen(by: -screen)
        case .pageDown: list.scrollScreen(by: screen)
        default: return []
        }
        return showMoreHits(in: context) + wantPreview(in: context)
    }

    private mutating func use(_ mouse: Mouse, in context: Context) -> [Outcome] {
        wanted = nil
        switch mouse.action {
        case .wheelUp, .wheelDown: if let rows = mouse.wheelRows { list.scroll(by: rows) }
        case .press(let clicks):
            let area = layout.list
            let row = mouse.position.row - area.row
            guard (0..<area.rows).contains(row), mouse.position.column < area.columns,
                list.select(atScreenRow: row)
            else { return [] }
            if clicks == 2 { return openHit(in: context) }
        case .drag, .release: return []
        }
        return showMoreHits(in: context) + wantPreview(in: context)
    }

    /// Shows more hits when the last one is selected and there may be more.
    private mutating func showMoreHits(in context: Context) -> [Outcome] {
        guard state != .interrupted, isFull, list.selectedIndex == list.count - 1 else { return [] }
        limit *= 2
        return run(isRefreshing: true, in: context)
    }

    /// Enter: goes to the selected hit. The words become the search in the conversation of the hit.
    private mutating func openHit(in context: Context) -> [Outcome] {
        guard let hit = selected, !query.isEmpty else {
            return failures.isEmpty ? [.lost] : [.lost] + retry(epoch, in: context)
        }
        let words = completeWords(for: hit, in: context)
        return close() + [.go(.found(hit.message, words: words), in: context.directory.conversation(hit.conversation))]
    }

    /// True if there is nothing to choose from yet. Hits on the screen may belong to earlier words.
    var awaitsHits: Bool { if case .running = state { incoming.isEmpty && !isRefreshing } else { false } }

    /// The words of the search. The last word is complete if the hit has it as a whole word; else it remains a prefix.
    private func completeWords(for hit: Hit, in context: Context) -> String {
        let conversation = context.directory.conversation(hit.conversation)
        let open = query.text + "*"
        let isWhole = context.complete(query.text).query.accepts(hit, in: conversation)
        return isWhole || !context.complete(open).query.accepts(hit, in: conversation) ? query.text : open
    }
}

// MARK: - Hits

extension SearchPanel {
    private mutating func run(isRefreshing: Bool, in context: Context) -> [Outcome] {
        query = context.typed(field.text)
        epoch += 1
        more = [:]
        incoming = []
        failures = []
        self.isRefreshing = isRefreshing
        guard !query.isEmpty else {
            state = .idle
            show([], in: context)
            return [.effect(.stop(.search))]
        }
        state = .running(progress: 0)
        var request = SearchRequest(query, limit: limit)
        isCounting = counts == nil || isStale
        isStale = false
        request.countsAll = isCounting
        request.textLimit = SearchPanel.textLimit
        return [.effect(.ask(.search(request), .search(epoch: epoch)))]
    }

    mutating func receive(
        _ epoch: Int, _ result: Result<SearchBatch, StoreError>, in context: Context
    ) -> [Outcome] {
        guard self.epoch == epoch, case .running = state else { return [] }
        switch result {
        case .failure(let error): failures.append(error)
        case .success(let batch):
            let isFirst = incoming.isEmpty && !isRefreshing
            incoming += batch.hits
            more.merge(batch.more) { $0 + $1 }
            state = .running(progress: batch.progress)
            guard !batch.hits.isEmpty else { return [] }
            if isRefreshing {
                let id = selected?.id
                guard incoming.contains(where: { $0.id == id }) else { return [] }
                isRefreshing = false
            }
            if isFirst { show(incoming, in: context) } else { updateHits(in: context) }
            reachWanted()
        }
        return wantPreview(in: context)
    }

    mutating func end(_ epoch: Int, in context: Context) -> [Outcome] {
        guard self.epoch == epoch, case .running = state else { return [] }
        state = .done
        keepCounts()
        // Only now is it known that nothing was found, or that a repeated search has the same hits.
        if incoming.isEmpty {
            show([], in: context)
        } else if isRefreshing || isCounting {
            updateHits(in: context)
        }
        isRefreshing = false
        return retryLater() + refreshLater() + wantPreview(in: context)
    }

    /// Retries a search that a slow or failing store could not finish, like a failed page.
    private mutating func retryLater() -> [Outcome] {
        guard failures.contains(where: \.isTransient) else { return [] }
        attempts += 1
        return [.effect(.retry(.search(epoch: epoch), afterFailures: attempts))]
    }

    mutating func retry(_ epoch: Int, in context: Context) -> [Outcome] {
        guard self.epoch == epoch, state == .done else { return [] }
        forgetCounts()
        return run(isRefreshing: list.count > 0, in: context)
    }

    /// Handles new or changed messages. A closed search is repeated when it is opened again.
    mutating func take(_ messages: [Message], in id: ConversationID, context: Context) -> [Outcome] {
        guard !isStale, !query.isEmpty, query.accepts(context.directory.conversation(id)) else { return [] }
        let known = incoming.lazy.filter { $0.conversation == id }
        isStale = messages.contains { message in
            let isHit = query.accepts(message)
            guard let hit = known.first(where: { $0.message == message.id }) else { return isHit }
            return !isHit || hit.text != message.text.beginning(SearchPanel.textLimit)
        }
        return context.panel == .search ? refreshLater() : []
    }

    /// Repeats the search once for all changes within half a second.
    private func refreshLater() -> [Outcome] {
        isStale && state == .done ? [.effect(.wait(.milliseconds(500), .pause(.results(epoch))))] : []
    }

    mutating func refresh(_ epoch: Int, in context: Context) -> [Outcome] {
        guard self.epoch == epoch, isStale, state == .done else { return [] }
        return run(isRefreshing: list.count > 0, in: context)
    }

    /// Shows the hits of a new query, from the first hit on.
    private mutating func show(_ hits: [Hit], in context: Context) {
        let items = items(hits) { context.directory.conversation($0).title }
        if items.isEmpty { preview.forget() }
        do {
            try list.open(
                items, older: .end, newer: .end, start: 0, total: items.count, focus: items.first?.id,
                alignment: .top, following: false)
        } catch {
            failures.append(.unavailable(error.description))
        }
    }

    /// Shows more hits of the same query. The selected hit stays in place.
    private mutating func updateHits(in context: Context) {
        let items = items(incoming) { context.directory.conversation($0).title }
        do {
            try list.apply(items, start: 0, total: items.count)
        } catch {
            failures.append(.unavailable(error.description))
        }
    }

    /// Selects the hit of the previous search, once it is in the list, unless the user has moved.
    private mutating func reachWanted() {
        guard let link = wanted, list.jump(to: link, aligned: .middle) else { return }
        wanted = nil
    }

    /// Shows titles of conversations that have become known.
    mutating func nameResults(in context: Context) {
        if !isRefreshing, !incoming.isEmpty { updateHits(in: context) }
    }
}

// MARK: - Preview

extension SearchPanel {
    /// Requests the messages around the selected hit.
    mutating func wantPreview(in context: Context) -> [Outcome] {
        let request = preview.want(selected?.id, limit: Prefetch.standard.limit, in: context)
        return request.map { [.effect(.ask(.page($0), .preview(epoch: preview.number)))] } ?? []
    }

    mutating func receivePreview(
        _ epoch: Int, _ result: Result<Page, StoreError>, in context: Context
    ) -> [Outcome] {
        guard epoch == preview.number, preview.wanted != nil else { return [] }
        preview.receive(result, showing: query, in: context)
        var again: Effect?
        if case .failure(let error) = result { again = preview.retryLater(error, .preview(epoch: epoch)) }
        return (again.map { [.effect($0)] } ?? []) + wantPreview(in: context)
    }

    /// Requests a preview of the selected hit after a failed preview and a pause.
    mutating func retryPreview(_ epoch: Int, in context: Context) -> [Outcome] {
        guard epoch == preview.number, preview.wanted != nil else { return [] }
        preview.forgetFailed()
        return wantPreview(in: context)
    }
}

extension Query {
    /// True if a hit of another query matches this one, by its text, its sender and its conversation.
    fileprivate func accepts(_ hit: Hit, in conversation: Conversation) -> Bool {
        (!dependsOnText || matches(hit.text))
            && (filters.senders.isEmpty || filters.senders.contains { hit.sender.map($0.names) ?? false })
            && (filters.conversations.isEmpty || filters.conversations.contains { $0.names(conversation) })
    }
}

/// A hit as an item of the list. The first hit of a conversation has the conversation's title above it.
struct ResultItem: TimelineItem {
    let hit: Hit
    let heading: CleanText?
    /// True if a blank row stands above the title.
    let hasBlank: Bool

    var id: Link { hit.id }
    var cursor: Link { hit.id }

    init(_ hit: Hit, heading: (title: String, count: Int)?, isFirst: Bool) {
        self.hit = hit
        self.heading = heading.map { CleanText("\($0.title)  \($0.count.grouped)") }
        hasBlank = heading != nil && !isFirst
    }

    /// The rows above the hit.
    var rowsAbove: Int { (heading == nil ? 0 : 1) + (hasBlank ? 1 : 0) }
}

struct ResultRows: Measurement {
    let rowsAbove: Int

    var height: Int { rowsAbove + 1 }

    // The hit has the place 0, and the rows above it have negative places.
    func place(ofRow row: Int) -> Int { row - rowsAbove }

    func row(ofPlace place: Int) -> Int { min(max(0, place + rowsAbove), rowsAbove) }
}

struct ResultRuler: Ruler {
    func measure(_ item: ResultItem) -> ResultRows { ResultRows(rowsAbove: item.rowsAbove) }
}
