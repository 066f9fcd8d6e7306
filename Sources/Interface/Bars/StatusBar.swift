import Display
import Messages
import Timeline

/// The bottom line: the last event, or the selected message, and the keys worth knowing.
enum StatusBar {
    /// - Parameter panel: the open one.
    static func line(of model: Model, _ panel: PanelView?) -> Line {
        let columns = model.size.columns
        if case .composer? = panel { return composing(model) }
        if case .question(let question)? = panel {
            return adding(
                [model.newElsewhere], to: [Span(model.grid.margin), Span(question, Style(.warning))], columns: columns)
        }
        var left: Line = [Span(model.grid.margin), message(of: model)]
        if model.notice == nil {
            left = adding([model.newElsewhere], to: left, columns: columns)
            left = adding([model.draftMark, model.draftsElsewhere], to: left, columns: columns, onlyWhole: true)
        }
        left = adding(model.newBelowBadge, to: left, columns: columns)
        let hints = self.hints(of: model, columns: columns - left.columns - 2)
        return hints.columns > 0 ? left.justified(with: hints, columns: columns) : left.truncated(to: columns)
    }

    /// While the composer is open: the last event, the new messages elsewhere, and the keys of the composer.
    private static func composing(_ model: Model) -> Line {
        let columns = model.size.columns
        let left = [Span(model.grid.margin)] + model.composerStatus
        guard model.composer?.completion == nil else {
            // The candidates need the room more.
            let line = adding([model.newElsewhere], to: left, columns: columns, onlyWhole: true)
            return adding(model.newBelowBadge, to: line, columns: columns)
        }
        let line = adding(
            model.newBelowBadge, to: adding([model.newElsewhere], to: left, columns: columns), columns: columns)
        return line.justified(
            with: hints(model.keymap, in: .composing, columns: columns - line.columns - 2), columns: columns)
    }

    /// The number of new messages below the screen is always shown whole.
    private static func adding(_ badge: Line, to line: Line, columns: Int) -> Line {
        (line.truncated(to: max(0, columns - badge.columns)) + badge).truncated(to: columns)
    }

    /// - Parameter onlyWhole: whether a part that does not fit is left out; else it is cut.
    private static func adding(
        _ parts: [Span?], to line: Line, columns: Int, onlyWhole: Bool = false
    ) -> Line {
        var line = line
        for part in parts.compactMap(\.self) {
            let gap = line.columns > 2 ? 3 : 0
            if onlyWhole, line.columns + gap + part.text.columns > columns { continue }
            line.append(Span(CleanText.blanks(gap)))
            line.append(part)
        }
        return line.truncated(to: columns)
    }

    private static func message(of model: Model) -> Span {
        if let notice = model.notice { return notice.span }
        if !model.inputState.digits.isEmpty {
            return Span(CleanText("\(model.inputState.digits)   % goes so far in the conversation"), Style(.accent))
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
            let isAtHit = model.finding.isAtHit(model.pane.selectedPlace)
            let time = model.isExact ? "   \(model.zone.second(model.timeline.list[index].message.at))" : ""
            return Span(
                CleanText("\(name)\(find.field.text)   \(find.standing(isAtHit: isAtHit))\(isWaiting)\(time)"),
                Style(.accent))
        }
        let entry = model.timeline.list[index]
        let link = Link(conversation: conversation.id, message: entry.id)
        let time = model.isExact ? model.zone.second(entry.message.at) : entry.clock
        // Without a user, it is not the archive that forbids writing.
        let access = model.me == nil || model.writing.obstacle == nil ? "" : "   read-only"
        return Span(CleanText("\(link)  \(time)\(access)"), Style(.standard, .dim))
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
        let isUseful = { (action: Action) in
            (!ofFind.contains(action) || action == .cancel && model.isInThread) && model.isUseful(action)
                && (canWrite || !ofWriting.contains(action))
        }
        return hints(model.keymap, columns: columns, isUseful: isUseful, word: model.hint)
    }

    /// - Parameters:
    ///   - isUseful: whether an action is worth a hint now.
    ///   - word: the name of a binding now.
    static func hints(
        _ keymap: Keymap, in context: Keymap.Context = .conversation, columns: Int,
        isUseful: (Action) -> Bool = { _ in true }, word: (Binding) -> String? = \.hint
    ) -> Line {
        let bindings = keymap.bindings(in: context).filter { isUseful($0.action) }.enumerated()
        var hints: [(place: Int, line: Line)] = []
        var room = columns
        for (place, binding) in bindings.sorted(by: { $0.element.rank < $1.element.rank }) {
            guard let hint = word(binding), let key = binding.keys.first else { continue }
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
        case .openLink: return timeline.list[index].body.hasLinks || !timeline.list[index].message.attachments.isEmpty
        case .fold: return pane.isFolded || timeline.list[index].body.isLong && timeline.measure(of: index).canFold
        default: return true
        }
    }

    /// The effect of a binding on the selected message, in a word or two.
    fileprivate func hint(of binding: Binding) -> String? {
        switch binding.action {
        case .fold where pane.isFolded: return "unfold"
        case .openLink where timeline.selectedIndex.map({ !timeline.list[$0].body.hasLinks }) == true:
            return "open file"
        default: return binding.hint
        }
    }
}

extension ListRequest {
    fileprivate var name: String {
        if case .place = destination { return "where you were" }
        if case .again = destination { return "what has changed" }
        if case .unread = destination { return "what is new" }
        if case .thread = destination { return "the thread" }
        return switch position {
        case .earliest: "the beginning"
        case .latest: "the newest messages"
        case .unread: "what is new"
        case .message(let id): "message \(id)"
        case .date: "that day"
        case .index(let index): "message \((index + 1).grouped)"
        case .share(let share): "\(Int(share * 100))%"
        case .before, .after, .survivor: "messages"
        }
    }
}
