import Messages
import Timeline

/// The user marks messages as read or unread, and mutes conversations.
extension Model {
    /// The messages at the end that are looked at for one of another person.
    private static let lastMessages = 50

    /// Marks a whole conversation, as soon as its end has come.
    mutating func mark(_ mark: ReadMark, _ id: ConversationID) -> [Effect] {
        let request = PageRequest(
            conversation: id, position: .latest, limit: mark == .read ? 1 : Model.lastMessages,
            since: reading.states[id], threads: reading.threads(of: id))
        return begin(.mark(mark, request))
    }

    mutating func receive(
        end result: Result<Page, StoreError>, of request: PageRequest, toMark mark: ReadMark
    ) -> [Effect] {
        let (task, id) = (UserTask.mark(mark, request), request.conversation)
        switch result {
        case .failure(let error):
            if let again = tasks.fail(task, error) { return [again] }
            if tasks.end(task) != nil { warn("not marked: \(error)") }
            return []
        case .success(let page):
            guard tasks.end(task) != nil else { return [] }
            return mark == .read ? markRead(to: page, of: id) : markUnread(in: page, of: id)
        }
    }

    // MARK: - Read

    private mutating func markRead(to page: Page, of id: ConversationID) -> [Effect] {
        tell("\(known(id).title) is marked as read")
        guard let last = page.messages.last else { return [] }
        let threads = page.threads.map { ThreadMarks(upTo: $0.upTo) }
        reading.elsewhere[id] = nil
        for place in reading.newBelow.keys where place.conversation == id { reading.newBelow[place] = nil }
        var effects: [Effect] = []
        if id == conversation?.id {
            reading.release(threads)
            _ = panes.changeAll { pane in
                pane.newBelow = NewBelow()
                return []
            }
            effects = moveUnreadLine()
        }
        var position = ReadPosition(
            message: last.id, index: page.place.map { $0.index + page.messages.count - 1 }, threads: threads)
        position.isChosen = true
        effects += keep(position, of: id)
        if panel == .switcher { switcher.show() }
        return effects
    }

    // MARK: - Unread

    /// Marks the messages from the selected one on as unread. They stay so while the conversation is on the screen.
    mutating func markUnreadFromSelected() -> [Effect] {
        guard !isInThread else {
            tell("messages can be marked as unread in the conversation, not in a thread")
            return []
        }
        guard let id = conversation?.id, let index = timeline.selectedIndex else { return [] }
        let others = (index..<timeline.count).first { paneContext.isNewFromOthers(timeline.list[$0].message) }
        guard let others else {
            tell("no message of others here to mark as unread")
            return []
        }
        guard others > 0 || !timeline.hasOlder else {
            tell("the message before this one is still being loaded")
            return []
        }
        let first = timeline.list[others].id
        let read = others > 0 ? timeline.list[others - 1].last.id : nil
        let place = read == nil ? nil : timeline.position(of: others).map { $0 - 1 }
        reading.hold(from: first)
        tell("unread from here on, until you come back")
        return markUnread(after: read, index: place, in: id) + moveUnreadLine()
    }

    private mutating func markUnread(in page: Page, of id: ConversationID) -> [Effect] {
        guard let index = page.messages.lastIndex(where: paneContext.isNewFromOthers) else {
            tell("no message of others at the end of \(known(id).title)")
            return []
        }
        tell("\(known(id).title) is marked as unread")
        let read = index > 0 ? page.messages[index - 1].id : page.older.neighbour?.id
        let place = read == nil ? nil : page.place.map { $0.index + index - 1 }
        var effects: [Effect] = []
        if id == conversation?.id {
            reading.hold(from: page.messages[index].id)
            effects = moveUnreadLine()
        }
        return effects + markUnread(after: read, index: place, in: id)
    }

    /// - Parameters:
    ///   - read: the last message that is read; nil when none is.
    ///   - index: its index in the conversation.
    private mutating func markUnread(after read: MessageID?, index: Int?, in id: ConversationID) -> [Effect] {
        var position = ReadPosition(message: read, index: index, threads: reading.threads(of: id))
        position.isChosen = true
        return keep(position, of: id) + [.countUnread(known(id), reading.states)]
    }

    /// Reads the window again, so that the line of unread messages stands elsewhere in it.
    private mutating func moveUnreadLine() -> [Effect] {
        let context = paneContext
        return carryOut(panes.main.reload(in: context))
    }

    // MARK: - Muting

    mutating func toggleMute(_ id: ConversationID) -> [Effect] {
        let isMuted = !reading.muted.contains(id)
        if isMuted { reading.muted.insert(id) } else { reading.muted.remove(id) }
        let title = known(id).title
        tell(isMuted ? "\(title) is muted: only mentions count" : "\(title) is not muted any more")
        return [.setMuted(id, isMuted)]
    }
}
