import Display
import Messages
import Search
import Timeline

/// The search over all conversations: the typed words, the hits, and the messages around the selected one. It stays as
/// it is while it is closed.
struct SearchPanel: Sendable {
    /// Hits that are shown at first. When the last of them is selected, twice as many are shown.
    static let firstLimit = 1_000
    /// Bytes of a hit's text: it has one row.
    static let textLimit = 4_096

    var field = TextField()
    /// The query of the hits.
    var query = ResolvedQuery(Query(""))
    /// Names the search under way.
    var epoch = 0
    var limit = SearchPanel.firstLimit
    /// How many hits the search under way has counted beyond the limit.
    var more: [ConversationID: Int] = [:]
    /// How many hits there are, as far as they were all counted: for more of them to be shown, they need not be again.
    private(set) var counts: [ConversationID: Int]?
    /// The hits that the search under way has found.
    var incoming: [Hit] = []
    var list: Timeline<ResultRuler>
    var state = State.idle
    /// Why conversations could not be searched, and how often the whole was tried in vain.
    var failures: [StoreError] = []
    var attempts = 0
    /// Whether Enter was pressed before there was a hit: then it leads to the first one.
    var isAccepting = false
    /// Whether the search under way repeats the last one, whose hits are on the screen until it has caught up.
    var isRefreshing = false
    var preview: Preview?
    /// The hit whose surroundings are on their way.
    var pendingPreview: (epoch: Int, link: Link)?
    /// How often surroundings were asked for.
    var previews = 0
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
