import Display
import Messages
import Timeline

/// A post on its way into a conversation.
struct Outgoing: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// It waits for the posts before it, so that all of them stand in the order in which they were written.
        case queued
        case sending
        /// It was sent, and the store has not told of it yet.
        case sent
        /// It is tried again, by a timer or by `R`.
        case waiting(reason: String)
        /// It was refused. Only `R` tries it again.
        case failed(reason: String)
    }

    let post: Post
    var state = State.queued
    /// The number of failed tries.
    var attempts = 0
    /// Whether it may have been sent already.
    var isRetry = false

    /// Whether it stands below the last message until it has arrived.
    var isMessage: Bool {
        if case .message = post.content { true } else { false }
    }

    /// The thread that it is a reply in.
    var thread: MessageID? {
        if case .message(_, _, let thread) = post.content { thread } else { nil }
    }
}

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
            panel = nil
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

    /// Sends a post. It is kept first, so that nothing is lost whatever happens.
    mutating func post(
        _ content: Post.Content, isAction: Bool = false, seen: String? = nil, in id: ConversationID
    ) -> [Effect] {
        guard let me = me else { return [] }
        let message = MessageID(ULID.make(at: now, using: &writing.chance))
        let post = Post(id: message, at: now, sender: me, content: content, isAction: isAction, seen: seen)
        writing.outbox[id, default: []].append(Outgoing(post: post))
        return keepDraft(of: id) + sendNext(in: id) + typing.stop(in: id)
    }

    /// Sends the first queued post when no post before it is on its way.
    mutating func sendNext(in id: ConversationID) -> [Effect] {
        let outbox = writing.outbox[id] ?? []
        guard !outbox.contains(where: \.isInTheWay), let index = outbox.firstIndex(where: { $0.state == .queued })
        else {
            return []
        }
        writing.outbox[id]?[index].state = .sending
        return [.send(id, outbox[index].post, isRetry: outbox[index].isRetry)]
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
            // If the store does not tell of it, it is looked for.
            return keepDraft(of: conversation) + sendNext(in: conversation)
                + [.wait(.seconds(2), .lookForSent(conversation, id))]
        case .failure(let error) where error.isTransient:
            let attempts = outgoing.attempts + 1
            writing.outbox[conversation]?[index].attempts = attempts
            writing.outbox[conversation]?[index].isRetry = true
            writing.outbox[conversation]?[index].state = .waiting(reason: error.description)
            let delay = Pager<Messages.Cursor>.retryDelay(attempts: attempts)
            let advice = panel == .composer ? "" : ", \(keymap.keyName(.resend)) tries now"
            warn("not sent yet\(place(conversation)), next try in \(delay) s\(advice): \(error.reason)")
            notice?.post = id
            return [.wait(.seconds(delay), .retrySend(conversation, id))]
        case .failure(let error):
            writing.reactions.drop(outgoing.post.content)
            warn("not sent\(place(conversation)): \(error.reason)")
            return giveBack(index, in: conversation, error) + sendNext(in: conversation)
        }
    }

    /// Drops a notice that one of these posts was not sent.
    private mutating func dropNotice(of posts: Set<MessageID>) {
        if let post = notice?.post, posts.contains(post) { notice = nil }
    }

    /// ` in Dev` for a conversation that is not on the screen.
    private func place(_ id: ConversationID) -> String { id == conversation?.id ? "" : " in \(known(id).title)" }

    /// Sends the posts that were on their way when the program ended.
    mutating func sendKept() -> [Effect] { writing.outbox.keys.flatMap { sendNext(in: $0) } }

    /// The number of posts that are not known to have been sent.
    package var unsentCount: Int {
        writing.outbox.values.joined().count { $0.state != .sent }
    }

    /// Whether one of them is being sent at this moment.
    package var isSending: Bool { writing.outbox.values.joined().contains { $0.state == .sending } }

    /// A text that was refused goes back to its composer. If that holds another text by now, the post waits.
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
            writing.outbox[id]?[index].state = .failed(reason: error.description)
            return keepDraft(of: id)
        }
        writing.outbox[id]?.remove(at: index)
        let typed = TypedText.typed(text, isAction: outgoing.post.isAction)
        writing.composers[place] = Composer(typed, replyTo.map { .reply($0) } ?? .message)
        return keepDraft(of: id)
    }

    /// An edit that was refused: the composer opens with it again if the user has done nothing since; else the next `e` on the
    /// message does it. When the message is gone, the edit becomes a draft.
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
        let isIdle = panel == nil && help == nil && panes.allSatisfy { $0.pending == nil }
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
        return [.send(id, outgoing.post, isRetry: outgoing.isRetry)]
    }

    /// A post was sent, but has not appeared.
    mutating func lookForSent(_ message: MessageID, in id: ConversationID) -> [Effect] {
        guard id == conversation?.id, let outgoing = writing.outbox[id]?.first(where: { $0.post.id == message }),
            let number = panes.first(where: { $0.thread == outgoing.thread })?.number
        else { return [] }
        return carryOut(
            panes.change(number) { pane in
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
            if outgoing.state == .sent, !panes.contains(where: { $0.thread == outgoing.thread }) { return false }
            return !panes.contains { $0.holdsPost(outgoing.post.id) }
        }
        if left.count == outbox.count { return [] }
        dropNotice(of: Set(outbox.map(\.post.id)).subtracting(left.map(\.post.id)))
        writing.outbox[id] = left.isEmpty ? nil : left
        return keepDraft(of: id) + sendNext(in: id)
    }

    /// The posts that wait to be tried again.
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
        let sender = conversation?.members.first { $0.id == post.sender } ?? knownWriter(post.sender)
        return Message(
            id: post.id, at: post.at, sender: sender, kind: post.isAction ? .action : .text,
            text: Calls.unlinked(text).text,
            quote: replyTo.map { Quote(id: $0, content: .pending) }, thread: thread, cursor: Cursor(token: ""))
    }

    /// A person as known from the loaded messages.
    func knownWriter(_ id: PersonID) -> Person {
        let timeline = timeline
        let own = (0..<timeline.count).lazy.compactMap { timeline.list[$0].message.sender }.first { $0.id == id }
        return own ?? Person(id: id, name: id.rawValue)
    }
}

