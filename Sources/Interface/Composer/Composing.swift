import Display
import Messages
import Timeline

/// The composer: opening, leaving, completing and keeping its text.
extension Writing {
    /// A draft is saved after this time without a key.
    private static let keepPause = Duration.milliseconds(300)
    /// A draft is saved after this number of milliseconds even while the user types.
    private static let mostUnkept: Int64 = 1_000

    /// Changes the composer that has the keys, in place.
    private mutating func change(in context: Context, _ body: (inout Composer) -> Void) {
        if let place = context.writingPlace, composers[place] != nil { body(&composers[place, default: Composer()]) }
    }

    func composer(in context: Context) -> Composer? { context.writingPlace.flatMap { composers[$0] } }

    // MARK: - Permission

    /// The reason why nobody can write in a conversation. It may have changed since the store was asked.
    func obstacle(in conversation: Conversation?) -> String? {
        if conversation?.hasLeft == true { return Post.afterLeaving }
        return conversation?.isEncrypted == true ? Post.encrypted : obstacle
    }

    /// The reason why the user cannot write here; nil if he can.
    func refusal(in context: Context) -> String? {
        if let obstacle = obstacle(in: context.conversation) { return obstacle }
        return context.me == nil
            ? "Kedge doesn't know who you are: use --as ID or set me = \"ID\" in config.toml" : nil
    }

    /// Performs an action on the selected message, if it is the user's own and not deleted; else says the reason.
    func withOwn(
        to action: String, in context: Context, _ body: (Message) -> [Outcome]
    ) -> [Outcome] {
        // A deletion sends no text, so it is possible in an encrypted room as well.
        let isTakenBack = action == "delete" && obstacle(in: context.conversation) == Post.encrypted
        if !isTakenBack, let refusal = refusal(in: context) { return [.warn(refusal)] }
        guard let message = context.pane.selectedMessage else { return [] }
        if message.isDeleted { return [.warn("this message is deleted; there is nothing to \(action)")] }
        if message.sender?.id != context.me {
            let writer = message.sender?.name ?? "nobody"
            return [.warn("You can only \(action) your own messages; this one is by \(writer)")]
        }
        if message.kind == .system, action == "edit" {
            return [.warn("this line tells of an event; it cannot be edited")]
        }
        return body(message)
    }

    // MARK: - Opening and leaving

    /// Cancels requests that lead elsewhere, and opens the composer; or says why it cannot be opened.
    private func begin(_ wish: ComposerWish, in context: Context) -> [Outcome] {
        guard let refusal = refusal(in: context) else { return [.stayHere, .compose(wish)] }
        // The obstacle may be gone by now: it is requested again, for the next key.
        return [.warn(refusal)] + (context.conversation.map { [.effect(.ask(.obstacle($0.id)))] } ?? [])
    }

    /// i: opens the composer with the text that is being written.
    func beginAgain(in context: Context) -> [Outcome] { begin(.write, in: context) }

    /// Continues a text for a paste. A slow connection may separate the Esc at the beginning of a paste from the rest. That Esc has
    /// closed the composer.
    func goOn(in context: Context) -> [Outcome] {
        guard context.panel == nil, let left, left.place == context.writingPlace,
            (0..<10_000).contains(context.now.milliseconds - left.at.milliseconds)
        else { return [] }
        return beginAgain(in: context)
    }

    func beginReply(in context: Context) -> [Outcome] {
        guard let message = context.pane.selectedMessage else { return [] }
        let draft = composer(in: context).flatMap { $0.area.isEmpty || $0.target == message.id ? nil : $0 }
        let outcomes = begin(.reply(Quote(of: message)), in: context)
        // The draft was begun for another message, or for none.
        guard draft != nil, refusal(in: context) == nil else { return outcomes }
        let advice = "Backspace at its start makes it an ordinary one"
        return outcomes + [.tell("your draft is now a reply to this message; \(advice)")]
    }

    func beginEdit(in context: Context) -> [Outcome] {
        withOwn(to: "edit", in: context) { [.stayHere, .compose(.rewrite($0))] }
    }

