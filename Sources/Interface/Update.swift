import Display
package import Messages
import Timeline

/// The model's whole behaviour: what an event changes, and what is to be done because of it.
package func update(_ model: inout Model, _ event: Event) -> [Effect] {
    let effects = change(&model, event)
    let sent = model.settleOutbox()
    model.fitMessages()
    model.forgetOverruled()
    return effects + sent + model.markRead()
}

private func change(_ model: inout Model, _ event: Event) -> [Effect] {
    switch event {
    case .input(let inputs): return model.take(inputs)
    case .resized(let size):
        model.resize(size)
        return model.wantPreview() + model.loads()
    case .time(let now):
        model.now = now
        return []
    case .list(let request, let result): return model.receive(request, result)
    case .page(let ticket, let result): return model.receive(ticket, result) + model.loads()
    case .retryList(let request): return model.retry(request)
    case .retryPage(let ticket): return model.retry(ticket)
    case .pause(let epoch): return model.endPause(epoch) + model.loads()
    case .places(let epoch, let result): return model.receivePlaces(epoch, result)
    case .placesEnd(let epoch): return model.endPlaces(epoch)
    case .found(let epoch, let result): return model.receiveHits(epoch, result)
    case .foundEnd(let epoch): return model.endSearch(epoch)
    case .preview(let epoch, let result): return model.receivePreview(epoch, result)
    case .conversations(let result): return model.receive(conversations: result)
    case .retrySearch(let epoch): return model.retrySearch(epoch)
    case .retryConversations(let epoch): return model.retryConversations(epoch)
    case .summary(let result): model.receive(summary: result)
    case .summariesEnd: return model.endSummaries()
    case .changed(let id, let changes):
        guard id == model.conversation?.id else { return [] }
        return model.follow(changes) + model.loads()
    case .surveyed(let id, let first, let place, let messages):
        model.receiveSurvey(id, of: first, place, messages)
    case .preparing(let share): model.preparation = share < 1 ? share : nil
    case .problems(let problems): model.report(problems)
    case .newest(let request, let attempt, let result):
        return model.receiveNewest(request, attempt: attempt, result)
    case .retryNewest(let request, let attempt): return model.askForNewest(request, attempt: attempt)
    case .notOpened(let text): model.warn(text)
    case .trouble(let text): if model.notice == nil { model.warn(text) }
    case .obstacle(let id, let reason): if id == model.conversation?.id { model.writing.obstacle = reason }
    case .typingEnds(let epoch): if model.typing.epoch == epoch { model.typing.people = [] }
    case .sent(let id, let message, let result): return model.receive(sent: message, in: id, result) + model.loads()
    case .retrySend(let id, let message): return model.retrySend(message, in: id)
    case .lookForSent(let id, let message): return model.lookForSent(message, in: id)
    }
    return model.loads()
}

extension Model {
    /// Asks for the list that the program was started for.
    package mutating func start(in conversation: Conversation, at position: PageRequest.Position) -> [Effect] {
        requestList(.position(position), in: conversation, leaving: .nothing)
    }

    /// Asks for the first message that is new since the conversation was last read; without one for the newest.
    package mutating func startAtUnread(in conversation: Conversation) -> [Effect] {
        let last = reading.positions[conversation.id]?.message
        return requestList(
            last.map { .unread($0) } ?? .position(.latest), in: conversation, leaving: .nothing)
    }

    /// Begins with the choice of a conversation.
    package mutating func startInSwitcher() -> [Effect] {
        beganInSwitcher = true
        return openSwitcher()
    }

    /// A pause is over: of waiting without a word, or of what the store adds to a list that has just been shown.
    fileprivate mutating func endPause(_ epoch: Int) -> [Effect] {
        if pending?.epoch == epoch { isSlow = true }
        endChangesPause(epoch)
        if writing.keepEpoch == epoch { return keepDraft() }
        guard panel == .switcher, switcher.epoch == epoch, !switcher.isEmpty else { return [] }
        switcher.isShown = true
        return acceptSwitcher()
    }

    mutating func resize(_ size: Size) {
        self.size = size
        let ruler = MessageRuler(grid: Grid(columns: size.columns))
        timeline.resize(ruler: ruler, height: rows.messages)
        search.resize(size)
        scrollSwitcher()
    }

    var rows: Rows { Rows(rows: size.rows, composer: composerRows) }

    /// Gives the messages the rows that what is being written leaves, and those on their way their place below the others.
    mutating func fitMessages() {
        let height = rows.messages
        if timeline.viewport.height != height { timeline.resize(ruler: timeline.ruler, height: height) }
        let footer = outgoingEntries.reduce(typingLine == nil ? 0 : 1) { $0 + timeline.ruler.measure($1).height }
        if timeline.footer != footer { timeline.setFooter(rows: footer) }
    }

    /// What the edges of the window want, as effects.
    mutating func loads() -> [Effect] {
        guard opening == .shown else { return [] }
        if timeline.viewport.isFollowing { newCount = 0 }
        return timeline.loads().compactMap(effect)
    }

    func effect(_ output: Pager<Messages.Cursor>.Output) -> Effect? {
        guard let id = conversation?.id else { return nil }
        switch output {
        case .onPrepend(let ticket, let cursor, let limit):
            return .loadPage(ticket, PageRequest(conversation: id, position: .before(cursor), limit: limit))
        case .onAppend(let ticket, let cursor, let limit):
            return .loadPage(ticket, PageRequest(conversation: id, position: .after(cursor), limit: limit))
        }
    }
}
