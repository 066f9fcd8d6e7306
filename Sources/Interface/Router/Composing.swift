import Display
import Messages
import Timeline

/// The composer: opening, leaving, completing and keeping its text.
extension Model {
    var composer: Composer? {
        get { writingPlace.flatMap { writing.composers[$0] } }
        set { if let place = writingPlace { writing.composers[place] = newValue } }
    }

    var writingPlace: WritingPlace? {
        conversation.map { WritingPlace(conversation: $0.id, thread: pane.thread) }
    }

    /// A draft is saved after this time without a key.
    private static let keepPause = Duration.milliseconds(300)
    /// A draft is saved after this number of milliseconds even while the user types.
    private static let mostUnkept: Int64 = 1_000

    // MARK: - Opening and leaving

    /// i, r, e: opens the composer, or shows the reason why it cannot be opened.
    mutating func compose(_ intent: Composer.Intent? = nil, text: String? = nil) -> [Effect] {
        // The obstacle may be gone by now: it is requested again, for the next key.
        guard canWrite() else { return conversation.map { [.ask(.obstacle($0.id))] } ?? [] }
        stayHere()
        var composer = composer ?? Composer()
        if let intent {
            if case .edit = intent, composer.interrupted == nil {
                composer.interrupted = Composer.Interrupted(area: composer.area, intent: composer.intent)
            }
            composer.intent = intent
        }
        if let text { composer.show(text) }
        self.composer = composer
        layers.panel = .composer
        return askForQuoted() + askForMembers()
    }

    /// Cancels earlier requests that would lead elsewhere, since the user begins to write.
    mutating func stayHere() {
        if let thread = openThread, thread.opening != .shown { closeThread() }
        reader.panes.updateAll { pane in if pane.opening == .shown { pane.dropPending() } }
        finding.giveUp()
        reader.trail.seeksUnread = false
        reader.bookmarks.wanted = nil
        rooms.sidebar.wanted = nil
        (rooms.membership.wanted, rooms.membership.joining) = (nil, nil)
        rooms.switcher.isMaking = false
    }

    /// The reason why nobody can write in the conversation on the screen. It may have changed since the store was asked.
    var obstacle: String? {
        if conversation?.hasLeft == true { return Post.afterLeaving }
        return conversation?.isEncrypted == true ? Post.encrypted : writing.obstacle
    }

    /// Shows the reason if the user cannot write here.
    mutating func canWrite() -> Bool {
        if let obstacle {
            warn(obstacle)
        } else if me == nil {
            warn("Kedge doesn't know who you are: use --as ID or set me = \"ID\" in config.toml")
        } else {
            return true
        }
        return false
    }

    mutating func replyToSelected() -> [Effect] {
        guard let message = selectedMessage else { return [] }
        let draft = composer.flatMap { $0.area.isEmpty || $0.target == message.id ? nil : $0 }
        let effects = compose(.reply(Quote(of: message)))
        // The draft was begun for another message, or for none.
        if draft != nil, panel == .composer {
            tell("your draft is now a reply to this message; Backspace at its start makes it an ordinary one")
        }
        return effects
    }

    mutating func editSelected() -> [Effect] {
        guard let message = ownSelected(to: "edit") else { return [] }
        let left = conversation.flatMap { writing.edits[$0.id]?[message.id] }
        let effects = compose(.edit(message.id), text: left?.text ?? message.text)
        if let seen = left?.seen, seen != message.text, left?.text != message.text {
            contest(with: message.text)
        } else {
            composer?.seen = message.text
            composer?.isContested = false
        }
        return effects
    }

    /// Shows the new text of a message that was edited elsewhere while the user edits it here.
    mutating func contest(with text: String) {
        composer?.contest(with: text)
        let key = keymap.keyName(.activate)
        // On a narrow screen the lines above the composer explain the rest.
        let isNarrow = size.columns < 72 && size.rows >= 6
        warn(
            isNarrow
                ? "\(key) replaces it, Esc keeps it"
                : "edited meanwhile: \(key) replaces that text with yours, Esc keeps it")
    }

    /// The selected message, if it is the user's own and not deleted.
    mutating func ownSelected(to action: String) -> Message? {
        // A deletion sends no text, so it is possible in an encrypted room as well.
        let isTakenBack = action == "delete" && obstacle == Post.encrypted
        guard isTakenBack || canWrite(), let message = selectedMessage else { return nil }
        if message.isDeleted {
            warn("this message is deleted; there is nothing to \(action)")
        } else if message.sender?.id != me {
            warn("You can only \(action) your own messages; this one is by \(message.sender?.name ?? "nobody")")
        } else if message.kind == .system, action == "edit" {
            warn("this line tells of an event; it cannot be edited")
        } else {
            return message
        }
        return nil
    }

