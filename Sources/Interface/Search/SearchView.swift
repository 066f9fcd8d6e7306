import Display
import Messages
import Search
import Timeline

/// Draws the search over all conversations.
struct SearchView {
    private let model: Model
    private var search: SearchPanel { model.search }
    private var layout: SearchLayout { model.search.layout }
    private let dim = Style(.standard, .dim)

    init(_ model: Model) { self.model = model }

    var frame: Frame {
        let prompt = PromptLine(
            name: model.size.columns < 50 ? "s: " : "Search everywhere: ", field: search.field, answer: search.standing,
            isWarning: !search.failures.isEmpty)
        return model.panelFrame(
            prompt, middle, selected: search.selected.map { Span(CleanText($0.id.description), dim) },
            aside: model.newElsewhere)
    }

    private var middle: [Line] {
        let list = results
        guard let area = layout.preview else { return list }
        let preview = previewLines(area)
        if layout.isBeside {
            return zip(list, preview).map { left, right in
                left.padded(to: layout.list.columns) + [Span("│", dim)] + right
            }
        }
        return list + [previewTitle] + preview
    }
}

// MARK: - Results

extension SearchView {
    private var results: [Line] {
        var lines = Array(repeating: Line.empty, count: layout.list.rows)
        guard search.list.count > 0 else {
            for (row, text) in advice.prefix(lines.count).enumerated() { lines[row] = [Span(model.grid.margin), text] }
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
                Span("words that are all in a message, or \"several in a row\"", dim),
                Span("-word  from:ana  in:general  since:yesterday  has:link", dim),
            ]
        case .idle where search.query.query.excess != nil:
            return [Span(CleanText(search.query.query.excess?.description ?? ""), Style(.warning))]
        case .idle: return [Span("no word to search for so far", dim)]
        case .running, .interrupted: return [Span("searching…", dim)]
        case .done where search.failures.isEmpty: return [Span("nothing found", dim)]
        case .done:
            let retry: CleanText = "tried again by itself · Enter tries now"
            return search.failures.map { Span(CleanText($0.description), Style(.warning)) }
                + (search.failures.contains { $0.isTransient } ? [Span(retry, dim)] : [])
        }
    }

    private func rows(of item: ResultItem) -> [Line] {
        var rows: [Line] = item.hasBlank ? [.empty] : []
        if let heading = item.heading {
            let line: Line = [Span(model.grid.margin), Span(heading, Style(.standard, .bold))]
            rows.append(line.truncated(to: layout.list.columns))
        }
        return rows + [row(item)]
    }

    private func row(_ item: ResultItem) -> Line {
        let hit = item.hit
        let columns = layout.list.columns
        let isSelected = item.id == search.list.selection
        let mark: Line = [Span(isSelected ? "▌" : CleanText.blanks(model.grid.gutter), Style(.accent))]
        let time = When.label(hit.at, now: model.now, zone: model.zone).padded(to: columns < 50 ? 0 : When.columns + 2)
        let name = hit.sender.map { CleanText($0.name) } ?? ""
        let who = name.padded(to: columns < 80 ? 10 : 14) + "  "
        let style = hit.sender.map { model.looks.name(of: $0.id) } ?? dim
        let left = mark + [Span(time, dim), Span(who, style)]
        let snippet = Snippet(
            hit.text, hits: search.query.query.occurrences(in: hit.text), style: .plain, hitStyle: Style(.accent, .bold)
        )
        return left + snippet.line(columns: max(1, columns - left.columns - 1))
    }
}

// MARK: - Preview

extension SearchView {
    /// The title of the preview.
    private var previewTitle: Line {
        let columns = model.size.columns
        guard let preview = search.preview, let index = preview.timeline.selectedIndex else {
            return [Span(.dashes(columns), dim)]
        }
        let title = model.known(preview.link.conversation).title
        let day = preview.timeline.list[index].date.long
        let name = CleanText(" \(title) · \(day) ").truncated(to: max(1, columns - 4))
        return [Span(.dashes(2), dim), Span(name, dim), Span(.dashes(columns - 2 - name.columns), dim)]
    }

    private func previewLines(_ area: SearchLayout.Area) -> [Line] {
        let blank = Array(repeating: Line.empty, count: area.rows)
        guard let preview = search.preview, search.list.count > 0 else { return blank }
        if let failure = preview.failure {
            return [Line(CleanText("not loaded: \(failure)"), Style(.warning)).truncated(to: area.columns)]
                + blank.dropFirst()
        }
        let pane = PaneView(
            preview.timeline, target: preview.timeline.selection, query: search.query, hasCursor: false,
            looks: model.looks)
        return pane.lines
    }
}
