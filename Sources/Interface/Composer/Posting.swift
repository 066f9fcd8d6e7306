import Display
import Messages
import Search
import Timeline

/// Posts on their way into a conversation.
extension Writing {
    /// Performs an action on texts.
    mutating func act(_ action: Action, in context: Context) -> [Outcome] {
        switch action {
        case .compose: beginAgain(in: context)
        case .reply: beginReply(in: context)
        case .edit: beginEdit(in: context)
        case .delete:
            withOwn(to: "delete", in: context) { [.stayHere, .prompt(.deletion(of: $0.id))] }
        case .react: offerReactions(in: context)
        case .resend: resend(in: context)
        default: []
        }
    }

    /// Performs a request of the composer, or one about it.
    mutating func perform(_ wish: ComposerWish, in context: Context) -> [Outcome] {
        switch wish {
        case .write: open(nil, in: context)
        case .reply(let quote): open(.reply(quote), in: context)
        case .rewrite(let message): open(editing: message, in: context)
        case .contest(let text): contest(with: text, in: context)
        case .changed: textChanged(in: context)
        case .keep: keepDraftLater(in: context)
        case .keepNow(let id): keepDraft(of: id, in: context)
        case .leave: leave(in: context)
        case .edit: editOutside(in: context)
        case .scroll: []
        case .send: send(in: context)
        case .delete(let message): delete(message, in: context)
        case .react(let emoji, let message): react(emoji, to: message, in: context)
        }
    }

    /// Enter in the composer: sends the text, and empties the composer.
    private mutating func send(in context: Context) -> [Outcome] {
        guard let place = context.writingPlace, let composer = composers[place] else { return [] }
        let id = place.conversation
        guard !composer.area.isBlank else {
            return composer.isEditing ? [.warn("an edited message cannot be empty; Esc keeps the original")] : []
        }
        let text = composer.area.text.trimmingBlankEnd
        calls[id, default: Calls()].merge(composer.calls)
        let calls = calls[id] ?? Calls()
        if case .edit(let target) = composer.intent {
            remember(text)
            edits[id]?[target] = nil
            let edited = context.pane.loaded(target)
            composers[place] = composer.withoutEdit.area.isEmpty ? nil : composer.withoutEdit
            let saved =
                edited?.text == text
                ? keepDraft(of: id, in: context)
                : post(
                    .edit(target, text: calls.linked(text)), isAction: edited?.kind == .action, seen: composer.seen,
                    in: id, context)
            return [.close] + saved
        }
        let (sent, isAction): (String, Bool)
        switch TypedText(text) {
        case .message(let text): (sent, isAction) = (text, false)
        case .action(let text): (sent, isAction) = (text, true)
        case .command(let name): return [.warn(TypedText.refusal(of: name))]
        }
        var replyTo: MessageID?
        if case .reply(let quote) = composer.intent { replyTo = quote.id }
        remember(text)
        composers[place] = Composer()
        let content = Post.Content.message(text: calls.linked(sent), replyTo: replyTo, thread: place.thread)
        // The user wants to see this message next.
        return post(content, isAction: isAction, in: id, context)
            + [.go(.position(.latest), in: context.conversation)]
    }

    /// Sends a post. The post is saved first, so that nothing can get lost.
    private mutating func post(
        _ content: Post.Content, isAction: Bool = false, seen: String? = nil, in id: ConversationID, _ context: Context
    ) -> [Outcome] {
        guard let me = context.me else { return [] }
        let message = MessageID(ULID.make(at: context.now, using: &chance))
        let post = Post(id: message, at: context.now, sender: me, content: content, isAction: isAction, seen: seen)
        outbox[id, default: []].append(Outgoing(post: post))
        return keepDraft(of: id, in: context) + sendNext(in: id) + typing.stop(in: id).outcomes
    }

    // MARK: - Reactions and deletions

    /// Offers emoji for the selected message.
    private func offerReactions(in context: Context) -> [Outcome] {
        if let refusal = refusal(in: context) { return [.warn(refusal)] }
        guard let message = context.pane.selectedMessage else { return [] }
        if message.isDeleted { return [.warn("this message is deleted; there is nothing to react to")] }
        let timeline = context.pane.timeline
        let loaded = timeline.visibleIndices.map { timeline.list[$0].message } + [message]
        let others = loaded.flatMap(\.reactions).map(\.emoji)
        return [.stayHere, .prompt(.reaction(to: message.id, others: others))]
    }

