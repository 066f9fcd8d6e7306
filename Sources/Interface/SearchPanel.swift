import Display
import Messages
import Search
import Timeline

/// The search over all conversations: what is typed, what was found, and what stands around the selected hit. It stays as
/// it is while it is closed.
struct SearchPanel: Sendable {
    /// Hits that are shown at first. Who goes to the last of them is shown twice as many.
    static let firstLimit = 1_000
    /// Bytes of a hit's text: it has one row.
    static let textLimit = 4_096

    var field = TextField()
    /// What the hits are hits of.
    var query = ResolvedQuery(Query(""))
    /// Names the search under way.
    var epoch = 0
    var limit = SearchPanel.firstLimit
    /// How many hits the search under way has counted beyond the limit.
    var more: [ConversationID: Int] = [:]
    /// How many hits there are, as far as they were all counted: for more of them to be shown, they need not be again.
    private(set) var counts: [ConversationID: Int]?
    /// What the search under way has found.
    var incoming: [Hit] = []
    var list: Timeline<ResultRuler>
    var state = State.idle
    /// Why conversations could not be searched, and how often the whole was tried in vain.
    var failures: [StoreError] = []
    var attempts = 0
    /// Whether Enter was pressed before there was a hit: then the first one is gone to.
    var isAccepting = false
    /// Whether the search under way repeats the last one, whose hits are on the screen until it has caught up.
    var isRefreshing = false
    var preview: Preview?
    /// The hit whose surroundings are on their way.
    var pendingPreview: (epoch: Int, link: Link)?
    private(set) var layout: SearchLayout

    enum State: Hashable, Sendable {
        case idle
        case running(progress: Double)
        case done
        /// Closed before it was done.
        case interrupted
    }

    /// A hit among its neighbours.
    struct Preview: Sendable {
        let link: Link
        var timeline: Timeline<MessageRuler>
        /// Why there is none.
        var failure: String?
    }

    init(size: Size) {
        layout = SearchLayout(size)
        list = Timeline(ruler: ResultRuler(), height: layout.list.rows, capacity: .max, edgeRows: 0, follows: false)
    }

    var isFull: Bool { incoming.count >= limit }
    var selected: Hit? { list.selectedIndex.map { list.list[$0].hit } }

    mutating func resize(_ size: Size) {
        layout = SearchLayout(size)
        list.resize(ruler: ResultRuler(), height: layout.list.rows)
        if let area = layout.preview {
            preview?.timeline.resize(ruler: MessageRuler(grid: Grid(columns: area.columns)), height: area.rows)
        }
    }

    /// All that are known, shown or not.
    private var total: Int {
        let known = counts?.values.reduce(0, +) ?? incoming.count + more.values.reduce(0, +)
        return max(known, list.count)
    }

    mutating func forgetCounts() { (counts, more) = (nil, [:]) }

    /// The search has come to its end.
    mutating func keepCounts() {
        guard counts == nil, failures.isEmpty else { return }
        counts = incoming.reduce(into: more) { $0[$1.conversation, default: 0] += 1 }
    }

    /// `128 hits`
    var standing: String { query.standing(counted) }

    private var counted: String {
        let hits = total == 1 ? "1 hit" : "\(TitleBar.grouped(total)) hits"
        switch state {
        case .idle: return ""
        case .interrupted: return hits
        case .running where counts != nil: return hits
        case .running(let progress):
            let percent = "searching… \(Int(progress * 100))%"
            return incoming.isEmpty || isRefreshing ? percent : "\(hits) so far, " + percent
        case .done:
            if list.count == 0, !failures.isEmpty { return "not searched" }
            let found = list.count == 0 ? "no hits" : hits
            guard let failure = failures.first else { return found }
            let others = failures.count > 1 ? " and \(failures.count - 1) more" : ""
            return "\(found), not all searched: \(failure)\(others)"
        }
    }

    /// The hits as they are shown: by conversation, the one with the newest hit first.
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

/// A hit as an item of a list. The first one of a conversation bears its title.
struct ResultItem: TimelineItem {
    let hit: Hit
    let heading: CleanText?
    /// A blank row stands above the titles but the first.
    let hasBlank: Bool

    var id: Link { hit.id }
    var cursor: Link { hit.id }

    init(_ hit: Hit, heading: (title: String, count: Int)?, isFirst: Bool) {
        self.hit = hit
        self.heading = heading.map { CleanText("\($0.title)  \(TitleBar.grouped($0.count))") }
        hasBlank = heading != nil && !isFirst
    }

    /// Rows above the hit itself.
    var rowsAbove: Int { (heading == nil ? 0 : 1) + (hasBlank ? 1 : 0) }
}

struct ResultRuler: Ruler {
    func measure(_ item: ResultItem) -> ResultRows { ResultRows(rowsAbove: item.rowsAbove) }
}

struct ResultRows: Measurement {
    let rowsAbove: Int

    var height: Int { rowsAbove + 1 }

    // The hit itself is at place 0, what stands above it before.
    func place(ofRow row: Int) -> Int { row - rowsAbove }

    func row(ofPlace place: Int) -> Int { min(max(0, place + rowsAbove), rowsAbove) }
}

/// Where the parts of the search stand: the field on top, the list below it, and beside or below that the messages around
/// the selected hit; on a small screen the list alone.
struct SearchLayout: Hashable, Sendable {
    struct Area: Hashable, Sendable {
        let row: Int
        let column: Int
        let columns: Int
        let rows: Int
    }

    let list: Area
    let preview: Area?
    var isBeside: Bool { preview.map { $0.column > 0 } ?? false }

    init(_ size: Size) {
        let rows = max(1, size.rows - 2)
        let columns = max(1, size.columns)
        if columns >= 110 {
            let left = columns / 2
            list = Area(row: 1, column: 0, columns: left, rows: rows)
            preview = Area(row: 1, column: left + 1, columns: columns - left - 1, rows: rows)
        } else if rows >= 12 {
            let upper = rows * 2 / 5
            list = Area(row: 1, column: 0, columns: columns, rows: upper)
            preview = Area(row: upper + 2, column: 0, columns: columns, rows: rows - upper - 1)
        } else {
            list = Area(row: 1, column: 0, columns: columns, rows: rows)
            preview = nil
        }
    }
}
