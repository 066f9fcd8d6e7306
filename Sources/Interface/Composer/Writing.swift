import Display
import Emoji
import Messages
import Search
import Timeline

/// Everything that the user writes.
struct Writing: Sendable {
    var composers: [WritingPlace: Composer] = [:]
    var outbox: [ConversationID: [Outgoing]] = [:]
    /// The texts of unfinished and refused edits.
    var edits: [ConversationID: [MessageID: Draft.Edit]] = [:]
    var reactions = OwnReactions()
    /// The drafts as they were last kept.
    var kept: [ConversationID: Draft] = [:]
    /// The reason why nobody can write into the conversation on the screen.
    var obstacle: String?
    /// The people whom words of the texts called that were sent in this run: such a text may come back.
    var calls: [ConversationID: Calls] = [:]
    /// All members of conversations of which fewer are known, as their server has told in this run.
    var members: [ConversationID: [Person]] = [:]
    /// The failed questions of the composer for members.
    var memberRetries = Retries()
    /// Texts that were sent, the newest last.
    var history: [String] = []
    /// Numbers the pauses after which a draft is kept.
    var keepEpoch = 0
    /// The time since when the text differs from the kept draft; nil while they are the same.
    var unkeptSince: Timestamp?
    /// Source of the IDs of new posts.
    var chance: any RandomNumberGenerator & Sendable

    private static let remembered = 200

    init(drafts: [ConversationID: Draft], chance: any RandomNumberGenerator & Sendable) {
        self.chance = chance
        kept = drafts
        for (id, draft) in drafts {
            if !draft.text.isEmpty {
                composers[WritingPlace(conversation: id)] = Composer(draft.text, draft.purpose)
            }
            for (thread, reply) in draft.replies {
                composers[WritingPlace(conversation: id, thread: thread)] = Composer(reply.text, reply.purpose)
            }
            edits[id] = draft.edits
            // It is not known whether they have arrived. The next try finds out.
            if !draft.outbox.isEmpty {
                outbox[id] = draft.outbox.map { Outgoing(post: $0, isRetry: true) }
            }
        }
    }

    /// The conversations with an unfinished message, reply or edit.
    var drafts: Set<ConversationID> {
        let begun = composers.filter { !$0.value.area.isBlank }.keys.map(\.conversation)
        return Set(begun).union(edits.filter { !$0.value.isEmpty }.keys)
    }

    /// Fills in quoted messages that are known now.
    mutating func fillQuotes(in id: ConversationID, _ messages: [Message]) {
        for (place, composer) in composers where place.conversation == id {
            guard case .reply(let quote) = composer.intent, let quoted = messages.first(where: { $0.id == quote.id })
            else { continue }
            composers[place]?.intent = .reply(Quote(of: quoted))
        }
    }

    mutating func remember(_ text: String) {
        history.removeAll { $0 == text }
        history = history.suffix(Writing.remembered - 1) + [text]
    }

    /// The draft of a conversation as it is kept.
    func draft(in id: ConversationID) -> Draft {
        let outbox = (outbox[id] ?? []).filter { if case .sent = $0.state { false } else { true } }
        var draft = Draft(edits: edits[id] ?? [:], outbox: outbox.map(\.post))
        for (place, composer) in composers where place.conversation == id {
            if case .edit(let target) = composer.intent { draft.edits[target] = composer.edit }
            let kept = composer.kept
            if kept.text.isEmpty { continue }
            if let thread = place.thread {
                draft.replies[thread] = kept
            } else {
                (draft.text, draft.purpose) = (kept.text, kept.purpose)
            }
        }
        return draft
    }
}

/// Input goes to the text of the pane that has the keys.
extension Writing: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        // Changed in place, since a copy of a megabyte takes time.
        guard let place = context.writingPlace else { return [.close] }
        return composers[place]?.handle(event, in: context) ?? [.close]
    }
}

