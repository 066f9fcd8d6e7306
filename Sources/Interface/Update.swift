import Display
package import Messages
import Timeline

/// The model's whole behaviour: what an event changes, and what is to be done because of it.
package func update(_ model: inout Model, _ event: Event) -> [Effect] {
    switch event {
    case .key(let key): return model.press(key)
    case .resized(let size): model.resize(size)
    case .list(let request, let result): return model.receive(request, result)
    case .page(let ticket, let result): return model.receive(ticket, result) + model.loads()
    case .retryList(let request): return model.retry(request)
    case .retryPage(let ticket): return model.retry(ticket)
    case .changed(let change): model.follow(change)
    case .problems(let problems): model.report(problems)
    }
    return model.loads()
}

extension Model {
    /// Asks for the list that the program was started for.
    package mutating func start(at position: PageRequest.Position) -> [Effect] { requestList(position) }

    mutating func resize(_ size: Size) {
        self.size = size
        let ruler = MessageRuler(grid: Grid(columns: size.columns))
        timeline.resize(ruler: ruler, height: Rows(rows: size.rows).messages)
    }

    /// What the edges of the window want, as effects.
    mutating func loads() -> [Effect] {
        guard opening == .shown else { return [] }
        if timeline.viewport.isFollowing { newCount = 0 }
        return timeline.loads().map(effect)
    }

    func effect(_ output: Pager<Messages.Cursor>.Output) -> Effect {
        switch output {
        case .onPrepend(let ticket, let cursor, let limit):
            .loadPage(ticket, PageRequest(conversation: conversation.id, position: .before(cursor), limit: limit))
        case .onAppend(let ticket, let cursor, let limit):
            .loadPage(ticket, PageRequest(conversation: conversation.id, position: .after(cursor), limit: limit))
        }
    }
}

// MARK: - Keys

extension Model {
    mutating func press(_ key: Key) -> [Effect] {
        notice = nil
        guard let action = keymap.action(for: key) else { return [] }
        switch action {
        case .quit where help == nil: return [.quit(.done)]
        case .interrupt: return [.quit(.interrupted)]
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        default: break
        }
        if help != nil {
            turnHelp(action)
            return []
        }
        switch action {
        case .help: help = 0
        case .cancel: cancelPending()
        case .activate: return activate()
        case .beginning: return goToBeginning()
        case .end: return goToEnd()
        default: move(action)
        }
        return loads()
    }

    private mutating func move(_ action: Action) {
        guard opening == .shown else { return }
        // Who moves on does not want to be taken elsewhere by what was asked for before.
        pending = nil
        let height = timeline.viewport.height
        let screen = max(1, height - 2)
        switch action {
        case .up: timeline.moveSelection(by: -1)
        case .down: timeline.moveSelection(by: 1)
        case .rowUp: timeline.scroll(by: -1)
        case .rowDown: timeline.scroll(by: 1)
        case .pageUp: timeline.scrollScreen(by: -screen)
        case .pageDown: timeline.scrollScreen(by: screen)
        case .halfUp: timeline.scrollScreen(by: -max(1, height / 2))
        case .halfDown: timeline.scrollScreen(by: max(1, height / 2))
        default: break
        }
    }

    /// Enter: what stands under the cursor is opened, a failed load is tried again at once.
    private mutating func activate() -> [Effect] {
        if case .failed(let reason, let attempts) = opening, let pending {
            // What the user tries does not lengthen the pause before the next try.
            opening = .failed(reason: reason, attempts: attempts - 1)
            return retry(pending)
        }
        let failed = timeline.selectedEdge ?? visibleFailedEdge
        guard let failed, let output = timeline.retry(failed) else { return [] }
        timeline.leaveEdge()
        return [effect(output)]
    }

    /// The edge whose failed row is on the screen: Enter means it even before the cursor is on it.
    private var visibleFailedEdge: Pager<Messages.Cursor>.Side? {
        Pager<Messages.Cursor>.Side.allCases.first { side in
            guard case .failed = timeline.pager.state(of: side) else { return false }
            return timeline.viewport.rows.contains(timeline.row(of: side))
        }
    }

    private mutating func goToBeginning() -> [Effect] {
        guard opening == .shown else { return [] }
        if timeline.jumpToBeginning() {
            pending = nil
            return loads()
        }
        return requestList(.earliest)
    }

    private mutating func goToEnd() -> [Effect] {
        guard opening == .shown else { return [] }
        if timeline.jumpToEnd() {
            pending = nil
            timeline.lookForNewer()
            return loads()
        }
        return requestList(.latest)
    }

    private mutating func cancelPending() {
        guard opening == .shown else { return }
        pending = nil
    }

    private mutating func turnHelp(_ action: Action) {
        let last = max(0, Help.rows(keymap).count - Help.height(size))
        let page = max(1, Help.height(size) - 1)
        let step: [Action: Int] = [
            .up: -1, .rowUp: -1, .down: 1, .rowDown: 1, .pageUp: -page, .halfUp: -page, .pageDown: page,
            .halfDown: page, .beginning: -last, .end: last,
        ]
        switch action {
        case .help, .cancel, .quit, .activate: help = nil
        default: help = min(max(0, min(help ?? 0, last) + (step[action] ?? 0)), last)
        }
    }
}
