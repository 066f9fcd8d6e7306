import Display
import Messages
import Timeline

/// The messages around the selected entry of a list; for an entry without a message, the end of its conversation.
struct LinkPreview: Sendable {
    private struct Shown: Sendable {
        let link: Link
        var timeline: Timeline<MessageRuler>
        /// The reason why the messages could not be loaded.
        var failure: String?
    }

    private var shown: Shown?
    private var pending: (link: Link, request: PageRequest)?
    private var retries = Retries()

    /// The area of the preview; nil when the screen has no room for it.
    private static func area(in context: Context) -> PreviewLayout.Area? {
        PreviewLayout.switcher(context.size, on: context.main.grid).preview
    }

    /// Forgets a preview, which may be out of date.
    mutating func forget() { (shown, pending) = (nil, nil) }

    /// The page to request, one at a time: when several entries are selected quickly, only the last one is requested.
    /// Nil when there is nothing to request.
    /// - Parameter link: the link of the selected entry; nil when none is selected.
    mutating func want(_ link: Link?, in context: Context) -> PageRequest? {
        guard let link, let area = LinkPreview.area(in: context) else { return nil }
        let grid = context.main.grid.with(columns: area.columns, names: nil)
        if let timeline = shown?.timeline, timeline.ruler.grid != grid || timeline.viewport.height != area.rows {
            shown?.timeline.resize(ruler: MessageRuler(grid: grid), height: area.rows)
        }
        guard pending == nil, link != shown?.link else { return nil }
        let position = link.message.map { PageRequest.Position.message($0) } ?? .latest
        let request = PageRequest(conversation: link.conversation, position: position, limit: max(1, area.rows))
        (pending, retries) = ((link, request), Retries())
        return request
    }

    /// The page that failed last, to be requested again; nil when the preview was forgotten.
    var failed: PageRequest? { pending?.request }

    /// Handles a page that could not be loaded.
    /// - Returns: the effect that leads to the next try; nil when there is none.
    mutating func retryLater(_ error: StoreError, _ ticket: Ticket) -> Effect? {
        pending == nil ? nil : retries.fail(error, ticket)
    }

    mutating func receive(_ result: Result<Page, StoreError>, in context: Context) {
        guard let area = LinkPreview.area(in: context) else { return forget() }
        guard let link = pending?.link else { return }
        // A preview that failed for a reason that may pass remains pending, for the next try.
        if case .failure(let error) = result, error.isTransient {} else { pending = nil }
        let ruler = MessageRuler(grid: context.main.grid.with(columns: area.columns, names: nil))
        var shown = Shown(link: link, timeline: Timeline(ruler: ruler, height: area.rows, edgeRows: 0))
        switch result {
        case .success(let page):
            let entries = Entry.entries(page.messages, after: page.older.neighbour, zone: context.zone)
            let focus = link.message == nil ? entries.last?.id : page.focus.map { entries.item(holding: $0) }
            do {
                try shown.timeline.open(
                    entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                    total: page.place?.total, focus: focus, alignment: .middle, following: link.message == nil)
            } catch {
                shown.failure = error.description
            }
        case .failure(let error): shown.failure = error.description
        }
        self.shown = shown
    }

    /// The preview of this entry; blank while another one is loaded.
    func lines(of link: Link?, in area: PreviewLayout.Area, looks: Looks) -> [Line] {
        let blank = Array(repeating: Line.empty, count: area.rows)
        guard let shown, shown.link == link else { return blank }
        if let failure = shown.failure {
            let line = Line(CleanText("not loaded: \(failure)"), Style(.warning)).truncated(to: area.columns)
            return [line] + blank.dropFirst()
        }
        let target = link?.message == nil ? nil : shown.timeline.selection
        return PaneView(shown.timeline, target: target, query: nil, hasCursor: false, looks: looks).lines
    }
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