    /// Opens the composer.
    /// - Parameter intent: the purpose of its text; nil if that stays.
    mutating func open(_ intent: Composer.Intent?, in context: Context) -> [Outcome] {
        prepare(intent, in: context)
        return [.open(.composer)] + askForQuoted(in: context) + askForMembers(in: context)
    }

    private mutating func prepare(_ intent: Composer.Intent?, in context: Context) {
        guard let place = context.writingPlace else { return }
        var composer = composers[place] ?? Composer()
        if let intent {
            if case .edit = intent, composer.interrupted == nil {
                composer.interrupted = Composer.Interrupted(area: composer.area, intent: composer.intent)
            }
            composer.intent = intent
        }
        composers[place] = composer
    }

    /// Opens the composer with the text of a message, or with the user's unfinished edit of it.
    mutating func open(editing message: Message, in context: Context) -> [Outcome] {
        let left = context.conversation.flatMap { edits[$0.id]?[message.id] }
        prepare(.edit(message.id), in: context)
        let outcomes = [.open(.composer)] + askForMembers(in: context)
        change(in: context) { $0.show(left?.text ?? message.text) }
        if let seen = left?.seen, seen != message.text, left?.text != message.text {
            return outcomes + contest(with: message.text, in: context)
        }
        change(in: context) { ($0.seen, $0.isContested) = (message.text, false) }
        return outcomes
    }

    /// Shows the new text of a message that was edited elsewhere while the user edits it here.
    mutating func contest(with text: String, in context: Context) -> [Outcome] {
        change(in: context) { $0.contest(with: text) }
        let key = context.keymap.keyName(.activate)
        // On a narrow screen the lines above the composer explain the rest.
        let isNarrow = context.size.columns < 72 && context.size.rows >= 6
        return [
            .warn(
                isNarrow
                    ? "\(key) replaces it, Esc keeps it"
                    : "edited meanwhile: \(key) replaces that text with yours, Esc keeps it")
        ]
    }

    /// Esc: closes the composer and keeps the text.
    mutating func leave(in context: Context) -> [Outcome] {
        guard let place = context.writingPlace, var composer = composers[place] else { return [.close] }
        var outcomes: [Outcome] = []
        composer.completion = nil
        composer.recalled = nil
        if case .edit(let id) = composer.intent {
            outcomes = putAside(composer.edit, asEditOf: id, in: context)
            composer = composer.withoutEdit
        } else {
            left = (place, context.now)
        }
        // A reply without a text is dropped.
        if composer.area.isEmpty { composer.intent = .message }
        composers[place] = composer.area.isEmpty ? nil : composer
        let id = place.conversation
        return outcomes + [.close] + keepDraft(of: id, in: context) + typing.stop(in: id).outcomes
            + findStrayEdits(in: id)
    }

    /// Stores an unfinished edit for the next `e` on its message.
    private mutating func putAside(_ edit: Draft.Edit, asEditOf id: MessageID, in context: Context) -> [Outcome] {
        guard let conversation = context.conversation else { return [] }
        let isBlank = edit.text.allSatisfy(\.isWhitespace)
        let isChanged = !isBlank && context.pane.loaded(id)?.text != Calls.unlinked(edit.text).text
        edits[conversation.id, default: [:]][id] = isChanged ? edit : nil
        let key = context.keymap.keyName(.edit)
        return isChanged ? [.tell("the message stays as it was; \(key) continues your edit")] : []
    }

    // MARK: - Its text

    /// Reacts to a change of the text.
    mutating func textChanged(in context: Context) -> [Outcome] {
        complete(in: context)
        return keepDraftLater(in: context) + tellTyping(in: context)
    }

    /// A press on the text that is being written places the cursor.
    /// - Parameters:
    ///   - position: counted from the first row of the composer.
    ///   - rows: the rows that the composer has.
    /// - Returns: nil for a press elsewhere.
    mutating func placeCursor(at position: ScreenPosition, rows: Int, in context: Context) -> [Outcome]? {
        guard let view = view(at: context.writingPlace, in: context.pane, on: context.size),
            let place = view.place(row: position.row, column: position.column, rows: rows)
        else { return nil }
        change(in: context) { composer in
            composer.area.move(to: place)
            composer.recalled = nil
        }
        return textChanged(in: context)
    }

