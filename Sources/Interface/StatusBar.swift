import Display
import Messages
import Timeline

/// The bottom line: what happened, or which message is selected, and the keys worth knowing.
enum StatusBar {
    static func line(of model: Model) -> Line {
        let columns = model.size.columns
        let margin: CleanText = columns >= 8 ? " " : ""
        var left: Line = [Span(margin)]
        left.append(message(of: model))
        let hints = self.hints(model.keymap)
        guard model.notice == nil, left.columns + hints.columns + 3 <= columns else {
            return left.truncated(to: columns)
        }
        return left.justified(with: hints, columns: columns)
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

    /// Made from the table of keys: the first key of each binding that has a word for it.
    private static func hints(_ keymap: Keymap) -> Line {
        var line: Line = .empty
        for binding in keymap.bindings {
            guard let hint = binding.hint, let key = binding.keys.first else { continue }
            line.append(Span(CleanText(key.description), Style(.standard, .bold)))
            line.append(Span(" " + CleanText(hint) + "  ", Style(.standard, .dim)))
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
