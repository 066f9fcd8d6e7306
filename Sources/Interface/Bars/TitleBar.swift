import Display
import Messages
import Timeline

/// The top of the screen: which conversation, where in it, and which day.
enum TitleBar {
    static func title(of model: Model) -> Line {
        let columns = model.size.columns
        let margin = model.grid.margin
        let place = self.place(of: model).map { place -> Line in
            [Span("  " + place + margin, Style(.standard, .dim))]
        }
        guard let conversation = model.conversation ?? model.pending?.conversation else { return .empty }
        let name = CleanText(conversation.title) + (model.isInThread ? " › thread" : "")
        var left: Line = [Span(margin), Span(name, Style(.standard, .bold))]
        let free = columns - (place?.columns ?? 0) - left.columns
        if let topic = conversation.topic, !topic.isEmpty, free >= 8 {
            left.append(Span(("   " + CleanText(topic)).truncated(to: free), Style(.standard, .dim)))
        }
        return left.justified(with: place ?? .empty, columns: columns)
    }

    /// The day of the topmost message, in a line of its own: it hides nothing.
    static func day(of model: Model) -> Line {
        guard let top = model.timeline.visibleIndices.first else { return .empty }
        return [Span(model.grid.margin + CleanText(model.timeline.list[top].date.long), Style(.accent))]
    }

    /// `indexing 42% · 12,345 of 247,963 · 27 April 2008`, shorter where the screen is. The place comes in when the index has
    /// it; in the status line, the progress would take room from the hints, which come and go then.
    private static func place(of model: Model) -> CleanText? {
        let progress = model.preparation.shown.map { "indexing \(Int($0 * 100))%" }
        guard let index = model.timeline.selectedIndex else { return progress.map { CleanText($0) } }
        let date = model.timeline.list[index].date
        let columns = model.size.columns
        let day = columns >= 72 ? date.medium : columns >= 48 ? date.short : nil
        var parts: [String] = []
        if let start = model.timeline.windowStart, let total = model.timeline.totalCount,
            start + index < total
        {
            let position = (start + index + 1).grouped
            parts.append(columns >= 32 ? "\(position) of \(total.grouped)" : position)
        }
        if let progress, parts.isEmpty || columns >= 72 { parts.insert(progress, at: 0) }
        if let day { parts.append(day) }
        return parts.isEmpty ? nil : CleanText(parts.joined(separator: " · "))
    }
}