    private mutating func react(_ emoji: String, to target: MessageID, in context: Context) -> [Outcome] {
        guard let id = context.conversation?.id else { return [] }
        // An emoji that the message has already is written in the same form.
        let message = context.pane.loaded(target)
        let emoji = message?.reactions.first { Reaction.key($0.emoji) == Reaction.key(emoji) }?.emoji ?? emoji
        let isRemoved = reactions.toggle(emoji, on: target, message, by: context.me)
        return post(.reaction(target, emoji: emoji, isRemoved: isRemoved), in: id, context)
    }

    private mutating func delete(_ message: MessageID, in context: Context) -> [Outcome] {
        guard let id = context.conversation?.id else { return [] }
        edits[id]?[message] = nil
        return post(.deletion(message), in: id, context)
    }

    // MARK: - Sending

    /// Sends the first queued post when no post before it is on its way.
    mutating func sendNext(in id: ConversationID) -> [Outcome] {
        let outbox = outbox[id] ?? []
        guard !outbox.contains(where: \.isInTheWay), let index = outbox.firstIndex(where: { $0.state == .queued })
        else { return [] }
        self.outbox[id]?[index].state = .sending
        return [send(outbox[index], to: id)]
    }

    private func send(_ outgoing: Outgoing, to id: ConversationID) -> Outcome {
        .effect(.ask(.send(outgoing.post, id, isRetry: outgoing.isRetry), .post(id, outgoing.post.id)))
    }

    mutating func receive(
        sent id: MessageID, in conversation: ConversationID, _ result: Result<Void, StoreError>, _ context: Context
    ) -> [Outcome] {
        guard let index = outbox[conversation]?.firstIndex(where: { $0.post.id == id }),
            let outgoing = outbox[conversation]?[index]
        else { return keepDraft(of: conversation, in: context) + sendNext(in: conversation) }
        switch result {
        case .success:
            if outgoing.isMessage, conversation == context.conversation?.id {
                outbox[conversation]?[index].state = .sent
            } else {
                outbox[conversation]?.remove(at: index)
            }
            // If the store does not report the post, it is looked for.
            return dropNotice(of: [id], in: context) + keepDraft(of: conversation, in: context)
                + sendNext(in: conversation) + [.effect(.wait(.seconds(2), .pause(.sent(conversation, id))))]
        case .failure(let error) where error.isTransient:
            let attempts = outgoing.attempts + 1
            outbox[conversation]?[index].attempts = attempts
            outbox[conversation]?[index].isRetry = true
            outbox[conversation]?[index].state = .waiting
            let delay = Pager<Messages.Cursor>.retryDelay(attempts: attempts)
            let advice = context.panel == .composer ? "" : ", \(context.keymap.keyName(.resend)) tries now"
            let place = context.place(conversation)
            return [
                .warn(
                    "not sent yet\(place), next try in \(delay) s\(advice): \(error.reason)", about: .post(id)),
                .effect(.retry(.post(conversation, id), afterFailures: attempts)),
            ]
        case .failure(let error):
            reactions.drop(outgoing.post.content)
            return [.warn("not sent\(context.place(conversation)): \(error.reason)")]
                + giveBack(index, in: conversation, error, context) + sendNext(in: conversation)
        }
    }

    /// Removes the notice that one of these posts was not sent.
    private func dropNotice(of posts: Set<MessageID>, in context: Context) -> [Outcome] {
        if case .post(let post)? = context.notice?.subject, posts.contains(post) { [.notice(nil)] } else { [] }
    }

    /// Sends the posts that were on their way when the program ended.
    mutating func sendKept() -> [Outcome] { outbox.keys.flatMap { sendNext(in: $0) } }

    /// Puts a refused text back into its composer. If the composer holds another text by now, the post waits.
    private mutating func giveBack(
        _ index: Int, in id: ConversationID, _ error: StoreError, _ context: Context
    ) -> [Outcome] {
        guard let outgoing = outbox[id]?[index] else { return [] }
        let place = WritingPlace(conversation: id, thread: outgoing.thread)
        guard case .message(let text, let replyTo, _) = outgoing.post.content else {
            outbox[id]?.remove(at: index)
            if case .edit(let target, let text) = outgoing.post.content {
                let edit = Draft.Edit(text, seen: outgoing.post.seen)
                return giveBack(edit, asEditOf: target, in: id, error, context) + [.compose(.keepNow(id))]
            }
            return keepDraft(of: id, in: context)
        }
        guard composers[place]?.area.isEmpty ?? true else {
            outbox[id]?[index].state = .failed
            return keepDraft(of: id, in: context)
        }
        outbox[id]?.remove(at: index)
        let typed = TypedText.typed(text, isAction: outgoing.post.isAction)
        composers[place] = Composer(typed, replyTo.map { .reply($0) } ?? .message)
        return keepDraft(of: id, in: context)
    }

