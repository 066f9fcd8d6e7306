import Display
import Messages
import Timeline

/// The messages around the selected entry of a list; for an entry that names no message, the end of its conversation.
struct LinkPreview: Sendable {
    private struct Shown: Sendable {
        let link: Link
        var timeline: Timeline<MessageRuler>
        /// The reason why it could not be loaded.
        var failure: String?
    }

    private var shown: Shown?
    private var pending: (link: Link, request: PageRequest)?
    private var retries = Retries()

    /// Forgets a preview, which may be out of date.
    mutating func forget() { (shown, pending) = (nil, nil) }

    /// The page to ask for, one at a time: when several entries are selected in a row, only the last one is asked for. Nil when
    /// nothing is to be asked for.
    /// - Parameter grid: of the conversation on the screen; the preview shows messages in the same way.
    mutating func want(_ link: Link, in area: PreviewLayout.Area, like grid: Grid) -> PageRequest? {
        let grid = grid.with(columns: area.columns, names: nil)
        if let timeline = shown?.timeline, timeline.ruler.grid != grid || timeline.viewport.height != area.rows {
            shown?.timeline.resize(ruler: MessageRuler(grid: grid), height: area.rows)
        }
        guard pending == nil, link != shown?.link else { return nil }
        let position = link.message.map { PageRequest.Position.message($0) } ?? .latest
        let request = PageRequest(conversation: link.conversation, position: position, limit: max(1, area.rows))
        (pending, retries) = ((link, request), Retries())
        return request
    }

    /// The page that failed last, to be asked for again; nil when the preview was forgotten.
    var failed: PageRequest? { pending?.request }

    /// A page did not come.
    /// - Returns: the effect that leads to the next try; nil when there is none.
    mutating func retryLater(_ error: StoreError, _ loadable: Loadable) -> Effect? {
        pending == nil ? nil : retries.fail(error, loadable)
    }

    mutating func receive(_ result: Result<Page, StoreError>, in area: PreviewLayout.Area, like grid: Grid, zone: Zone)
    {
        guard let link = pending?.link else { return }
        // A preview that failed is asked for again meanwhile.
        if case .failure(let error) = result, error.isTransient {} else { pending = nil }
        let ruler = MessageRuler(grid: grid.with(columns: area.columns, names: nil))
        var shown = Shown(link: link, timeline: Timeline(ruler: ruler, height: area.rows, edgeRows: 0))
        switch result {
        case .success(let page):
            let entries = Entry.entries(page.messages, after: page.older.neighbour, zone: zone)
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

    /// Blank unless it shows this entry.
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
