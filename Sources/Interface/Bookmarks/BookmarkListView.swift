import Display
import Messages

/// Draws the list of bookmarks.
struct BookmarkListView {
    let list: BookmarkList
    let screen: ListScreen
    let looks: Looks

    private let dim = Style(.standard, .dim)

    init(list: BookmarkList, screen: ListScreen, looks: Looks) {
        (self.list, self.screen, self.looks) = (list, screen, looks)
    }

    var frame: Frame {
        let count = list.list.rows.count
        let prompt = PromptLine(
            name: "Bookmarks: ", field: list.list.field, answer: count == 1 ? "1 bookmark" : "\(count) bookmarks")
        let layout = PreviewLayout.switcher(screen.size, on: screen.grid)
        let rows = screen.lines(of: list.list, in: layout.list, otherwise: Span(advice, dim), row: row)
        let lines = screen.lines(rows, isEmpty: list.list.rows.isEmpty, in: layout) {
            list.preview.lines(of: list.selectedLink, in: $0, looks: looks)
        }
        let link = list.selectedLink.map { Span(CleanText($0.description), dim) }
        return screen.frame(prompt, lines, selected: link, aside: link.map { _ in Span("Del removes", dim) })
    }

    private var advice: CleanText {
        guard list.isKnown else { return "loading…" }
        guard list.list.all.isEmpty else { return "no match" }
        return "no bookmarks yet; \(screen.keymap.keyName(.bookmark)) and a letter set one in a conversation"
    }

    /// Letter, title, time, name and text.
    private func row(_ row: BookmarkList.Row, columns: Int) -> Line {
        var line: Line = [
            Span(CleanText(String(row.bookmark.letter)).padded(to: 3), Style(.accent, .bold)),
            Span(CleanText(row.title).padded(to: columns < 60 ? 10 : 16) + "  "),
        ]
        switch row.message {
        case .pending: break
        case .gone: line.append(Span("this message does not exist any more", Style(.warning)))
        case .failed(let reason): line.append(Span(CleanText("not loaded: \(reason)"), Style(.warning)))
        case .found(let message):
            if columns >= 60 { line.append(Span(screen.time(message.at).padded(to: screen.timeColumns + 2), dim)) }
            line.append(screen.excerpt(of: message, names: columns < 60 ? nil : 14, looks: looks))
        }
        return line
    }
}