    /// Caches the beginnings of the rows, so that the whole text is not laid out for each key.
    mutating func layOut(at place: WritingPlace?, columns: Int) {
        if let place { composers[place]?.area.layOut(columns: columns) }
    }

    /// Reports to others every few seconds that the user is typing.
    private mutating func tellTyping(in context: Context) -> [Outcome] {
        guard let me = context.me, let id = context.conversation?.id, let composer = composer(in: context) else {
            return []
        }
        return (composer.area.isBlank ? typing.stop(in: id) : typing.tell(me, in: id, now: context.now)).outcomes
    }

    /// Requests the message that a saved reply quotes, when it is not loaded.
    private func askForQuoted(in context: Context) -> [Outcome] {
        guard case .reply(let quote)? = composer(in: context)?.intent, quote.content == .pending,
            context.pane.loaded(quote.id) == nil
        else { return [] }
        return context.main.askForPlace(and: [quote.id])
    }

    // MARK: - The user's editor

    /// Saves the draft first: the editor or the terminal may crash.
    mutating func editOutside(in context: Context) -> [Outcome] {
        guard let text = composer(in: context)?.area.text else { return [] }
        return keepDraft(in: context) + [.effect(.edit(text))]
    }

    /// Puts the edited text into the draft. The user can undo this.
    mutating func receive(edited result: Result<String, EffectError>, in context: Context) -> [Outcome] {
        guard context.panel == .composer, var composer = composer(in: context) else { return [] }
        switch result {
        case .failure(let failure): return [.warn("\(failure.reason); the draft is unchanged")]
        case .success(let text):
            guard composer.area.replaceAll(with: text) else {
                let most = TextArea.longest.grouped
                return [.warn("the draft is unchanged: a message can have \(most) characters at most")]
            }
            composer.recalled = nil
            change(in: context) { $0 = composer }
            return textChanged(in: context)
        }
    }

    // MARK: - Members

    /// Requests the members that only the server knows.
    func askForMembers(in context: Context) -> [Outcome] {
        guard let conversation = context.conversation, conversation.lacksMembers, members[conversation.id] == nil
        else { return [] }
        return [.effect(.ask(.members(conversation.id)))]
    }

    mutating func receive(
        members result: Result<[Person], StoreError>, of id: ConversationID, in context: Context
    ) -> [Outcome] {
        switch result {
        case .success(let people):
            members[id] = people
            memberRetries = Retries()
            if id == context.conversation?.id, context.panel == .composer { complete(in: context) }
            return []
        case .failure(let error): return [memberRetries.fail(error, .request(.members(id)))].compactMap(\.self).outcomes
        }
    }

    mutating func retryMembers(of id: ConversationID, in context: Context) -> [Outcome] {
        guard id == context.conversation?.id, context.panel == .composer, memberRetries.reason != nil else { return [] }
        memberRetries.begin()
        return askForMembers(in: context)
    }

    // MARK: - Keeping

    mutating func keepDraftLater(in context: Context) -> [Outcome] {
        let since = unkeptSince ?? context.now
        if abs(context.now.milliseconds - since.milliseconds) >= Writing.mostUnkept { return keepDraft(in: context) }
        unkeptSince = since
        keepEpoch += 1
        return [.effect(.wait(Writing.keepPause, .pause(.draft(keepEpoch))))]
    }

    /// Saves the draft of the conversation on the screen, unless it is saved already.
    mutating func keepDraft(in context: Context) -> [Outcome] {
        context.conversation.map { keepDraft(of: $0.id, in: context) } ?? []
    }

    mutating func keepDraft(of id: ConversationID, in context: Context) -> [Outcome] {
        let draft = draft(in: id)
        if id == context.conversation?.id { unkeptSince = nil }
        guard draft != kept[id] ?? Draft() else { return [] }
        kept[id] = draft
        return [.effect(.keepDraft(id, draft))]
    }

    /// Saves all drafts when the program ends.
    mutating func keepAllDrafts(in context: Context) -> [Outcome] {
        Set(composers.keys.map(\.conversation)).union(outbox.keys).union(kept.keys).flatMap {
            keepDraft(of: $0, in: context)
        }
    }

    // MARK: - Stray edits