/// The place of a text: the main timeline of a conversation, or a thread, named by its root.
struct WritingPlace: Hashable, Sendable {
    let conversation: ConversationID
    var thread: MessageID?
}

/// The composer: opening, leaving, completing and keeping its text.
extension Model {
    var composer: Composer? {
        get { writingPlace.flatMap { writing.composers[$0] } }
        set { if let place = writingPlace { writing.composers[place] = newValue } }
    }

    var writingPlace: WritingPlace? {
        conversation.map { WritingPlace(conversation: $0.id, thread: pane.thread) }
    }

    /// A draft is kept after this time without a key.
    private static let keepPause = Duration.milliseconds(300)
    /// Stands for all people in a room, as a mention of Matrix.
    private static let everybody = PersonID("@room")
    /// Milliseconds after which it is kept even while the user types.
    private static let mostUnkept: Int64 = 1_000

    // MARK: - Opening and leaving

    /// i, r, e: opens the composer, or says why it cannot be opened.
    mutating func compose(_ intent: Composer.Intent? = nil, text: String? = nil) -> [Effect] {
        // The obstacle may be gone by now. The next key will know.
        guard canWrite() else { return conversation.map { [.askForObstacle($0.id)] } ?? [] }
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
        panel = .composer
        return askForQuoted() + askForMembers()
    }

    /// A user who begins to write does not want an earlier request to lead elsewhere.
    mutating func stayHere() {
        if let thread = openThread, thread.opening != .shown { closeThread() }
        _ = panes.changeAll { pane in
            if pane.opening == .shown { pane.dropPending() }
            return []
        }
        finding.giveUp()
        trail.seeksUnread = false
        bookmarks.wanted = nil
        sidebar.wanted = nil
        (membership.wanted, membership.joining) = (nil, nil)
        switcher.isMaking = false
    }

    /// The reason why nobody can write into the conversation on the screen. It may have changed since the store was asked.
    var obstacle: String? {
        if conversation?.hasLeft == true { return Post.afterLeaving }
        return conversation?.isEncrypted == true ? Post.encrypted : writing.obstacle
    }

