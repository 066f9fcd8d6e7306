import Display
import Emoji
import Messages
import Search
import Timeline

/// All texts that the user writes.
struct Writing: Sendable {
    var composers: [WritingPlace: Composer] = [:]
    var outbox: [ConversationID: [Outgoing]] = [:]
    /// The texts of unfinished and refused edits.
    var edits: [ConversationID: [MessageID: Draft.Edit]] = [:]
    var reactions = OwnReactions()
    /// The drafts as last saved.
    var kept: [ConversationID: Draft] = [:]
    /// The reason why nobody can write in the conversation on the screen.
    var obstacle: String?
    /// The people mentioned in texts sent in this run, since such a text may be shown again.
    var calls: [ConversationID: Calls] = [:]
    /// The members of the open conversation as reported by the server, if its list is partial and nobody has come or gone since.
    var members: [ConversationID: [Person]] = [:]
    /// The failed requests of the composer for members.
    var memberRetries = Retries()
    /// Texts that were sent, the newest last.
    var history: [String] = []
    /// The ID of the last pause before a draft is saved.
    var keepEpoch = 0
    /// The time since when the text differs from the saved draft; nil while they are the same.
    var unkeptSince: Timestamp?
    var typing = Typing()
    /// The text that the user left with the last key, and the time.
    var left: (place: WritingPlace, at: Timestamp)?
    /// The source of the IDs of new posts.
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
            // These posts may have arrived already. The next try finds out.
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

    /// The draft of a conversation in the form in which it is saved.
    func draft(in id: ConversationID) -> Draft {
        let outbox = (outbox[id] ?? []).filter { $0.state != .sent }
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

/// Routes input to the text of the pane that has the keys.
extension Writing: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        // The composer is changed in place, since a copy of a megabyte takes time.
        guard let place = context.writingPlace else { return [.close] }
        return composers[place]?.handle(event, in: context) ?? [.close]
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

extension Span {
    /// The mark of a draft, in the status line and in the list of conversations.
    init(draftMark text: String) { self.init(CleanText(text), Style(.accent)) }
}

extension Writing {
    /// Appends the edit to the draft of the main timeline.
    /// - Returns: false when the edit stays where it is, because the draft is itself an edit, or would be too long.
    mutating func takeStrayEdit(of target: MessageID, in id: ConversationID) -> Bool {
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