    /// Esc: closes the composer and keeps the text.
    mutating func leaveComposer() -> [Effect] {
        guard var composer else {
            layers.panel = nil
            return []
        }
        composer.completion = nil
        composer.recalled = nil
        if case .edit(let id) = composer.intent {
            putAside(composer.edit, asEditOf: id)
            composer = composer.withoutEdit
        } else if let writingPlace {
            inputState.left = (writingPlace, now)
        }
        // A reply without a text is dropped.
        if composer.area.isEmpty { composer.intent = .message }
        self.composer = composer.area.isEmpty ? nil : composer
        layers.panel = nil
        return keepDraft() + (conversation.map { writing.typing.stop(in: $0.id) + findStrayEdits(in: $0.id) } ?? [])
    }

    /// Closes the composer when the user asks for another conversation: the next keys are meant for that one.
    mutating func leaveText() -> [Effect] { panel == .composer ? leaveComposer() : [] }

    /// Stores an unfinished edit for the next `e` on its message.
    private mutating func putAside(_ edit: Draft.Edit, asEditOf id: MessageID) {
        guard let conversation else { return }
        let isBlank = edit.text.allSatisfy(\.isWhitespace)
        let isChanged = !isBlank && pane.loaded(id)?.text != Calls.unlinked(edit.text).text
        writing.edits[conversation.id, default: [:]][id] = isChanged ? edit : nil
        if isChanged { tell("the message stays as it was; \(keymap.keyName(.edit)) continues your edit") }
    }

    // MARK: - Its wishes

    /// Reacts to a change of the text.
    mutating func composerTextChanged() -> [Effect] {
        writing.complete(in: context)
        return keepDraftLater() + tellTyping()
    }

    /// A press on the text that is being written places the cursor.
    /// - Returns: nil for a press elsewhere.
    mutating func placeCursor(at position: ScreenPosition) -> [Effect]? {
        let rows = self.rows
        let row = position.row - rows.title - rows.day - rows.messages
        guard panel == .composer,
            let place = composerView?.place(row: row, column: position.column, rows: rows.composer)
        else { return nil }
        composer?.area.move(to: place)
        composer?.recalled = nil
        return composerTextChanged()
    }

    // MARK: - Lines without marks

    /// A terminal that does not mark a paste sends it as keys, with several lines in one read. These are text, so an Enter among
    /// them sends nothing. The rest of such a paste may come a little later. The key that opens the composer may still wait for a
    /// place.
    mutating func linesAsPaste(_ inputs: [Input]) -> [Input] {
        guard panel == .composer || willCompose, layers.help == nil, inputState.prefix == nil else { return inputs }
        let typed = inputs.lazy.map(\.typedCharacter).prefix { $0 != nil }.compactMap(\.self)
        let hasLines = typed.lastIndex { !$0.isNewline }.map { typed[..<$0].contains(where: \.isNewline) } ?? false
        // A single Enter soon counts as a key again: the user may send the pasted text.
        let limit: Int64 = typed.count > 1 ? 1_000 : 100
        let goesOn = inputState.linesCame.map { (0..<limit).contains(now.milliseconds - $0.milliseconds) } ?? false
        if hasLines || goesOn && typed.count > 1 { inputState.linesCame = now }
        guard hasLines || goesOn && typed.contains(where: \.isNewline) else { return inputs }
        return [.paste(String(typed))] + inputs.dropFirst(typed.count)
    }

    // MARK: - The user's editor

    /// Saves the draft first: the editor or the terminal may crash.
    mutating func editOutside() -> [Effect] {
        guard let text = composer?.area.text else { return [] }
        return keepDraft() + [.edit(text)]
    }

    /// Puts the edited text into the draft. The user can undo this.
    mutating func receive(edited result: Result<String, EffectError>) -> [Effect] {
        guard panel == .composer, var composer else { return [] }
        switch result {
        case .failure(let failure):
            warn("\(failure.reason); the draft is unchanged")
            return []
        case .success(let text):
            guard composer.area.replaceAll(with: text) else {
                warn("the draft is unchanged: a message can have \(TextArea.longest.grouped) characters at most")
                return []
            }
            composer.recalled = nil
            self.composer = composer
            return composerTextChanged()
        }
    }

    /// Reports to others every few seconds that the user is typing.
    private mutating func tellTyping() -> [Effect] {
        guard let me, let id = conversation?.id, let composer else { return [] }
        return composer.area.isBlank ? writing.typing.stop(in: id) : writing.typing.tell(me, in: id, now: now)
    }

