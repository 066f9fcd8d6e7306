import Display
import Messages
import Timeline

/// All texts that a message has had, the newest first, with the whole text of the selected one.
struct VersionSheet: Sendable {
    struct Row: ListedRow {
        /// The number of the text, from 0 for the first one.
        let id: Int
        let version: MessageVersion
        var searched: String { version.text }
    }

    private let message: Message
    private let conversation: ConversationID
    private var list = RowList<Row>()
    private var isKnown = false
    private var failure: String?
    /// The text of the selected row.
    private var whole: Timeline<MessageRuler>?

    init(_ message: Message, in conversation: ConversationID) {
        (self.message, self.conversation) = (message, conversation)
    }

    private mutating func showWhole(in context: Context) {
        guard let area = PreviewLayout.versions(context.size, on: context.main.grid).preview,
            let version = list.selectedRow?.version
        else {
            whole = nil
            return
        }
        let shown = Message(
            id: message.id, at: version.at, sender: message.sender, kind: message.kind, text: version.text,
            cursor: message.cursor)
        var entry = Entry(shown, after: nil, zone: context.zone)
        // The line above the text shows the day.
        if !PreviewLayout.versions(context.size, on: context.main.grid).isBeside { entry = entry.withoutDay() }
        entry.fold = false
        var timeline = Timeline(
            ruler: MessageRuler(grid: context.main.grid.with(columns: area.columns, names: nil)), height: area.rows,
            edgeRows: 0)
        // A single message has no duplicate.
        try? timeline.open(
            [entry], older: .end, newer: .end, start: nil, total: nil, focus: entry.id, alignment: .top,
            following: false)
        whole = timeline
    }
}

extension VersionSheet: Sheet {
    mutating func begin(in context: Context) -> [Outcome] { [.ask(.versions(message.id, conversation))] }

    mutating func resized(in context: Context) -> [Outcome] {
        showWhole(in: context)
        return []
    }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch list.handle(event, in: PreviewLayout.versions(context.size, on: context.main.grid).list) {
        case .typed: return [.typed]
        case .left, .chosen: return [.close]
        case .moved:
            showWhole(in: context)
            return []
        case .none, .other: return []
        }
    }

    mutating func receive(_ reply: Reply, in context: Context) -> [Outcome] {
        guard case .versions(let result) = reply else { return [] }
        isKnown = true
        switch result {
        case .success(let versions):
            failure = nil
            list.show(versions.enumerated().map { Row(id: $0.offset, version: $0.element) }.reversed())
            showWhole(in: context)
        case .failure(let error): failure = error.description
        }
        return []
    }

    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame {
        let count = list.all.count
        let prompt = PromptLine(
            name: "Texts: ", field: list.field, answer: isKnown ? (count == 1 ? "1 text" : "\(count) texts") : "")
        let layout = PreviewLayout.versions(screen.size, on: screen.grid)
        let rows = screen.lines(of: list, in: layout.list, otherwise: advice(screen)) { row, columns in
            line(row, columns, screen, looks)
        }
        let title = whole.flatMap { text in
            text.visibleIndices.first.map { screen.rule(CleanText(text.list[$0].date.long)) }
        }
        let lines = screen.lines(rows, isEmpty: list.rows.isEmpty, in: layout, title: title) { area in
            let lines =
                whole.map {
                    PaneView(timeline: $0, hasCursor: false, looks: looks).lines
                } ?? []
            return Array((lines + Array(repeating: .empty, count: area.rows)).prefix(area.rows))
        }
        // The store may hold only the last text of an edited message.
        let isPartial = isKnown && message.isEdited && count == 1
        let note: CleanText = isPartial ? "edited; its earlier texts are not in this archive" : ""
        return screen.frame(prompt, lines, selected: Span(note, .dim), opensNothing: true)
    }

    private func advice(_ screen: ListScreen) -> Span {
        if let failure { return Span(CleanText("not loaded: \(screen.failed(failure))"), Style(.warning)) }
        if !isKnown { return Span("loading…", .dim) }
        return Span(
            list.all.isEmpty ? "this message is deleted; its texts are not shown" : "no match", .dim)
    }

    /// Time, name, the state of the text, and its beginning.
    private func line(_ row: Row, _ columns: Int, _ screen: ListScreen, _ looks: Looks) -> Line {
        let state: CleanText = row.id == list.all.count - 1 ? "now" : row.version.isFirst ? "first" : "edited"
        var line: Line = [Span(screen.time(row.version.at).padded(to: screen.timeColumns + 2), .dim)]
        if columns >= 60, let sender = message.sender {
            line.append(Span(CleanText(sender.name).padded(to: 14) + "  ", looks.name(of: sender.id)))
        }
        line.append(Span(state.padded(to: 8), Style(.standard, .bold)))
        line.append(Span(CleanText(String(row.version.text.prefix(300)))))
        return line
    }
}