    /// Opens the composer with a refused edit if the user has done nothing since; else the next `e` on the message does so. When
    /// the message is gone, the edit becomes a draft.
    private mutating func giveBack(
        _ edit: Draft.Edit, asEditOf target: MessageID, in id: ConversationID, _ error: StoreError, _ context: Context
    ) -> [Outcome] {
        edits[id, default: [:]][target] = edit
        let isHere = id == context.conversation?.id
        if case .noSuchMessage(target, _) = error {
            let advice: Outcome = .warn(
                "not sent: the edited message is gone; its text comes back when you leave this one")
            return (context.panel == .composer && isHere ? [advice] : [])
                + receive(missing: [target], in: id, context)
        }
        let isIdle = context.panel == nil && !context.hasHelp && context.panes.allSatisfy { $0.pending == nil }
        guard isHere, isIdle, context.pane.selectedMessage?.id == target else {
            let key = context.keymap.keyName(.edit)
            let advice = "not sent\(context.place(id)), \(key) on the message continues it: \(error.reason)"
            return [.warn(advice)] + findStrayEdits(in: id)
        }
        var outcomes = beginEdit(in: context)
        if case .editedMeanwhile(_, let now, _) = error { outcomes.append(.compose(.contest(now))) }
        return outcomes + findStrayEdits(in: id)
    }

    /// R: tries all waiting posts now.
    private mutating func resend(in context: Context) -> [Outcome] {
        guard let id = context.conversation?.id else { return [] }
        let waiting = (outbox[id] ?? []).filter(\.isWaiting)
        let answer: [Outcome] = waiting.isEmpty ? [.tell("no message is waiting to be sent")] : []
        return answer + waiting.flatMap { retrySend($0.post.id, in: id) }
    }

    mutating func retrySend(_ message: MessageID, in id: ConversationID) -> [Outcome] {
        guard let index = outbox[id]?.firstIndex(where: { $0.post.id == message }),
            let outgoing = outbox[id]?[index], outgoing.isWaiting
        else { return [] }
        outbox[id]?[index].state = .sending
        return [send(outgoing, to: id)]
    }

    /// The pane in which a post that was sent has to appear; nil if it has appeared, or cannot.
    func pane(missing message: MessageID, in id: ConversationID, _ context: Context) -> Int? {
        guard id == context.conversation?.id, let outgoing = outbox[id]?.first(where: { $0.post.id == message })
        else { return nil }
        return context.panes.first { $0.thread == outgoing.thread }?.number
    }

    // MARK: - Below the last message

    /// Removes the posts that have appeared in the list.
    mutating func settle(in context: Context) -> [Outcome] {
        guard let id = context.conversation?.id, let outbox = outbox[id], !outbox.isEmpty else { return [] }
        let left = outbox.filter { outgoing in
            // A reply in a thread that is not open will not appear anywhere.
            if outgoing.state == .sent, !context.panes.contains(where: { $0.thread == outgoing.thread }) {
                return false
            }
            return !context.panes.contains { $0.holdsPost(outgoing.post.id) }
        }
        if left.count == outbox.count { return [] }
        self.outbox[id] = left.isEmpty ? nil : left
        return dropNotice(of: Set(outbox.map(\.post.id)).subtracting(left.map(\.post.id)), in: context)
            + keepDraft(of: id, in: context) + sendNext(in: id)
    }

    /// The number of posts that are not known to have been sent.
    var unsentCount: Int { outbox.values.joined().count { $0.state != .sent } }

    /// True if a post is being sent at this moment.
    var isSending: Bool { outbox.values.joined().contains { $0.state == .sending } }

    /// The posts that could not be sent and wait for another try.
    func failedPosts(in id: ConversationID?) -> Set<MessageID> {
        Set((id.flatMap { outbox[$0] } ?? []).filter(\.isWaiting).map(\.post.id))
    }

    /// The messages on their way into a conversation.
    /// - Parameter pane: the pane that has the keys: it may know the name of the user.
    func outgoingMessages(in conversation: Conversation?, _ pane: Pane) -> [Message] {
        guard let conversation, let outbox = outbox[conversation.id] else { return [] }
        return outbox.compactMap { outgoing in
            let post = outgoing.post
            guard case .message(let text, let replyTo, let thread) = post.content else { return nil }
            return Message(
                id: post.id, at: post.at, sender: pane.person(post.sender, in: conversation),
                kind: post.isAction ? .action : .text, text: Calls.unlinked(text).text,
                quote: replyTo.map { Quote(id: $0, content: .pending) }, thread: thread, cursor: Cursor(token: ""))
        }
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