    /// Requests the message that a saved reply quotes, when it is not loaded.
    private func askForQuoted() -> [Effect] {
        guard let conversation, let first = main.timeline.list.first, case .reply(let quote)? = composer?.intent,
            quote.content == .pending, pane.loaded(quote.id) == nil
        else { return [] }
        return [askForPlace(of: first, and: [quote.id], in: conversation.id)]
    }

    /// Caches the beginnings of the rows, so that the whole text is not laid out for each key.
    mutating func layOutComposer() {
        guard panel == .composer else { return }
        let columns = composerColumns
        composer?.area.layOut(columns: columns)
    }

    // MARK: - Keeping

    mutating func keepDraftLater() -> [Effect] {
        let since = writing.unkeptSince ?? now
        if abs(now.milliseconds - since.milliseconds) >= Model.mostUnkept { return keepDraft() }
        writing.unkeptSince = since
        writing.keepEpoch += 1
        return [.wait(Model.keepPause, .pause(.draft(writing.keepEpoch)))]
    }

    /// Saves the draft of the conversation on the screen, unless it is saved already.
    mutating func keepDraft() -> [Effect] { conversation.map { keepDraft(of: $0.id) } ?? [] }

    /// Saves all drafts when the program ends.
    package mutating func keepAllDrafts() -> [Effect] {
        Set(writing.composers.keys.map(\.conversation)).union(writing.outbox.keys).union(writing.kept.keys).flatMap {
            keepDraft(of: $0)
        }
    }

    mutating func keepDraft(of id: ConversationID) -> [Effect] {
        let draft = writing.draft(in: id)
        if id == conversation?.id { writing.unkeptSince = nil }
        guard draft != writing.kept[id] ?? Draft() else { return [] }
        writing.kept[id] = draft
        return [.keepDraft(id, draft)]
    }
}

/// Marks of drafts for the status line.
extension Model {
    /// `draft`, if the conversation on the screen has one; else nil.
    var draftMark: Span? {
        guard let id = conversation?.id, writing.drafts.contains(id) else { return nil }
        return Span(draftMark: "draft")
    }

    /// `draft in Dev`, `drafts in 2 conversations`. Nil for none.
    var draftsElsewhere: Span? {
        let others = writing.drafts.subtracting([conversation?.id].compactMap(\.self))
        guard let first = others.first else { return nil }
        if others.count > 1 { return Span(draftMark: "drafts in \(others.count) conversations") }
        // A conversation that has not been listed has no title yet, and its ID may say nothing.
        let title = rooms.switcher.conversation(first)?.title ?? reader.trail.visited[first]?.title
        return Span(draftMark: title.map { "draft in \($0)" } ?? "draft elsewhere")
    }
}

extension Input {
    /// The character for a key that was pasted, not typed.
    fileprivate var typedCharacter: Character? {
        switch self {
        case .key(.character(let character)): character
        case .key(.enter): "\r"
        case .key(.control("j")): "\n"
        case .key(.tab): "\t"
        case .key, .mouse, .paste: nil
        }
    }
}

/// The composer on the screen.
extension Model {
    /// Columns of the text.
    var composerColumns: Int { ComposerView.columns(size, margin: grid.margin) }

    /// The rows that the composer takes; 0 when it is closed.
    var composerRows: Int { panel == .composer ? composerView?.height ?? 0 : 0 }

    /// The composer as it is drawn; nil when nothing is being written here.
    var composerView: ComposerView? {
        composer.map { composer in
            var quoted: Quote?
            if case .reply(let quote) = composer.intent {
                quoted = pane.loaded(quote.id).map { Quote(of: $0) }
            }
            return ComposerView(
                composer: composer, quoted: quoted, isInThread: isInThread, size: size, margin: grid.margin)
        }
    }

    /// The last event, for the status line while the composer is open.
    var composerStatus: Line {
        let waiting = conversation.flatMap { writing.outbox[$0.id]?.count { !$0.isWaiting && $0.state != .sent } } ?? 0
        return statusNotice.map { [$0] } ?? (waiting > 0 ? [Span("sending…", .dim)] : .empty)
    }

    /// The candidates of a completion in the status line; nil when there is none.
    var completionCandidates: Line? {
        guard let completion = composer?.completion else { return nil }
        var line = Line.empty
        for (index, candidate) in completion.candidates.enumerated() {
            let style = index == completion.selected ? Style(.accent, .reverse) : .dim
            line.append(Span(" " + CleanText(candidate.shown) + " ", style))
        }
        return line
    }
}
