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
    /// Numbers the searches.
    var epoch = 0
    var limit = SearchPanel.firstLimit
    /// The number of hits beyond the limit, by conversation, as far as the current search has counted them.
    var more: [ConversationID: Int] = [:]
    /// The number of all hits, by conversation, once they are counted. A search with a higher limit need not count them again.
    private(set) var counts: [ConversationID: Int]?
    /// Whether the current search counts them.
    var isCounting = false
    /// Whether messages have come or changed since the current search began, so that hits are missing or too many.
    var isStale = false
    /// The hits of the current search.
    var incoming: [Hit] = []
    var list: Timeline<ResultRuler>
    var state = State.idle
    /// The errors of conversations that could not be searched, and the number of failed tries.
    var failures: [StoreError] = []
    var attempts = 0
    /// The hit that is to be selected as soon as it is found.
    var wanted: Link?
    /// Whether the search repeats the last one. The hits of that stay on the screen until the selected one is found again.
    var isRefreshing = false
    var preview: Preview?
    /// The hit whose surroundings are being loaded.
    var pendingPreview: (epoch: Int, link: Link)?
    var previewRetries = Retries()
    /// Numbers the requests for surroundings.
    var previews = 0
    private(set) var layout: PreviewLayout
    private let grid: Grid

    enum State: Hashable, Sendable {
        case idle
        case running(progress: Double)
        case done
        /// The panel was closed before the search was done.
        case interrupted
    }

    /// The messages around a hit.
    struct Preview: Sendable {
        let link: Link
        var timeline: Timeline<MessageRuler>
        /// The reason why they could not be loaded.
        var failure: String?
    }

    /// - Parameter grid: of the conversation on the screen; the preview shows messages in the same way.
    init(size: Size, like grid: Grid) {
        self.grid = grid
        layout = PreviewLayout.search(size, on: grid)
        list = Timeline(ruler: ResultRuler(), height: layout.list.rows, capacity: .max, edgeRows: 0, follows: false)
    }

    var isFull: Bool { incoming.count >= limit }
    var selected: Hit? { list.selectedIndex.map { list.list[$0].hit } }

    func ruler(of preview: PreviewLayout.Area) -> MessageRuler {
        MessageRuler(grid: grid.with(columns: preview.columns, names: nil))
    }

    mutating func resize(_ size: Size) {
        layout = PreviewLayout.search(size, on: grid)
        list.resize(ruler: ResultRuler(), height: layout.list.rows)
        if let area = layout.preview {
            let ruler = ruler(of: area)
            preview?.timeline.resize(ruler: ruler, height: area.rows)
        }
    }

    /// The number of known hits, shown or not.
    private var total: Int {
        let known = counts?.values.reduce(0, +) ?? incoming.count + more.values.reduce(0, +)
        return max(known, list.count)
    }

    mutating func forgetCounts() { (counts, more) = (nil, [:]) }

    /// The search is done.
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

    /// The first hit of the next conversation in the list, which is its oldest, or the last hit of the one before.
    func hit(beyond id: ConversationID, _ direction: Find.Direction) -> (hit: Hit, isWrapped: Bool)? {
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
