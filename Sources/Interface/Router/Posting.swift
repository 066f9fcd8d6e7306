import Display
import Messages
import Search
import Timeline

/// Posts on their way into a conversation.
extension Model {
    /// Enter in the composer: sends the text, and empties the composer.
    mutating func sendComposed() -> [Effect] {
        guard let composer, let id = conversation?.id else { return [] }
        guard !composer.area.isBlank else {
            if case .edit = composer.intent { warn("an edited message cannot be empty; Esc keeps the original") }
            return []
        }
        let text = composer.area.text.trimmingBlankEnd
        writing.calls[id, default: Calls()].merge(composer.calls)
        let calls = writing.calls[id] ?? Calls()
        if case .edit(let target) = composer.intent {
            writing.remember(text)
            writing.edits[id]?[target] = nil
            let edited = pane.loaded(target)
            let isSame = edited?.text == text
            self.composer = composer.withoutEdit.area.isEmpty ? nil : composer.withoutEdit
            layers.panel = nil
            return isSame
                ? keepDraft()
                : post(
                    .edit(target, text: calls.linked(text)), isAction: edited?.kind == .action, seen: composer.seen,
                    in: id)
        }
        let (sent, isAction): (String, Bool)
        switch TypedText(text) {
        case .message(let text): (sent, isAction) = (text, false)
        case .action(let text): (sent, isAction) = (text, true)
        case .command(let name):
            warn(TypedText.refusal(of: name))
            return []
        }
        var replyTo: MessageID?
        if case .reply(let quote) = composer.intent { replyTo = quote.id }
        writing.remember(text)
        self.composer = Composer()
        let effects = post(
            .message(text: calls.linked(sent), replyTo: replyTo, thread: pane.thread), isAction: isAction, in: id)
        // The user wants to see this message next.
        return effects + go(to: .position(.latest))
    }

    /// Sends a post. The post is saved first, so that nothing can get lost.
    mutating func post(
        _ content: Post.Content, isAction: Bool = false, seen: String? = nil, in id: ConversationID
    ) -> [Effect] {
        guard let me = me else { return [] }
        let message = MessageID(ULID.make(at: now, using: &writing.chance))
        let post = Post(id: message, at: now, sender: me, content: content, isAction: isAction, seen: seen)
        writing.outbox[id, default: []].append(Outgoing(post: post))
        return keepDraft(of: id) + sendNext(in: id) + writing.typing.stop(in: id)
    }

    /// Sends the first queued post when no post before it is on its way.
    mutating func sendNext(in id: ConversationID) -> [Effect] {
        let outbox = writing.outbox[id] ?? []
        guard !outbox.contains(where: \.isInTheWay), let index = outbox.firstIndex(where: { $0.state == .queued })
        else {
            return []
        }
        writing.outbox[id]?[index].state = .sending
        return [send(outbox[index], to: id)]
    }

    private func send(_ outgoing: Outgoing, to id: ConversationID) -> Effect {
        .ask(.send(outgoing.post, id, isRetry: outgoing.isRetry), .post(id, outgoing.post.id))
    }

    mutating func receive(sent id: MessageID, in conversation: ConversationID, _ result: Result<Void, StoreError>)
        -> [Effect]
    {
        guard let index = writing.outbox[conversation]?.firstIndex(where: { $0.post.id == id }),
            let outgoing = writing.outbox[conversation]?[index]
        else { return keepDraft(of: conversation) + sendNext(in: conversation) }
        switch result {
        case .success:
            dropNotice(of: [id])
            if outgoing.isMessage, conversation == self.conversation?.id {
                writing.outbox[conversation]?[index].state = .sent
            } else {
                writing.outbox[conversation]?.remove(at: index)
            }
            // If the store does not report the post, it is looked for.
            return keepDraft(of: conversation) + sendNext(in: conversation)
                + [.wait(.seconds(2), .pause(.sent(conversation, id)))]
        case .failure(let error) where error.isTransient:
            let attempts = outgoing.attempts + 1
            writing.outbox[conversation]?[index].attempts = attempts
            writing.outbox[conversation]?[index].isRetry = true
            writing.outbox[conversation]?[index].state = .waiting
            let delay = Pager<Messages.Cursor>.retryDelay(attempts: attempts)
            let advice = panel == .composer ? "" : ", \(keymap.keyName(.resend)) tries now"
            warn(
                "not sent yet\(place(conversation)), next try in \(delay) s\(advice): \(error.reason)",
                about: .post(id))
            return [.retry(.post(conversation, id), afterFailures: attempts)]
        case .failure(let error):
            writing.reactions.drop(outgoing.post.content)
            warn("not sent\(place(conversation)): \(error.reason)")
            return giveBack(index, in: conversation, error) + sendNext(in: conversation)
        }
    }

