import Messages

/// All that the user writes.
struct Writing: Sendable {
    var composers: [WritingPlace: Composer] = [:]
    var outbox: [ConversationID: [Outgoing]] = [:]
    /// The texts of edits that were left or not taken, until they are sent.
    var edits: [ConversationID: [MessageID: String]] = [:]
    /// As they were kept last.
    var kept: [ConversationID: Draft] = [:]
    /// Why nothing can be written into the conversation on the screen.
    var obstacle: String?
    /// Texts that were sent, the newest last.
    var history: [String] = []
    /// Names the pause after which a draft is kept.
    var keepEpoch = 0
    /// The moment from which the text differs from the kept one; nil while it is the same.
    var unkeptSince: Timestamp?
    /// Chooses IDs.
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
            // Whether they have arrived is not known: the next try finds out.
            if !draft.outbox.isEmpty {
                outbox[id] = draft.outbox.map { Outgoing(post: $0, isRetry: true) }
            }
        }
    }

    /// The conversations in which something that was begun waits: a message, a reply in a thread, an edit.
    var drafts: Set<ConversationID> {
        let begun = composers.filter { !$0.value.area.isBlank }.keys.map(\.conversation)
        return Set(begun).union(edits.filter { !$0.value.isEmpty }.keys)
    }

    /// Messages that replies quote are known now.
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

    /// As it is to be kept.
    func draft(in id: ConversationID) -> Draft {
        let outbox = (outbox[id] ?? []).filter { if case .sent = $0.state { false } else { true } }
        var draft = Draft(edits: edits[id] ?? [:], outbox: outbox.map(\.post))
        for (place, composer) in composers where place.conversation == id {
            if case .edit(let target) = composer.intent { draft.edits[target] = composer.area.text }
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

/// The keys go to the text that is being written in the pane that has them.
extension Writing: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        // In its place: a copy of a megabyte takes its time.
        guard let place = context.writingPlace else { return [.close] }
        return composers[place]?.handle(event, in: context) ?? [.close]
    }
}
