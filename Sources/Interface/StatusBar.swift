import Display
import Messages
import Timeline

/// The bottom line: what happened, or which message is selected, and the keys worth knowing.
enum StatusBar {
    static func line(of model: Model) -> Line {
        let columns = model.size.columns
        if model.panel == .composer {
            let left = [Span(model.grid.margin)] + model.composerStatus
            let hints = self.hints(model.keymap, in: .composing, columns: columns - left.columns - 2)
            return left.justified(with: model.composer?.completion == nil ? hints : .empty, columns: columns)
        }
        if case .deletion = model.panel {
            let question: CleanText = "delete this message? y deletes it, any other key leaves it"
            return Line([Span(model.grid.margin), Span(question, Style(.warning))]).truncated(to: columns)
        }
        var left: Line = [Span(model.grid.margin), message(of: model)]
        if model.notice == nil, let new = model.newElsewhere {
            left.append(Span("   "))
            left.append(new)
        }
        let hints = self.hints(of: model, columns: columns - left.columns - 2)
        return hints.columns > 0 ? left.justified(with: hints, columns: columns) : left.truncated(to: columns)
    }

    private static func message(of model: Model) -> Span {
        if let notice = model.notice { return notice.span }
        if !model.digits.isEmpty {
            return Span(CleanText("\(model.digits)   % goes so far in the conversation"), Style(.accent))
        }
        if model.opening == .shown, model.pane.isSlow, let pending = model.pending {
            return Span(CleanText("loading \(pending.name)… Esc stays here"), Style(.accent))
        }
        guard let index = model.timeline.selectedIndex, let conversation = model.conversation else {
            let name: CleanText = model.isInThread ? "no replies here yet" : "no messages here yet"
            return Span(model.opening == .shown ? name : "", Style(.standard, .dim))
        }
        if let find = model.find, !model.isInThread {
            let isWaiting = !find.wanted.isEmpty ? " · going there as soon as it is found" : ""
            let name = find.direction == .newer ? "/" : "?"
            let time = model.isExact ? "   \(model.zone.second(model.timeline.list[index].message.at))" : ""
            return Span(
                CleanText("\(name)\(find.field.text)   \(find.standing(isAtHit: model.isAtHit))\(isWaiting)\(time)"),
                Style(.accent))
        }
        let entry = model.timeline.list[index]
        let link = Link(conversation: conversation.id, message: entry.id)
        let progress = model.preparation.map { "   indexing \(Int($0 * 100))%" } ?? ""
        let time = model.isExact ? model.zone.second(entry.message.at) : entry.clock
        // Whom nobody names is not kept from writing by the archive.
        let access = model.me == nil || model.writing.obstacle == nil ? "" : "   read-only"
        return Span(CleanText("\(link)  \(time)\(access)\(progress)"), Style(.standard, .dim))
    }

    /// Made from the table of keys: the first key of each binding that has a word for it, as many as there is room for.
    private static func hints(of model: Model, columns: Int) -> Line {
        guard model.opening == .shown else { return hints(model.keymap, columns: columns) { $0 == .quit } }
        let ofFind: Set<Action> = [.findNext, .findPrevious, .cancel]
        if model.find != nil, !model.isInThread {
            return hints(model.keymap, columns: columns) { ofFind.contains($0) || $0 == .back || $0 == .help }
        }
        let ofWriting: Set<Action> = [.compose, .reply]
        let canWrite = model.me != nil && model.writing.obstacle == nil
        return hints(model.keymap, columns: columns) { action in
            (!ofFind.contains(action) || action == .cancel && model.isInThread) && model.isUseful(action)
                && (canWrite || !ofWriting.contains(action))
        }
    }

    /// - Parameter isUseful: whether an action is worth a hint now.
    static func hints(
        _ keymap: Keymap, in context: Keymap.Context = .conversation, columns: Int,
        isUseful: (Action) -> Bool = { _ in true }
    ) -> Line {
        let bindings = keymap.bindings(in: context).filter { isUseful($0.action) }.enumerated()
        var hints: [(place: Int, line: Line)] = []
        var room = columns
        for (place, binding) in bindings.sorted(by: { $0.element.rank < $1.element.rank }) {
            guard let hint = binding.hint, let key = binding.keys.first else { continue }
            let line: Line = [
                Span(CleanText(key.description), Style(.standard, .bold)),
                Span(CleanText(" \(hint)  "), Style(.standard, .dim)),
            ]
            room -= line.columns
            guard room >= 0 else { break }
            hints.append((place, line))
        }
        return hints.sorted { $0.place < $1.place }.reduce(.empty) { $0 + $1.line }
    }
}

extension Model {
    /// Whether the selected message is one that an action is for. Without any, those that need none are left.
    fileprivate func isUseful(_ action: Action) -> Bool {
        guard let index = timeline.selectedIndex else {
            return ![.activate, .thread, .openLink, .fold, .reply, .find, .date, .end].contains(action)
        }
        switch action {
        case .activate: return timeline.list[index].message.quote != nil
        case .thread: return !isInThread && timeline.list[index].message.replyCount > 0
        case .openLink: return timeline.list[index].body.hasLinks
        case .fold: return timeline.list[index].body.isLong
        default: return true
        }
    }
}

extension ListRequest {
    fileprivate var name: String {
        if case .place = destination { return "where you were" }
        if case .unread = destination { return "what is new" }
        if case .thread = destination { return "the thread" }
        return switch position {
        case .earliest: "the beginning"
        case .latest: "the newest messages"
        case .message(let id): "message \(id)"
        case .date: "that day"
        case .index(let index): "message \(TitleBar.grouped(index + 1))"
        case .share(let share): "\(Int(share * 100))%"
        case .before, .after: "messages"
        }
    }
}
