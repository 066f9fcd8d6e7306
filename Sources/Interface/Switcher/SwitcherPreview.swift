import Display
import Messages
import Timeline

/// The end of the conversation that is selected in the switcher.
struct SwitcherPreview: Sendable {
    struct Shown: Sendable {
        let conversation: ConversationID
        var timeline: Timeline<MessageRuler>
        /// The reason why it could not be loaded.
        var failure: String?
    }

    private(set) var shown: Shown?
    private var pending: (epoch: Int, id: ConversationID)?
    /// Numbers the requests, downward, since those of the search everywhere are numbered upward.
    private var epochs = 0

    /// Forgets a preview, which may be out of date.
    mutating func forget() { (shown, pending) = (nil, nil) }

    /// Asks for the end of a conversation, one at a time. When several are selected in a row, only the last one is asked for.
    mutating func want(_ id: ConversationID, in area: PreviewLayout.Area) -> [Effect] {
        let grid = Grid(columns: area.columns)
        if let timeline = shown?.timeline, timeline.ruler.grid != grid || timeline.viewport.height != area.rows {
            shown?.timeline.resize(ruler: MessageRuler(grid: grid), height: area.rows)
        }
        guard pending == nil, id != shown?.conversation else { return [] }
        epochs -= 1
        pending = (epochs, id)
        let limit = PageRequest(conversation: id, position: .latest, limit: max(1, area.rows))
        return [.loadPreview(epoch: epochs, limit)]
    }

    mutating func receive(_ epoch: Int, _ result: Result<Page, StoreError>, in area: PreviewLayout.Area, zone: Zone) {
        guard let wanted = pending, wanted.epoch == epoch else { return }
        pending = nil
        let ruler = MessageRuler(grid: Grid(columns: area.columns))
        var shown = Shown(
            conversation: wanted.id, timeline: Timeline(ruler: ruler, height: area.rows, edgeRows: 0))
        switch result {
        case .success(let page):
            let entries = Entry.entries(page.messages, after: page.older.neighbour, zone: zone)
            do {
                try shown.timeline.open(
                    entries, older: page.older.edge, newer: page.newer.edge, start: page.place?.index,
                    total: page.place?.total, focus: entries.last?.id, alignment: .middle, following: true)
            } catch {
                shown.failure = error.description
            }
        case .failure(let error): shown.failure = error.description
        }
        self.shown = shown
    }
}