    /// Says why the user cannot write here.
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
        // The text was begun for another message, or for none.
        if draft != nil, panel == .composer {
            tell("your draft is now a reply to this message; Backspace at its start makes it an ordinary one")
        }
        return effects
    }

    mutating func editSelected() -> [Effect] {
        guard let message = ownSelected(to: "edit") else { return [] }
        let left = editLeft(of: message.id)
        let effects = compose(.edit(message.id), text: left?.text ?? message.text)
        if let seen = left?.seen, seen != message.text, left?.text != message.text {
            contest(with: message.text)
        } else {
            composer?.seen = message.text
            composer?.isContested = false
        }
        return effects
    }

    /// Shows the text that somebody has given to the message that is being edited, perhaps the user elsewhere.
    mutating func contest(with text: String) {
        composer?.contest(with: text)
        let key = keymap.keyName(.activate)
        // On a narrow screen the lines above the text say the rest.
        let isNarrow = size.columns < 72 && size.rows >= 6
        warn(
            isNarrow
                ? "\(key) replaces it, Esc keeps it"
                : "edited meanwhile: \(key) replaces that text with yours, Esc keeps it")
    }

    /// The selected message, when it is the user's own and still there.
    mutating func ownSelected(to action: String) -> Message? {
        // What is taken back says nothing to anybody, so that is possible in an encrypted room as well.
        let isTakenBack = action == "delete" && obstacle == Post.encrypted
        guard isTakenBack || canWrite(), let message = selectedMessage else { return nil }
        if message.isDeleted {
            warn("this message is deleted; there is nothing to \(action)")
        } else if message.sender?.id != me {
            warn("You can only \(action) your own messages; this one is by \(message.sender?.name ?? "nobody")")
        } else {
            return message
        }
        return nil
    }

    /// Esc: the text stays for the next time.
    mutating func leaveComposer() -> [Effect] {
        guard var composer else {
            panel = nil
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
        // A reply without a text is given up.
        if composer.area.isEmpty { composer.intent = .message }
        self.composer = composer.area.isEmpty ? nil : composer
        panel = nil
        return keepDraft() + (conversation.map { typing.stop(in: $0.id) + findStrayEdits(in: $0.id) } ?? [])
    }

    private func editLeft(of id: MessageID) -> Draft.Edit? { conversation.flatMap { writing.edits[$0.id]?[id] } }

    /// An unfinished edit comes back with the next `e` on its message.
    private mutating func putAside(_ edit: Draft.Edit, asEditOf id: MessageID) {
        guard let conversation else { return }
        let isBlank = edit.text.allSatisfy(\.isWhitespace)
        let isChanged = !isBlank && pane.loaded(id)?.text != Calls.unlinked(edit.text).text
        writing.edits[conversation.id, default: [:]][id] = isChanged ? edit : nil
        if isChanged { tell("the message stays as it was; \(keymap.keyName(.edit)) continues your edit") }
    }

    // MARK: - Its wishes

    /// The text has changed.
    mutating func composerTextChanged() -> [Effect] {
        complete()
        return keepDraftLater() + tellTyping()
    }

    /// Finds candidates for the word before the cursor.
    mutating func complete() {
        guard var composer else { return }
        var completion = completion(of: composer.area)
        // The cursor has moved, or the text elsewhere has changed: what was chosen stays.
        if let former = composer.completion, former.candidates == completion?.candidates {
            completion?.selected = former.selected
        }
        composer.completion = completion
        self.composer = composer
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

    /// A terminal that does not mark a paste sends its lines as keys, several of them in one read. They are text, and Enter
    /// among them sends nothing. The rest of such a paste may come a little later.
    mutating func linesAsPaste(_ inputs: [Input]) -> [Input] {
        guard panel == .composer, help == nil, inputState.prefix == nil else { return inputs }
        let typed = inputs.lazy.map(\.typedCharacter).prefix { $0 != nil }.compactMap(\.self)
        let hasLines = typed.lastIndex { !$0.isNewline }.map { typed[..<$0].contains(where: \.isNewline) } ?? false
        // A single Enter is soon a key again: the user may send what was pasted.
        let limit: Int64 = typed.count > 1 ? 1_000 : 100
        let goesOn = inputState.linesCame.map { (0..<limit).contains(now.milliseconds - $0.milliseconds) } ?? false
        if hasLines || goesOn && typed.count > 1 { inputState.linesCame = now }
        guard hasLines || goesOn && typed.contains(where: \.isNewline) else { return inputs }
        return [.paste(String(typed))] + inputs.dropFirst(typed.count)
    }

    // MARK: - The user's editor

    /// The draft is kept first: the editor, or the terminal with it, may not come back.
    mutating func editOutside() -> [Effect] {
        guard let text = composer?.area.text else { return [] }
        return keepDraft() + [.edit(text)]
    }

    /// The text comes back as a draft, and can be undone.
    mutating func receive(edited result: Result<String, EditFailure>) -> [Effect] {
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

    /// Tells others every few seconds that the user writes.
    private mutating func tellTyping() -> [Effect] {
        guard let me, let id = conversation?.id, let composer else { return [] }
        return composer.area.isBlank ? typing.stop(in: id) : typing.tell(me, in: id, now: now)
    }

    /// Asks for the message that a kept reply quotes, when it is not loaded.
    private func askForQuoted() -> [Effect] {
        guard let conversation, let first = main.timeline.list.first, case .reply(let quote)? = composer?.intent,
            quote.content == .pending, pane.loaded(quote.id) == nil
        else { return [] }
        return [.locate(conversation.id, first.id, first.cursor, [quote.id])]
    }

    // MARK: - Completion

    private func completion(of area: TextArea) -> Composer.Completion? {
        let word = area.wordBeforeCursor
        let typed = String(word.dropFirst())
        let candidates: [Composer.Completion.Candidate]
        switch word.first {
        case "@": candidates = people(named: typed)
        case ":" where typed.count >= 2:
            candidates = EmojiNames.matching(typed.trimmingSuffix(":"), limit: 8).map {
                Composer.Completion.Candidate(text: $0.emoji, shown: "\($0.emoji) \($0.name)")
            }
        default: return nil
        }
        return candidates.isEmpty ? nil : Composer.Completion(candidates: candidates, length: word.count)
    }

    /// Members, and senders of loaded messages, if their ID or a word of their name begins with the typed text.
    private func people(named typed: String) -> [Composer.Completion.Candidate] {
        var seen: Set<PersonID> = []
        let writers = (0..<timeline.count).reversed().compactMap { timeline.list[$0].message.sender }
        let members = (conversation?.members ?? []) + (conversation.flatMap { writing.members[$0.id] } ?? [])
        let everybody =
            conversation?.callsAll == true && !typed.isEmpty ? [Person(id: Model.everybody, name: "room")] : []
        let all = (writers + members + everybody).filter { seen.insert($0.id).inserted }
        let wanted = QueryName(typed, isPrefix: true)
        return all.filter { person in
            typed.isEmpty || wanted.isPart(of: person.name) || wanted.isPart(of: person.id.rawValue)
        }
        .prefix(8).map { person in candidate(person, among: all) }
    }

    /// A person of Matrix is called by the name, if that is nobody else's here; others by names that are words, and by their IDs.
    private func candidate(_ person: Person, among all: [Person]) -> Composer.Completion.Candidate {
        if person.id == Model.everybody {
            return Composer.Completion.Candidate(text: "@room", shown: "room, which calls everybody")
        }
        let (word, id) = ("@" + person.name, person.id.rawValue)
        if all.contains(where: { $0.id != person.id && $0.name == person.name }) {
            return Composer.Completion.Candidate(
                text: id.hasPrefix("@") ? id : "@" + id, shown: "\(person.name) (\(id))")
        }
        if Calls.canCall(person.id, by: word), person.name != id {
            return Composer.Completion.Candidate(text: word, shown: person.name, person: person.id)
        }
        // A name with marks of formatting would call nobody on Matrix, which an ID does.
        let isOfMatrix = id.hasPrefix("@") && id.contains(":")
        let isWord =
            !isOfMatrix && !person.name.contains(where: \.isWhitespace) && !person.name.isEmpty && person.name != id
        let text = isWord ? word : id.hasPrefix("@") ? id : "@" + id
        return Composer.Completion.Candidate(text: text, shown: person.name)
    }

    /// Keeps the beginnings of the rows with the text, so that no key has to look at all of it again.
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

    /// Keeps the draft of the conversation on the screen, unless it is kept already.
    mutating func keepDraft() -> [Effect] { conversation.map { keepDraft(of: $0.id) } ?? [] }

    /// Keeps all drafts when the program ends.
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

extension Composer {
    /// The composer with the text from before the edit.
    var withoutEdit: Composer {
        var other = Composer()
        if let interrupted { (other.area, other.intent) = (interrupted.area, interrupted.intent) }
        other.calls = calls
        return other
    }
}

extension Input {
    /// The character of a text that a key stands for when it was not typed but pasted.
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

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String { last == character ? String(dropLast()) : self }
}

/// Marks of drafts for the status line.
extension Model {
    /// `draft`: in the conversation on the screen. Nil for none.
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
        return Span(draftMark: title(of: first).map { "draft in \($0)" } ?? "draft elsewhere")
    }

    /// Nil as long as only the ID is known.
    private func title(of id: ConversationID) -> String? {
        switcher.conversation(id)?.title ?? trail.visited[id]?.title
    }
}

extension Span {
    /// The mark of a draft, in the status line and in the list of conversations.
    init(draftMark text: String) { self.init(CleanText(text), Style(.accent)) }
}
