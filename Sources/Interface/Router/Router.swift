import Display
package import Messages
import Search
import Timeline

//     key → component (a pane, or the open panel) → outcomes ┐
//     store → event ─────────────────────────────────────────┴→ router → effects → the loop
//                                                                ↓
//                                                                Model → render → Frame

/// The whole behaviour of the model: applies an event, and returns the effects that the event leads to.
///
/// Two passes follow every event. `layOut` derives the layout of the panes from the size, the panel, the text that is being
/// written and the unsent posts, and compares it with the layout before: each of these changes in many places. `noteWhatIsShown`
/// marks messages as read and requests missing data by the final screen: one event may change the screen several times.
package func update(_ model: inout Model, _ event: Event) -> [Effect] {
    var effects = change(&model, event)
    effects += model.layOut()
    if !model.inputState.held.isEmpty { effects += model.takeHeld() + model.layOut() }
    return effects + model.noteWhatIsShown()
}

extension Model {
    /// Removes posts that have appeared in the list, and gives the composer and the panes their rows and columns.
    fileprivate mutating func layOut() -> [Effect] {
        (writing.outbox.isEmpty ? [] : inWriting { $0.settle(in: $1) }) + fitPanes()
    }

    /// Performs put-off reloads, marks what the user has seen as read, and requests what is missing next to the messages.
    fileprivate mutating func noteWhatIsShown() -> [Effect] {
        var effects = inReader { $0.noteWhatIsShown($1) }
        if panel == .switcher {
            effects += inRooms { $0.previewSelected(in: $1) }
        } else if rooms.isSidebarEmpty, sidebarColumns > 0, main.opening == .shown {
            effects += inRooms { $0.loadSidebar(in: $1) }
        }
        return effects
    }
}

private func change(_ model: inout Model, _ event: Event) -> [Effect] {
    switch event {
    case .input(let inputs):
        if !inputs.isEmpty { model.reader.reading.attention.look() }
        return model.take(inputs)
    case .focus(let hasFocus): return model.inReader { $0.note(focus: hasFocus, $1) }
    // Another program had the terminal, or this one was stopped.
    case .interrupted: model.reader.reading.attention.interrupt()
    case .resized(let size): return model.resize(size)
    case .time(let now):
        model.screen.now = now
        return []
    case .reply(let ticket, let reply): return model.receive(reply, for: ticket)
    case .retry(let ticket): return model.retry(ticket)
    case .pause(let pause): return model.end(pause)
    case .changed(let id, let changes):
        guard id == model.conversation?.id else { return [] }
        return model.take(changes)
    case .arrived(let arrivals): return model.receive(arrivals)
    case .news(let news): return model.take(news)
    case .edited(let result): return model.inWriting { $0.receive(edited: result, in: $1) }
    case .notOpened(let text, nil): return model.carryOut([.warn(text)])
    case .notOpened(let text, let link?):
        return model.carryOut([.warn("\(text); its address is copied instead"), .effect(.copy(link))])
    // The error replaces a notice such as "bookmark a is here", which may be false now. A warning stays.
    case .trouble(let text): if model.notice?.isWarning != true { return model.carryOut([.warn(text)]) }
    }
    return []
}

extension Model {
    /// True if the archive is open for the first time, so the last message of each conversation still has to be recorded.
    package var isFirstOpening: Bool { reading.states.baseline == nil }

    /// Requests the place with which the program was started.
    package mutating func start(in conversation: Conversation, at position: PageRequest.Position) -> [Effect] {
        start(in: conversation, at: .position(position))
    }

    /// Requests the first unread message of a conversation; if there is none, the newest message.
    package mutating func startAtUnread(in conversation: Conversation) -> [Effect] {
        start(in: conversation, at: .unread(nil))
    }

    /// Begins with the list of conversations.
    package mutating func startInSwitcher() -> [Effect] {
        reader.trail.beganInSwitcher = true
        return act(.switcher) + inWriting { writing, _ in writing.sendKept() }
    }

    private mutating func start(in conversation: Conversation, at place: ListRequest.Destination) -> [Effect] {
        inReader { $0.request(place, in: conversation, leaving: .nothing, on: $0.main.number, $1) }
            + inWriting { writing, _ in writing.sendKept() }
    }

    /// Saves all drafts when the program ends.
    package mutating func keepAllDrafts() -> [Effect] { inWriting { $0.keepAllDrafts(in: $1) } }

