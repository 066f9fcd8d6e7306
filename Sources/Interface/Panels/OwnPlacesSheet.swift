import Display
import Messages

/// The messages that concern the user, in all conversations: mentions, or the threads in which the user takes part; the newest
/// first. Each is shown as soon as it is found.
struct OwnPlacesSheet: Sendable {
    struct Row: ListedRow {
        let place: OwnPlace
        let title: String

        var id: Link { place.id }
        var searched: String { "\(title) \(place.sender?.name ?? "") \(place.text)" }
    }

    private let kind: OwnPlaces.Kind
    private let me: Addressee
    private let read: ReadStates
    private var list = RowList<Row>()
    private var preview = LinkPreview()
    private var isSearching = true
    private var failure: String?
    /// True if the user has moved the cursor. Before that it stays on the newest place.
    private var isPicked = false

    init(_ kind: OwnPlaces.Kind, of me: Addressee, read: ReadStates) {
        (self.kind, self.me, self.read) = (kind, me, read)
    }

    private mutating func wantPreview(in context: Context) -> [Outcome] {
        preview.want(list.selectedRow?.id, in: context).map { [.ask(.page($0))] } ?? []
    }

    private mutating func add(_ places: [OwnPlace], in context: Context) {
        // After a retry, some of them are known already.
        let known = Set(list.all.map(\.id))
        let new = places.filter { !known.contains($0.id) }.map {
            Row(place: $0, title: context.directory.conversation($0.id.conversation).title)
        }
        list.show((list.all + new).sorted { $0.place.at > $1.place.at })
        if !isPicked { list.select(0) }
    }
}

extension OwnPlacesSheet: Sheet {
    mutating func begin(in context: Context) -> [Outcome] { [.ask(.own(kind, me, read, seen: []))] }

    func awaitsRows(hasHeld: Bool) -> Bool { isSearching && (hasHeld || list.rows.isEmpty) }

    mutating func resized(in context: Context) -> [Outcome] { wantPreview(in: context) }

    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch list.handle(event, in: PreviewLayout.switcher(context.size, on: context.main.grid).list) {
        case .typed: return [.typed]
        case .left: return [.close]
        case .chosen:
            guard let place = list.selectedRow?.place, let message = place.firstUnread ?? place.id.message else {
                return []
            }
            return [
                .close, .go(.position(.message(message)), in: context.directory.conversation(place.id.conversation)),
            ]
        case .moved:
            isPicked = true
            return wantPreview(in: context)
        case .none, .other: return []
        }
    }

    mutating func receive(_ reply: Reply, in context: Context) -> [Outcome] {
        switch reply {
        case .own(let places): add(places, in: context)
        case .end(let error):
            isSearching = false
            failure = error?.description
        case .page(let result): preview.receive(result, in: context)
        default: return []
        }
        return wantPreview(in: context)
    }

    // MARK: - Drawing

    func frame(on screen: ListScreen, in context: Context, looks: Looks) -> Frame {
        let prompt = PromptLine(
            name: kind == .mentions ? "Mentions: " : "Your threads: ", field: list.field, answer: standing(screen),
            isWarning: failure != nil)
        let layout = PreviewLayout.switcher(screen.size, on: screen.grid)
        let none: CleanText =
            isSearching
            ? "searching…"
            : !list.all.isEmpty
                ? "no match"
                : kind == .mentions
                    ? "nobody has mentioned you or replied to you" : "you have written in no thread"
        let rows = screen.lines(of: list, in: layout.list, otherwise: Span(none, .dim)) {
            row, columns in line(row, columns, screen, looks)
        }
        let lines = screen.lines(rows, isEmpty: list.rows.isEmpty, in: layout) {
            preview.lines(of: list.selectedRow?.id, in: $0, looks: looks)
        }
        let link = list.selectedRow.map { Span(CleanText($0.id.description), .dim) }
        return screen.frame(prompt, lines, selected: link)
    }

    /// `12 mentions, 2 unread`
    private func standing(_ screen: ListScreen) -> String {
        let (count, unread) = (list.all.count, list.all.count { $0.place.isUnread })
        let name = kind == .mentions ? "mention" : "thread"
        let parts = ["\(count.grouped) \(name)\(count == 1 ? "" : "s")", unread > 0 ? "\(unread.grouped) unread" : nil]
        let state =
            failure.map { ", not all searched: \(screen.failed($0))" } ?? (isSearching ? " so far, searching…" : "")
        return parts.compactMap(\.self).joined(separator: ", ") + state
    }

    /// Time, conversation, name, text, number of replies. Unread places have a dot, and are bold.
    private func line(_ row: Row, _ columns: Int, _ screen: ListScreen, _ looks: Looks) -> Line {
        let place = row.place
        let style = place.isUnread ? Style(.unread, .bold) : .dim
        var line: Line = [
            Span(screen.grid.isPlain ? place.isUnread ? "unread " : "" : place.isUnread ? "• " : "  ", style)
        ]
        if columns >= 50 { line.append(Span(screen.time(place.at).padded(to: screen.timeColumns + 2), style)) }
        line.append(Span(CleanText(row.title).padded(to: columns < 60 ? 8 : 14) + "  ", style))
        if let sender = place.sender {
            let name = CleanText(sender.name)
            line.append(Span((columns < 60 ? name : name.padded(to: 14)) + "  ", looks.name(of: sender.id)))
        }
        let right: Line =
            place.replies.map { [Span(CleanText($0 == 1 ? "  1 reply " : "  \($0.grouped) replies "), .dim)] } ?? .empty
        line.append(
            Span(
                CleanText(String(place.text.withoutSpoilers.prefix(300))),
                place.isUnread ? Style(.standard, .bold) : .plain))
        let room = max(0, columns - right.columns)
        return right.columns == 0 ? line : line.padded(to: room) + right
    }
}
