import Messages

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
