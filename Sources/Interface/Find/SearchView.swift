import Display
import Messages
import Search
import Timeline

/// Draws the search in all conversations.
struct SearchView {
    let search: SearchPanel
    let directory: Directory
    let looks: Looks
    /// The number of new messages in other conversations.
    let newElsewhere: Span?
    /// True if there is a conversation to search in.
    let hasConversation: Bool
    let screen: ListScreen
    private var layout: PreviewLayout { search.layout }

    var frame: Frame {
        let prompt = PromptLine(
            name: screen.size.columns < 50 ? "s: " : "Search everywhere: ", field: search.field,
            answer: search.standing,
            isWarning: !search.failures.isEmpty)
        return screen.frame(
            prompt, middle, selected: search.selected.map { Span(CleanText($0.id.description), .dim) },
            aside: newElsewhere, hasScope: hasConversation)
    }

    private var middle: [Line] {
        screen.lines(results, isEmpty: search.list.count == 0, in: layout, title: previewTitle) {
            search.preview.lines(marking: search.query, in: $0, looks: looks)
        }
    }
}

// MARK: - Results

extension SearchView {
    private var results: [Line] {
        var lines = Array(repeating: Line.empty, count: layout.list.rows)
        guard search.list.count > 0 else {
            for (row, text) in advice.prefix(lines.count).enumerated() {
                lines[row] = [Span(screen.grid.margin), text]
            }
            return lines
        }
        for index in search.list.visibleIndices {
            let item = search.list.list[index]
            let top = search.list.screenRow(of: index)
            for (offset, line) in rows(of: item).enumerated() where lines.indices.contains(top + offset) {
                lines[top + offset] = line
            }
        }
        return lines
    }

    private var advice: [Span] {
        switch search.state {
        case .idle where search.field.isEmpty:
            return [
                Span("words that are all in the message, or \"words in a row\"", .dim),
                Span("-word  from:ana  in:general  since:yesterday  has:link  /regex/", .dim),
            ]
        case .idle where search.query.query.fault != nil:
            return [Span(CleanText(search.query.query.fault?.description ?? ""), Style(.warning))]
        case .idle: return [Span("no word to search for yet", .dim)]
        case .running, .interrupted: return [Span("searching…", .dim)]
        case .done where search.failures.isEmpty:
            let advice = mistypedFilters + unknownPeople + unknownConversations
            return [Span("no match", .dim)] + advice.map { Span(CleanText($0), Style(.warning)) }
        case .done:
            let key = screen.keymap.keyName(.activate, in: .typing)
            let retry = CleanText("retrying by itself · \(key) retries now")
            return search.failures.map { Span(CleanText($0.description), Style(.warning)) }
                + (search.failures.contains { $0.isTransient } ? [Span(retry, .dim)] : [])
        }
    }

    private var mistypedFilters: [String] {
        search.query.query.mistyped.map { "\"\($0.text)\" is searched for as words; \($0)" }
    }

    /// Advice for names in the query that no known person has but that resemble a known name.
    private var unknownPeople: [String] {
        let people = directory.people
        let names = people.flatMap { [$0.name, $0.id.rawValue] + $0.name.split(separator: " ").map(String.init) }
        let unknown = search.query.query.filters.senders.filter { !people.contains(where: $0.names) }
        return near(unknown, among: names).map { "nobody is called \"\($0)\"; did you mean from:\($1)?" }
    }

    /// Like `unknownPeople`, for names of conversations.
    private var unknownConversations: [String] {
        let all = directory.conversations
        let unknown = search.query.query.filters.conversations.filter { !all.contains(where: $0.names) }
        return near(unknown, among: all.flatMap { [$0.id.rawValue, $0.title] }).map {
            "no conversation is called \"\($0)\"; did you mean in:\(QueryFilters.quoted($1))?"
        }
    }

    /// The unknown names that are similar to a known name, with that name.
    private func near(_ unknown: [QueryName], among names: [String]) -> [(String, String)] {
        let known = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
        return unknown.compactMap { name in
            Spelling.nearest(to: name.text, among: Array(known.keys)).map { (name.text, known[$0] ?? $0) }
        }
    }

    private func rows(of item: ResultItem) -> [Line] {
        var rows: [Line] = item.hasBlank ? [.empty] : []
        if let heading = item.heading {
            let line: Line = [Span(screen.grid.margin), Span(heading, Style(.standard, .bold))]
            rows.append(line.truncated(to: layout.list.columns))
        }
        return rows + [row(item)]
    }

    /// The mark at the end of a hit that only the server has.
    private static let elsewhere: CleanText = "  on the server"

    private func row(_ item: ResultItem) -> Line {
        let hit = item.hit
        let columns = layout.list.columns
        let isSelected = item.id == search.list.selection
        let mark: Line = [screen.mark(isSelected: isSelected)]
        let time = screen.time(hit.at).padded(to: columns < 50 ? 0 : screen.timeColumns + 2)
        let name = hit.sender.map { CleanText($0.name) } ?? ""
        let who = name.padded(to: columns < 80 ? 10 : 14) + "  "
        let style = hit.sender.map { looks.name(of: $0.id) } ?? .dim
        let left = mark + [Span(time, .dim), Span(who, style)]
        let shown = hit.text.withoutSpoilers
        let snippet = Snippet(
            shown, hits: search.query.query.occurrences(in: shown), style: .plain, hitStyle: Style(.accent, .bold)
        )
        let right: Line = hit.isElsewhere ? [Span(SearchView.elsewhere, .dim)] : .empty
        let room = max(1, columns - left.columns - 1 - right.columns)
        var text = snippet.line(columns: room)
        for name in hit.files.prefix(room) {
            let file = CleanText(screen.grid.isPlain ? "file: " : "📎 ") + CleanText(name.beginning(room))
            text = text + [Span(text.columns == 0 ? file : "  " + file, .dim)]
        }
        if text.columns > room { text = text.truncated(to: room) }
        let line = left + (hit.isElsewhere ? text.padded(to: room) + right : text)
        return isSelected ? line.padded(to: columns).on(.selection) : line
    }
}

// MARK: - Preview

extension SearchView {
    /// The title of the preview, with the day of its topmost message.
    private var previewTitle: Line {
        guard let preview = search.preview.shown, let index = preview.timeline.visibleIndices.first else {
            return [Span(.dashes(screen.size.columns), .dim)]
        }
        let title = directory.conversation(preview.link.conversation).title
        return screen.rule(CleanText("\(title) · \(preview.timeline.list[index].date.long)"))
    }
}