    fileprivate mutating func take(_ news: News) -> [Effect] {
        switch news {
        case .bookmarks(let bookmarks):
            if let outcomes = reader.receive(bookmarks, outside) { return carryOut(outcomes) }
            return inSheet { $0.take(bookmarks, in: $1) }
        case .muted(let muted): reader.reading.muted = muted
        case .invitations(let invitations): return inRooms { $0.receive(invitations, in: $1) }
        case .listChanged: return inRooms { $0.listAgain(in: $1) }
        case .preparing(let progress): return notices.preparation.note(progress)
        case .readElsewhere(let positions): return inReader { $0.take(readElsewhere: positions, $1) }
        case .baseline(let last): reader.reading.states.baseline = last
        }
        return []
    }

    /// Forwards changes of the store to everything that shows or counts messages.
    fileprivate mutating func take(_ changes: [StoreChange]) -> [Effect] {
        guard main.opening == .shown, let id = conversation?.id else { return [] }
        var effects = inReader { $0.askAfter(changes, $1) }
        for case .typing(let people) in changes { effects += writing.typing.show(people, besides: me) }
        for case .reach(let reach) in changes { notices.note(reach) }
        let unknown = reader.unknown(in: changes)
        effects += inReader { $0.note(changes, unknown: unknown, $1) }
        effects += inWriting { $0.take(changes, in: $1) }
        effects += inFind { $0.take(changes, in: $1) }
        effects += inSearch { $0.take(changes.compactMap(\.message), in: id, context: $1) }
        return effects + inReader { $0.apply(changes, unknown: unknown, $1) }
    }

    /// Forwards new messages of conversations that are not on the screen.
    fileprivate mutating func receive(_ arrivals: [Arrival]) -> [Effect] {
        var effects: [Effect] = []
        for (id, some) in Dictionary(grouping: arrivals, by: \.conversation) where id != conversation?.id {
            effects += inSearch { $0.take(some.map(\.message), in: id, context: $1) }
        }
        let others = arrivals.filter { $0.isNew && $0.conversation != conversation?.id }
        if others.isEmpty { return effects }
        // A notice may be outdated now. A warning stays until the next key.
        if notice?.isWarning == false { notice = nil }
        return effects + inReader { $0.receive(others, $1) }
    }

    fileprivate mutating func end(_ pause: Pause) -> [Effect] {
        switch pause {
        case .list(let ticket), .settling(let ticket), .quiet(let ticket), .counting(let ticket):
            return inPane(ticket.pane) { $0.end(pause, in: $1) }
        case .preparation(let number): notices.preparation.end(number)
        case .hits(let epoch): return find?.epoch == epoch ? inFind { $0.recountStale(in: $1) } : []
        case .results(let epoch): return inOpenSearch { $0.refresh(epoch, in: $1) }
        case .draft(let epoch): return writing.keepEpoch == epoch ? inWriting { $0.keepDraft(in: $1) } : []
        case .switcher(let epoch):
            guard panel == .switcher, rooms.switcher.epoch == epoch, !rooms.switcher.isEmpty else { return [] }
            rooms.switcher.isShown = true
        case .typing(let epoch): writing.typing.end(epoch)
        case .sent(let id, let message):
            guard let number = writing.pane(missing: message, in: id, context) else { return [] }
            return carryOut(reader.panes.change(number) { $0.lookForNewer() })
        }
        return []
    }

    fileprivate mutating func resize(_ size: Size) -> [Effect] {
        screen.size = size
        reader.fitRoot(outside)
        let effects = fitPanes()
        search.resize(size)
        rooms.scrollSwitcher(in: context)
        if panel == .picture { return effects + carryOut(layers.pictures.load(size)) }
        return effects + inSheet { $0.resized(in: $1) } + inOpenSearch { $0.wantPreview(in: $1) }
    }
}