    /// Requests the IDs of messages that have an unsent edit but are gone: `e` cannot open them, so their texts become a draft.
    func findStrayEdits(in id: ConversationID) -> [Outcome] {
        let targets = Set((edits[id] ?? [:]).keys)
        return targets.isEmpty ? [] : [.effect(.ask(.missing(targets, id)))]
    }

    /// Moves the edits of missing messages into the draft of the conversation. While the user is writing there, the edits wait
    /// until the composer is closed.
    mutating func receive(missing targets: Set<MessageID>, in id: ConversationID, _ context: Context) -> [Outcome] {
        let isWriting = context.panel == .composer && id == context.conversation?.id
        let stray = targets.filter { edits[id]?[$0] != nil }.sorted { $0.rawValue < $1.rawValue }
        guard !isWriting, !stray.isEmpty else { return [] }
        let taken = stray.filter { takeStrayEdit(of: $0, in: id) }
        guard !taken.isEmpty else { return [] }
        let (place, key) = (context.place(id), context.keymap.keyName(.compose))
        return [.warn("the edited message\(place) is gone; \(key) continues its text as a new message")]
            + keepDraft(of: id, in: context)
    }
}

/// Changes around the texts.
extension Writing {
    /// Handles changes of messages and members in the conversation on the screen.
    mutating func take(_ changes: [StoreChange], in context: Context) -> [Outcome] {
        for case .updated(let message) in changes { reactions.settle(message, by: context.me) }
        let isJoined = changes.contains { change in
            if case .arrived(let message) = change { message.presence != nil } else { false }
        }
        guard isJoined else { return [] }
        members = [:]
        return context.panel == .composer ? askForMembers(in: context) : []
    }

    /// Saves the draft of a conversation that was left, and forgets what was known of the conversation.
    mutating func leave(_ former: ConversationID?, in context: Context) -> [Outcome] {
        (obstacle, members, unkeptSince) = (nil, [:], nil)
        typing.forget()
        return former.map { keepDraft(of: $0, in: context) } ?? []
    }
}

/// The composer on the screen, and the marks of drafts.
extension Writing {
    /// The composer as it is drawn; nil when nothing is being written here.
    func view(at place: WritingPlace?, in pane: Pane, on size: Size) -> ComposerView? {
        place.flatMap { composers[$0] }.map { composer in
            var quoted: Quote?
            if case .reply(let quote) = composer.intent {
                quoted = pane.loaded(quote.id).map { Quote(of: $0) }
            }
            return ComposerView(
                composer: composer, quoted: quoted, isInThread: pane.isThread, size: size, margin: pane.grid.margin)
        }
    }

    /// The last event, for the status line while the composer is open.
    func status(in id: ConversationID?, _ notice: Span?) -> Line {
        let waiting = id.flatMap { outbox[$0]?.count { !$0.isWaiting && $0.state != .sent } } ?? 0
        return notice.map { [$0] } ?? (waiting > 0 ? [Span("sending…", .dim)] : .empty)
    }

    /// `draft`, if the conversation on the screen has one; else nil.
    func draftMark(in id: ConversationID?) -> Span? {
        guard let id, drafts.contains(id) else { return nil }
        return Span(draftMark: "draft")
    }

    /// `draft in Dev`, `drafts in 2 conversations`. Nil for none.
    func draftsElsewhere(_ directory: Directory) -> Span? {
        let others = drafts.subtracting([directory.current?.id].compactMap(\.self))
        guard let first = others.first else { return nil }
        if others.count > 1 { return Span(draftMark: "drafts in \(others.count) conversations") }
        // A conversation that has not been listed has no title yet, and its ID may say nothing.
        let title = directory.listed[first]?.conversation.title ?? directory.visited[first]?.title
        return Span(draftMark: title.map { "draft in \($0)" } ?? "draft elsewhere")
    }
}

extension Composer {
    /// The candidates of a completion in the status line; nil when there is none.
    var candidates: Line? {
        guard let completion else { return nil }
        var line = Line.empty
        for (index, candidate) in completion.candidates.enumerated() {
            let style = index == completion.selected ? Style(.accent, .reverse) : .dim
            line.append(Span(" " + CleanText(candidate.shown) + " ", style))
        }
        return line
    }
}