    /// Removes the notice that one of these posts was not sent.
    private mutating func dropNotice(of posts: Set<MessageID>) {
        if case .post(let post)? = notice?.subject, posts.contains(post) { notice = nil }
    }

    /// ` in Dev` for a conversation that is not on the screen.
    private func place(_ id: ConversationID) -> String { id == conversation?.id ? "" : " in \(known(id).title)" }

    /// Sends the posts that were on their way when the program ended.
    mutating func sendKept() -> [Effect] { writing.outbox.keys.flatMap { sendNext(in: $0) } }

    /// The number of posts that are not known to have been sent.
    package var unsentCount: Int {
        writing.outbox.values.joined().count { $0.state != .sent }
    }

    /// True if a post is being sent at this moment.
    package var isSending: Bool { writing.outbox.values.joined().contains { $0.state == .sending } }

    /// Puts a refused text back into its composer. If the composer holds another text by now, the post waits.
    private mutating func giveBack(_ index: Int, in id: ConversationID, _ error: StoreError) -> [Effect] {
        guard let outgoing = writing.outbox[id]?[index] else { return [] }
        let place = WritingPlace(conversation: id, thread: outgoing.thread)
        guard case .message(let text, let replyTo, _) = outgoing.post.content else {
            writing.outbox[id]?.remove(at: index)
            if case .edit(let target, let text) = outgoing.post.content {
                let edit = Draft.Edit(text, seen: outgoing.post.seen)
                return giveBack(edit, asEditOf: target, in: id, error) + keepDraft(of: id)
            }
            return keepDraft(of: id)
        }
        guard writing.composers[place]?.area.isEmpty ?? true else {
            writing.outbox[id]?[index].state = .failed
            return keepDraft(of: id)
        }
        writing.outbox[id]?.remove(at: index)
        let typed = TypedText.typed(text, isAction: outgoing.post.isAction)
        writing.composers[place] = Composer(typed, replyTo.map { .reply($0) } ?? .message)
        return keepDraft(of: id)
    }

    /// Opens the composer with a refused edit if the user has done nothing since; else the next `e` on the message does so. When
    /// the message is gone, the edit becomes a draft.
    private mutating func giveBack(
        _ edit: Draft.Edit, asEditOf target: MessageID, in id: ConversationID, _ error: StoreError
    ) -> [Effect] {
        writing.edits[id, default: [:]][target] = edit
        if case .noSuchMessage(target, _) = error {
            if panel == .composer, id == conversation?.id {
                warn("not sent: the edited message is gone; its text comes back when you leave this one")
            }
            return receive(missing: [target], in: id)
        }
        let isIdle = panel == nil && layers.help == nil && reader.panes.allSatisfy { $0.pending == nil }
        if id == conversation?.id, isIdle, selectedMessage?.id == target {
            _ = editSelected()
            if case .editedMeanwhile(_, let now, _) = error { contest(with: now) }
        } else {
            warn("not sent\(place(id)), \(keymap.keyName(.edit)) on the message continues it: \(error.reason)")
        }
        return findStrayEdits(in: id)
    }

    /// R: tries all waiting posts now.
    mutating func resend() -> [Effect] {
        guard let id = conversation?.id else { return [] }
        let waiting = (writing.outbox[id] ?? []).filter(\.isWaiting)
        if waiting.isEmpty { tell("no message is waiting to be sent") }
        return waiting.flatMap { retrySend($0.post.id, in: id) }
    }

    mutating func retrySend(_ message: MessageID, in id: ConversationID) -> [Effect] {
        guard let index = writing.outbox[id]?.firstIndex(where: { $0.post.id == message }),
            let outgoing = writing.outbox[id]?[index], outgoing.isWaiting
        else { return [] }
        writing.outbox[id]?[index].state = .sending
        return [send(outgoing, to: id)]
    }

