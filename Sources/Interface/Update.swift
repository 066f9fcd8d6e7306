import Display
package import Messages
import Timeline

//     key → component (a pane, or the open panel) → outcomes ┐
//     store → event ─────────────────────────────────────────┴→ Navigation → effects → the loop
//                                                                  ↓
//                                                                Model → render → Frame

/// The whole behaviour of the model: changes it by an event, and returns the effects that it asks for.
package func update(_ model: inout Model, _ event: Event) -> [Effect] {
    var effects = change(&model, event)
    effects += model.settleOutbox()
    model.layOutComposer()
    effects += model.fitPanes()
    if model.hasHeld {
        effects += model.takeHeld() + model.settleOutbox()
        model.layOutComposer()
        effects += model.fitPanes()
    }
    effects += model.reloadPutOff()
    model.placeUnreadLine()
    effects += model.markRead()
    effects += model.previewSwitcher()
    effects += model.fillSidebar()
    effects += model.stopAsking()
    return effects
}

private func change(_ model: inout Model, _ event: Event) -> [Effect] {
    switch event {
    case .input(let inputs):
        if !inputs.isEmpty { model.look() }
        return model.take(model.linesAsPaste(inputs))
    case .focus(let hasFocus): return model.note(focus: hasFocus)
    case .interrupted: model.interrupt()
    case .resized(let size): return model.resize(size)
    case .time(let now):
        model.now = now
        return []
    case .list(let request, let result): return model.receive(request, result)
    case .page(let ticket, let result): return model.receive(ticket, result)
    case .retry(let loadable): return model.retry(loadable)
    case .pause(let pause): return model.end(pause)
    case .places(let epoch, let result): return model.inFind { $0.receive(epoch, result, in: $1) }
    case .placesEnd(let epoch): return model.inFind { $0.endPlaces(epoch, in: $1) }
    case .found(let epoch, let result): return model.inSearch { $0.receive(epoch, result, in: $1) }
    case .foundEnd(let epoch): return model.inSearch { $0.end(epoch, in: $1) }
    case .preview(Switcher.previewEpoch, let result): return model.receiveSwitcherPreview(result)
    case .preview(let epoch, let result): return model.inSearch { $0.receivePreview(epoch, result, in: $1) }
    case .sheet(let number, let answer): return model.receive(answer, forSheet: number)
    case .sheetFailed(let number, let question, let error): return model.retryLater(question, ofSheet: number, error)
    case .bookmarks(let bookmarks): return model.receive(bookmarks)
    case .end(let mark, let request, let result): return model.receive(end: result, of: request, toMark: mark)
    case .muted(let muted): model.reading.muted = muted
    case .conversations(let result): return model.receive(conversations: result)
    case .invitations(let invitations): return model.receive(invitations)
    case .listChanged: return model.listAgain()
    case .joined(let address, let result): return model.receive(joined: result, at: address)
    case .declined(let invitation, let result): model.receive(declined: invitation, result)
    case .left(let conversation, let result): model.receive(left: conversation, result)
    case .made(let result): return model.receive(made: result)
    case .summary(let result): model.receive(summary: result)
    case .counted(let result):
        model.receive(summary: result)
        if model.panel == .switcher { model.switcher.show() }
    case .summariesEnd: return model.endSummaries()
    case .changed(let id, let changes):
        guard id == model.conversation?.id else { return [] }
        return model.take(changes)
    case .arrived(let arrivals): return model.receive(arrivals)
    case .located(let id, let first, let place, let messages):
        return model.receivePlace(id, of: first, place, messages)
    case .notLocated(let id, let error): return model.failToLocate(in: id, error)
    case .range(let task, let result): return model.receive(result, of: task)
    case .preparing(let progress): return model.carryOut(model.preparation.note(progress))
    case .problems(let problems): model.notices.report(problems)
    case .readElsewhere(let positions): return model.take(readElsewhere: positions)
    case .baseline(let last): model.reading.states.baseline = last
    case .edited(let result): return model.receive(edited: result)
    case .notOpened(let text, nil): model.warn(text)
    case .notOpened(let text, let link?):
        model.warn("\(text); its address is copied instead")
        return [.copy(link)]
    case .file(let file, let news): return model.take(news, about: file)
    case .pictureFailed(let number, let error): return model.carryOut(model.pictures.fail(number, error))
    case .pictureComing(let number, let received): model.pictures.note(received, of: number)
    case .picture(let number, let result): model.pictures.receive(number, result)
    // It takes the place of "bookmark a is here" and the like, which is not true then.
    case .trouble(let text): if model.notice?.isWarning != true { model.warn(text) }
    case .obstacle(let id, let reason): if id == model.conversation?.id { model.writing.obstacle = reason }
    case .members(let id, let result): return model.receive(members: result, of: id)
    case .missing(let id, let messages): return model.receive(missing: messages, in: id)
    case .typingEnds(let epoch): model.typing.end(epoch)
    case .sent(let id, let message, let result): return model.receive(sent: message, in: id, result)
    case .retrySend(let id, let message): return model.retrySend(message, in: id)
    case .lookForSent(let id, let message): return model.lookForSent(message, in: id)
    }
    return []
}

extension Model {
    /// Asks for the place that the program was started for.
    package mutating func start(in conversation: Conversation, at position: PageRequest.Position) -> [Effect] {
        request(.position(position), in: conversation, leaving: .nothing, on: main.number) + sendKept()
    }

    /// Asks for the first unread message of a conversation; if there is none, for the newest message.
    package mutating func startAtUnread(in conversation: Conversation) -> [Effect] {
        request(.unread(nil), in: conversation, leaving: .nothing, on: main.number) + sendKept()
    }

    /// Begins with the list of conversations.
    package mutating func startInSwitcher() -> [Effect] {
        trail.beganInSwitcher = true
        return openSwitcher() + sendKept()
    }

    fileprivate mutating func receive(_ ticket: PageTicket, _ result: Result<Page, StoreError>) -> [Effect] {
        let context = paneContext
        let effects = carryOut(panes.change(ticket.pane) { $0.receive(ticket.load, result, in: context) })
        if case .failure = result { dropHeldSteps() }
        return effects
    }

    fileprivate mutating func end(_ pause: Pause) -> [Effect] {
        switch pause {
        case .list(let ticket), .settling(let ticket), .quiet(let ticket), .counting(let ticket):
            let context = paneContext
            return carryOut(panes.change(ticket.pane) { $0.end(pause, in: context) })
        case .preparation(let number): preparation.end(number)
        case .hits(let epoch): return find?.epoch == epoch ? inFind { $0.recountStale(in: $1) } : []
        case .results(let epoch): return inOpenSearch { $0.refresh(epoch, in: $1) }
        case .draft(let epoch): return writing.keepEpoch == epoch ? keepDraft() : []
        case .switcher(let epoch):
            guard panel == .switcher, switcher.epoch == epoch, !switcher.isEmpty else { return [] }
            switcher.isShown = true
        }
        return []
    }

    fileprivate mutating func resize(_ size: Size) -> [Effect] {
        self.size = size
        fitRoots()
        let effects = fitPanes()
        search.resize(size)
        scrollSwitcher()
        if panel == .picture { return effects + carryOut(pictures.load(size)) }
        return effects + inSheet { $0.resized(in: $1) } + inOpenSearch { search, _ in search.wantPreview() }
    }

    var rows: Rows { Rows(rows: size.rows, composer: composerRows) }
}