/// Routes each reply to the component that asked, by its ticket.
extension Model {
    mutating func receive(_ reply: Reply, for ticket: Ticket) -> [Effect] {
        switch (ticket, reply) {
        case (.list(let request), .page(let result)): return inReader { $0.receive(request, result, $1) }
        case (.page(let ticket), .page(let result)):
            return inPane(ticket.pane) { $0.receive(ticket.load, result, in: $1) }
        case (.places(let epoch), .places(let result)): return inFind { $0.receive(epoch, result, in: $1) }
        case (.places(let epoch), .end): return inFind { $0.endPlaces(epoch, in: $1) }
        case (.search(let epoch), .hits(let result)): return inSearch { $0.receive(epoch, result, in: $1) }
        case (.search(let epoch), .end): return inSearch { $0.end(epoch, in: $1) }
        case (.preview(Switcher.previewEpoch), .page(let result)): return inRooms { $0.receivePreview(result, in: $1) }
        case (.preview(let epoch), .page(let result)): return inSearch { $0.receivePreview(epoch, result, in: $1) }
        case (.conversations, .conversations(let result)):
            let height = rows.list
            return inRooms { $0.receive(result, height: height, in: $1) }
        case (.conversations, .summary(let result)): return carryOut(rooms.receive(summary: result))
        case (.conversations, .end): return inRooms { $0.endSummaries(in: $1) }
        case (.request(.summary), .summary(let result)):
            return carryOut(rooms.receive(summary: result) + [.list(.show)])
        case (.place(let id, let first), .place(let result)):
            if case .success((_, let messages)) = result, id == conversation?.id {
                writing.fillQuotes(in: id, messages)
            }
            return inReader { $0.receive(place: result, of: first, in: id, $1) }
        case (.task(.open(let file)), .file(let news)):
            return carryOut(tasks.take(news, about: file, panel: panel, notice: notice))
        case (.task(.mark(let mark, let request)), .page(let result)):
            let (page, outcomes) = tasks.receive(result, of: .mark(mark, request))
            let id = request.conversation
            return carryOut(outcomes) + (page.map { page in inReader { $0.mark(mark, by: page, id, $1) } } ?? [])
        case (.task(let task), .range(let result)):
            return carryOut(tasks.receive(result, of: task, panel: panel, keymap: keymap))
        case (.picture(let number), .file(.coming(let received))): layers.pictures.note(received, of: number)
        case (.picture(let number), .file(.failed(let error))): return carryOut(layers.pictures.fail(number, error))
        case (.picture(let number), .picture(let result)): layers.pictures.receive(number, result)
        case (.request(.members(let id)), .members(let result)):
            return inWriting { $0.receive(members: result, of: id, in: $1) }
        // A reply to a sheet that was closed meanwhile has no effect.
        case (.sheet(let number, let rest), let reply):
            guard layers.hears(reply, forSheet: number) else { return [] }
            if case .members(.success(let people)) = reply, let id = conversation?.id { writing.members[id] = people }
            return inSheet { $0.receive(reply, in: $1) } + layers.retryLater(reply, rest: rest)
        case (.request(.obstacle(let id)), .obstacle(let reason)):
            if id == conversation?.id { writing.obstacle = reason }
        case (.request(.missing(_, let id)), .missing(let messages)):
            return inWriting { $0.receive(missing: messages, in: id, $1) }
        case (.request(.problems), .problems(let problems)): notices.report(problems)
        case (.text(let ticket), .messages(_, let result)):
            return carryOut(reader.panes.change(ticket.pane) { $0.receive(text: ticket, result) })
        case (.request(.make), .conversation(let result)): return inRooms { $0.receive(made: result, in: $1) }
        case (.request(.join(let address)), .conversation(let result)):
            return inRooms { $0.receive(joined: result, at: address, in: $1) }
        case (.request(.decline(let invitation)), .done(let result)):
            return carryOut(rooms.report(result, "declined the invitation to \(invitation.name)"))
        case (.request(.leave(let conversation)), .done(let result)):
            return carryOut(rooms.report(result, "you have left \(conversation.title); its messages stay here"))
        case (.post(let id, let message), .done(let result)):
            return inWriting { $0.receive(sent: message, in: id, result, $1) }
        // The file is a step on the way to the picture.
        case (.picture, .file(.here)): break
        default: assertionFailure("no component takes the reply \(reply) to \(ticket)")
        }
        return []
    }

    /// The pause after a failed try is over.
    mutating func retry(_ ticket: Ticket) -> [Effect] {
        switch ticket {
        case .list(let request): inPane(request.ticket.pane) { $0.retry(request, in: $1) }
        case .page(let ticket): carryOut(reader.panes.change(ticket.pane) { $0.retry(ticket.load) })
        case .text(let ticket): carryOut(reader.panes.change(ticket.pane) { $0.retry(text: ticket) })
        case .places(let epoch): inFind { $0.retry(epoch, in: $1) }
        case .search(let epoch): inOpenSearch { $0.retry(epoch, in: $1) }
        case .preview(Switcher.previewEpoch): inRooms { $0.retryPreview(in: $1) }
        case .preview(let epoch): inOpenSearch { $0.retryPreview(epoch, in: $1) }
        case .conversations(let epoch): inRooms { $0.retry(epoch, in: $1) }
        case .place(let id, _): carryOut(reader.retryPlace(in: id))
        case .task(let task): tasks.retry(task) ? [task.effect] : []
        case .request(.members(let id)): inWriting { $0.retryMembers(of: id, in: $1) }
        case .picture(let number): panel == .picture ? carryOut(layers.pictures.retry(number)) : []
        case .sheet(let number, let rest): layers.retry(rest, ofSheet: number)
        case .post(let id, let message): inWriting { writing, _ in writing.retrySend(message, in: id) }
        // The error of any other request is shown, and the request is not retried.
        case .request: []
        }
    }
}