extension Pane {
    /// Whether the list holds a post, or its echo from a server, which has another ID. The echo is among the last messages.
    fileprivate func holdsPost(_ id: MessageID) -> Bool {
        if timeline.list.index(of: id) != nil { return true }
        return (0..<timeline.count).reversed().contains { timeline.list[$0].message.transaction == id }
    }
}

extension Outgoing {
    var isWaiting: Bool {
        switch state {
        case .waiting, .failed: true
        case .queued, .sending, .sent: false
        }
    }

    /// Whether posts after it have to wait.
    var isInTheWay: Bool {
        switch state {
        case .sending, .waiting: true
        case .queued, .sent, .failed: false
        }
    }
}

extension String {
    /// Without blanks and line feeds at the end, which nobody sees.
    fileprivate var trimmingBlankEnd: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// The reason why a program did not edit a text, in one line for people.
package struct EditFailure: Error, Hashable, Sendable {
    let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// Edits whose message is gone. No `e` can open them, so their texts become a draft.
extension Model {
    /// Asks which messages of unsent edits are gone.
    func findStrayEdits(in id: ConversationID) -> [Effect] {
        let targets = Set((writing.edits[id] ?? [:]).keys)
        return targets.isEmpty ? [] : [.findMissing(id, targets)]
    }

    /// Moves the edits of missing messages into the draft of the conversation. While the user is writing there, they wait
    /// until the composer is closed.
    mutating func receive(missing targets: Set<MessageID>, in id: ConversationID) -> [Effect] {
        let isWriting = panel == .composer && id == conversation?.id
        let stray = targets.filter { writing.edits[id]?[$0] != nil }.sorted { $0.rawValue < $1.rawValue }
        guard !isWriting, !stray.isEmpty else { return [] }
        let taken = stray.filter { writing.takeStrayEdit(of: $0, in: id) }
        guard !taken.isEmpty else { return [] }
        let title = id == conversation?.id ? "" : " in \(known(id).title)"
        warn("the edited message\(title) is gone; \(keymap.keyName(.compose)) continues its text as a new message")
        return keepDraft(of: id)
    }
}

extension Writing {
    /// Appends the edit to the draft of the main timeline.
    /// - Returns: false when the edit stays where it is, because the draft is itself an edit, or would be too long.
    fileprivate mutating func takeStrayEdit(of target: MessageID, in id: ConversationID) -> Bool {
        guard let text = edits[id]?[target]?.text else { return false }
        let place = WritingPlace(conversation: id)
        var composer = composers[place] ?? Composer()
        if case .edit = composer.intent { return false }
        let whole = composer.area.isBlank ? text : composer.area.text + "\n\n" + text
        guard whole.count <= TextArea.longest else { return false }
        composer.area = TextArea(whole)
        composers[place] = composer
        edits[id]?[target] = nil
        return true
    }
}

/// The reactions that the user has added and taken back, and of which the store has not told yet: one can be taken back before it
/// is on the screen.
struct OwnReactions: Sendable {
    private struct Key: Hashable {
        let message: MessageID
        let emoji: String

        init(_ message: MessageID, _ emoji: String) { (self.message, self.emoji) = (message, Reaction.key(emoji)) }
    }

    /// Whether the user has reacted, as was chosen last.
    private var chosen: [Key: Bool] = [:]

    /// Chooses the opposite of what is there.
    /// - Parameter message: as it is on the screen.
    /// - Returns: whether the reaction is taken back.
    mutating func toggle(_ emoji: String, on target: MessageID, _ message: Message?, by me: PersonID?) -> Bool {
        let key = Key(target, emoji)
        let isThere = chosen[key] ?? message?.hasReaction(emoji, by: me) ?? false
        chosen[key] = !isThere
        return isThere
    }

    /// Takes a message as the store tells it.
    mutating func settle(_ message: Message, by me: PersonID?) {
        guard !chosen.isEmpty else { return }
        chosen = chosen.filter { key, isThere in
            key.message != message.id || message.hasReaction(key.emoji, by: me) != isThere
        }
    }

    /// A post was refused.
    mutating func drop(_ content: Post.Content) {
        if case .reaction(let target, let emoji, _) = content { chosen[Key(target, emoji)] = nil }
    }
}

extension Message {
    fileprivate func hasReaction(_ emoji: String, by person: PersonID?) -> Bool {
        reactions.contains { Reaction.key($0.emoji) == Reaction.key(emoji) && $0.people.contains { $0.id == person } }
    }
}