    /// Requests newer messages, since a post that was sent has not appeared.
    mutating func lookForSent(_ message: MessageID, in id: ConversationID) -> [Effect] {
        guard id == conversation?.id, let outgoing = writing.outbox[id]?.first(where: { $0.post.id == message }),
            let number = reader.panes.first(where: { $0.thread == outgoing.thread })?.number
        else { return [] }
        return carryOut(
            reader.panes.change(number) { pane in
                pane.timeline.lookForNewer()
                return pane.viewportMoved()
            })
    }

    // MARK: - Below the last message

    /// Removes the posts that have appeared in the list.
    mutating func settleOutbox() -> [Effect] {
        guard let id = conversation?.id, let outbox = writing.outbox[id], !outbox.isEmpty else { return [] }
        let left = outbox.filter { outgoing in
            // A reply in a thread that is not open will not appear anywhere.
            if outgoing.state == .sent, !reader.panes.contains(where: { $0.thread == outgoing.thread }) { return false }
            return !reader.panes.contains { $0.holdsPost(outgoing.post.id) }
        }
        if left.count == outbox.count { return [] }
        dropNotice(of: Set(outbox.map(\.post.id)).subtracting(left.map(\.post.id)))
        writing.outbox[id] = left.isEmpty ? nil : left
        return keepDraft(of: id) + sendNext(in: id)
    }

    /// The posts that could not be sent and wait for another try.
    var failedPosts: Set<MessageID> {
        Set((conversation.flatMap { writing.outbox[$0.id] } ?? []).filter(\.isWaiting).map(\.post.id))
    }

    /// The messages on their way into the conversation on the screen.
    var outgoingMessages: [Message] {
        guard let id = conversation?.id, let outbox = writing.outbox[id] else { return [] }
        return outbox.compactMap { message(of: $0.post) }
    }

    private func message(of post: Post) -> Message? {
        guard case .message(let text, let replyTo, let thread) = post.content else { return nil }
        return Message(
            id: post.id, at: post.at, sender: person(post.sender), kind: post.isAction ? .action : .text,
            text: Calls.unlinked(text).text,
            quote: replyTo.map { Quote(id: $0, content: .pending) }, thread: thread, cursor: Cursor(token: ""))
    }

    /// The person with this ID, with the name of a member or from the loaded messages.
    func person(_ id: PersonID) -> Person {
        let timeline = timeline
        let writers = (0..<timeline.count).lazy.compactMap { timeline.list[$0].message.sender }
        return conversation?.members.first { $0.id == id } ?? writers.first { $0.id == id }
            ?? Person(id: id, name: id.rawValue)
    }
}

/// Edits whose message is gone. `e` cannot open them, so their texts become a draft.
extension Model {
    /// Requests the IDs of messages that have an unsent edit but are gone.
    func findStrayEdits(in id: ConversationID) -> [Effect] {
        let targets = Set((writing.edits[id] ?? [:]).keys)
        return targets.isEmpty ? [] : [.ask(.missing(targets, id))]
    }

    /// Moves the edits of missing messages into the draft of the conversation. While the user is writing there, the edits wait
    /// until the composer is closed.
    mutating func receive(missing targets: Set<MessageID>, in id: ConversationID) -> [Effect] {
        let isWriting = panel == .composer && id == conversation?.id
        let stray = targets.filter { writing.edits[id]?[$0] != nil }.sorted { $0.rawValue < $1.rawValue }
        guard !isWriting, !stray.isEmpty else { return [] }
        let taken = stray.filter { writing.takeStrayEdit(of: $0, in: id) }
        guard !taken.isEmpty else { return [] }
        warn("the edited message\(place(id)) is gone; \(keymap.keyName(.compose)) continues its text as a new message")
        return keepDraft(of: id)
    }
}

extension Pane {
    /// True if the list holds a post, or its echo from a server (with another ID), which is among the last messages.
    fileprivate func holdsPost(_ id: MessageID) -> Bool {
        if timeline.list.index(of: id) != nil { return true }
        return (0..<timeline.count).reversed().contains { timeline.list[$0].message.transaction == id }
    }
}

extension String {
    /// The text without blanks and line feeds at its end, which are invisible.
    fileprivate var trimmingBlankEnd: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
