import Display
import Messages
import Search
import Timeline

/// The messages around the selected entry of a list; for an entry without a message, the end of its conversation.
struct LinkPreview: Sendable {
    struct Shown: Sendable {
        let link: Link
        fileprivate(set) var timeline: Timeline<MessageRuler>
        /// The reason why the messages could not be loaded.
        fileprivate(set) var failure: String?
    }

    private(set) var shown: Shown?
    private var pending: (link: Link, request: PageRequest)?
    private var retries = Retries()
    /// The number of pages requested so far.
    private(set) var number = 0
    /// The areas of the list and of its preview.
    private let layout: @Sendable (Size, Grid) -> PreviewLayout

    init(in layout: @escaping @Sendable (Size, Grid) -> PreviewLayout = PreviewLayout.switcher) { self.layout = layout }

    /// The area of the preview; nil when the screen has no room for it.
    private func area(in context: Context) -> PreviewLayout.Area? { layout(context.size, context.main.grid).preview }

    /// Forgets a preview, which may be out of date.
    mutating func forget() { (shown, pending, retries) = (nil, nil, Retries()) }

    /// Forgets a preview that could not be loaded. The next one counts as another try.
    mutating func forgetFailed() { (shown, pending) = (nil, nil) }

    mutating func dropPending() { pending = nil }

    /// The page to request, one at a time: when several entries are selected quickly, only the last one is requested.
    /// Nil when there is nothing to request.
    /// - Parameters:
    ///   - link: the link of the selected entry; nil when none is selected.
    ///   - limit: the number of messages for a number of rows.
    mutating func want(_ link: Link?, limit: (Int) -> Int = { max(1, $0) }, in context: Context) -> PageRequest? {
        guard let link, let area = area(in: context) else { return nil }
        let grid = context.main.grid.with(columns: area.columns, names: nil)
        if let timeline = shown?.timeline, timeline.ruler.grid != grid || timeline.viewport.height != area.rows {
            shown?.timeline.resize(ruler: MessageRuler(grid: grid), height: area.rows)
        }
        guard pending == nil, link != shown?.link else { return nil }
        let position = link.message.map { PageRequest.Position.message($0) } ?? .latest
        let request = PageRequest(conversation: link.conversation, position: position, limit: limit(area.rows))
        pending = (link, request)
        number += 1
        return request
    }

    /// The page that is loading, or that failed and is to be requested again; nil when there is none.
    var wanted: PageRequest? { pending?.request }

    /// Handles a page that could not be loaded.
    /// - Returns: the effect that leads to the next try; nil when there is none.
    mutating func retryLater(_ error: StoreError, _ ticket: Ticket) -> Effect? {
        pending == nil ? nil : retries.fail(error, ticket)
    }

    /// - Parameter query: the query of the hit to bring onto the screen; nil for an entry that is no hit.
    mutating func receive(_ result: Result<Page, StoreError>, showing query: ResolvedQuery? = nil, in context: Context)
    {
        guard let area = area(in: context) else { return forget() }
        guard let link = pending?.link else { return }
        // A preview that failed for a reason that may pass remains pending, for the next try.
        if case .failure(let error) = result, error.isTransient {} else { (pending, retries) = (nil, Retries()) }
        let ruler = MessageRuler(grid: context.main.grid.with(columns: area.columns, names: nil))
        var shown = Shown(link: link, timeline: Timeline(ruler: ruler, height: area.rows, edgeRows: 0))
        switch result {
        case .success(let page):
            let entries = Entry.entries(
                page.messages, after: page.older.neighbour, zone: context.zone, whole: query == nil ? nil : page.focus)
            let focus = link.message == nil ? entries.last?.id : page.focus.map { entries.item(holding: $0) }
            do {
                try shown.timeline.open(
                    entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                    total: page.place?.total, focus: focus, alignment: .middle, following: link.message == nil)
                if let query { _ = shown.timeline.revealHit(of: query) }
            } catch {
                shown.failure = error.description
            }
        case .failure(let error): shown.failure = error.description
        }
        self.shown = shown
    }

    /// The preview of this entry; blank while another one is loaded.
    func lines(of link: Link?, in area: PreviewLayout.Area, looks: Looks) -> [Line] {
        shown?.link == link ? lines(in: area, looks: looks) : LinkPreview.blank(area)
    }

    /// The preview of the entry whose messages were loaded last.
    /// - Parameter query: the query whose hits are marked; nil for none.
    func lines(marking query: ResolvedQuery? = nil, in area: PreviewLayout.Area, looks: Looks) -> [Line] {
        guard let shown else { return LinkPreview.blank(area) }
        if let failure = shown.failure {
            let line = Line(CleanText("not loaded: \(failure)"), Style(.warning)).truncated(to: area.columns)
            return [line] + LinkPreview.blank(area).dropFirst()
        }
        return PaneView(
            timeline: shown.timeline, target: shown.link.message == nil ? nil : shown.timeline.selection, query: query,
            hasCursor: false, isBelowDay: query != nil, looks: looks
        ).lines
    }

    private static func blank(_ area: PreviewLayout.Area) -> [Line] { Array(repeating: .empty, count: area.rows) }
}

/// The areas of a panel with a field at the top: the list, and a preview of the selected entry next to the list or below it. A
/// small screen shows the list alone, and so does a screen for a screen reader, which would read the preview aloud after each
/// step.
struct PreviewLayout: Hashable, Sendable {
    struct Area: Hashable, Sendable {
        let row: Int
        let column: Int
        let columns: Int
        let rows: Int
    }

    let list: Area
    let preview: Area?
    var isBeside: Bool { preview.map { $0.column > 0 } ?? false }

    /// The search gives most of the rows to the messages around the selected hit.
    static func search(_ size: Size, on grid: Grid) -> PreviewLayout {
        grid.isPlain ? plain(size) : PreviewLayout(size, from: 12) { $0 * 2 / 5 }
    }

    /// The switcher gives half of the rows to the end of the selected conversation.
    static func switcher(_ size: Size, on grid: Grid) -> PreviewLayout {
        grid.isPlain ? plain(size) : PreviewLayout(size, from: 20) { $0 / 2 }
    }

    /// The texts of a message give most of the rows to the selected text.
    static func versions(_ size: Size, on grid: Grid) -> PreviewLayout {
        grid.isPlain ? plain(size) : PreviewLayout(size, from: 6) { max(2, $0 / 3) }
    }

    /// A list without a preview.
    static func plain(_ size: Size) -> PreviewLayout {
        PreviewLayout(
            list: Area(row: 1, column: 0, columns: max(1, size.columns), rows: max(1, size.rows - 2)), preview: nil)
    }

    private init(list: Area, preview: Area?) { (self.list, self.preview) = (list, preview) }

    /// - Parameters:
    ///   - least: the least rows of a screen with the preview below the list.
    ///   - upper: the rows of the list above the preview.
    private init(_ size: Size, from least: Int, upper: (_ rows: Int) -> Int) {
        let rows = max(1, size.rows - 2)
        let columns = max(1, size.columns)
        if columns >= 110 {
            let left = columns / 2
            list = Area(row: 1, column: 0, columns: left, rows: rows)
            preview = Area(row: 1, column: left + 1, columns: columns - left - 1, rows: rows)
        } else if rows >= least {
            let upper = upper(rows)
            list = Area(row: 1, column: 0, columns: columns, rows: upper)
            preview = Area(row: upper + 2, column: 0, columns: columns, rows: rows - upper - 1)
        } else {
            list = Area(row: 1, column: 0, columns: columns, rows: rows)
            preview = nil
        }
    }
}
