import Display
import Messages
import Timeline

/// The bottom line: what happened, or which message is selected, and the keys worth knowing.
enum StatusBar {
    static func line(of model: Model) -> Line {
        let columns = model.size.columns
        let left: Line = [Span(model.grid.margin), message(of: model)]
        let hints = self.hints(of: model, columns: columns - left.columns - 2)
        return hints.columns > 0 ? left.justified(with: hints, columns: columns) : left.truncated(to: columns)
    }

    private static func message(of model: Model) -> Span {
        if let notice = model.notice {
            return Span(CleanText(notice.text), notice.isWarning ? Style(.warning) : Style(.accent))
        }
        if model.opening == .shown, let pending = model.pending {
            return Span(CleanText("loading \(pending.name)… Esc stays here"), Style(.accent))
        }
        guard let index = model.timeline.selectedIndex else {
            return Span(model.opening == .shown ? "no messages here yet" : "", Style(.standard, .dim))
        }
        let entry = model.timeline.list[index]
        let link = Link(conversation: model.conversation.id, message: entry.id)
        return Span(CleanText("\(link)  \(entry.clock)"), Style(.standard, .dim))
    }

    /// Made from the table of keys: the first key of each binding that has a word for it. Where room is short the first
    /// ones go: help and quit stay longest.
    private static func hints(of model: Model, columns: Int) -> Line {
        let useful = model.keymap.bindings.filter { model.opening == .shown || $0.action == .quit }
        var line: Line = .empty
        for binding in useful.reversed() {
            guard let hint = binding.hint, let key = binding.keys.first else { continue }
            var longer: Line = [
                Span(CleanText(key.description), Style(.standard, .bold)),
                Span(" " + CleanText(hint) + "  ", Style(.standard, .dim)),
            ]
            longer.append(line)
            guard longer.columns <= columns else { return line }
            line = longer
        }
        return line
    }
}

extension ListRequest {
    fileprivate var name: String {
        switch position {
        case .earliest: "the beginning"
        case .latest: "the newest messages"
        case .message(let id): "message \(id)"
        case .date: "that day"
        case .before, .after: "messages"
        }
    }
}
