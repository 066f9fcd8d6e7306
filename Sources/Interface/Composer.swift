import Display
import Messages

/// What is being written in a conversation.
struct Composer: Hashable, Sendable {
    /// What is to become of the text.
    enum Intent: Hashable, Sendable {
        case message
        case reply(Quote)
        case edit(MessageID)

        var purpose: Draft.Purpose {
            switch self {
            case .message: .message
            case .reply(let quote): .reply(quote.id)
            case .edit(let id): .edit(id)
            }
        }
    }

    var area = TextArea()
    var intent = Intent.message
    /// What was being written before an edit was begun.
    var interrupted: Interrupted?
    /// What the word before the cursor may become.
    var completion: Completion?
    /// The text from the history that is shown, counted from the newest one; nil for none.
    var recalled: Int?

    struct Interrupted: Hashable, Sendable {
        let area: TextArea
        let intent: Intent
    }

    init() {}

    /// As it was kept.
    init(_ draft: Draft) {
        area = TextArea(draft.text)
        switch draft.purpose {
        case .message: intent = .message
        case .reply(let id): intent = .reply(Quote(id: id, content: .pending))
        case .edit(let id): intent = .edit(id)
        }
    }

    /// Words that begin with `@` or `:`.
    struct Completion: Hashable, Sendable {
        struct Candidate: Hashable, Sendable {
            /// Takes the place of the word.
            let text: String
            let shown: String
        }

        let candidates: [Candidate]
        var selected = 0
        /// Characters of the word.
        let length: Int
    }
}

/// A post on its way into a conversation.
struct Outgoing: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Its turn comes when those before it are there: they are to stand in the order in which they were written.
        case queued
        case sending
        /// It is there, and has not come back from the store yet.
        case sent
        /// It is tried again, by itself and by `R`.
        case waiting(reason: String)
        /// It is not there: tried again only by `R`.
        case failed(reason: String)
    }

    let post: Post
    var state = State.queued
    /// How often it was tried in vain.
    var attempts = 0
    /// Whether it may be there already.
    var isRetry = false

    /// What is shown below the last message until it is there itself.
    var isMessage: Bool {
        if case .message(_, _, nil) = post.content { true } else { false }
    }
}

/// All that the user writes.
struct Writing: Sendable {
    var composers: [ConversationID: Composer] = [:]
    var outbox: [ConversationID: [Outgoing]] = [:]
    /// As they were kept last.
    var kept: [ConversationID: Draft] = [:]
    /// Why nothing can be written into the conversation on the screen.
    var obstacle: String?
    /// Texts that were sent, the newest last.
    var history: [String] = []
    /// Names the pause behind which a draft is kept.
    var keepEpoch = 0
    /// Chooses IDs.
    var chance: any RandomNumberGenerator & Sendable

    private static let remembered = 200

    init(drafts: [ConversationID: Draft], chance: any RandomNumberGenerator & Sendable) {
        self.chance = chance
        kept = drafts
        for (id, draft) in drafts {
            if !draft.text.isEmpty { composers[id] = Composer(draft) }
            // Whether they have arrived is not known: the next try finds out.
            if !draft.outbox.isEmpty {
                outbox[id] = draft.outbox.map { Outgoing(post: $0, isRetry: true) }
            }
        }
    }

    mutating func remember(_ text: String) {
        history.removeAll { $0 == text }
        history = history.suffix(Writing.remembered - 1) + [text]
    }

    /// As it is to be kept.
    func draft(in id: ConversationID) -> Draft {
        var composer = composers[id]
        // An edit is given up with the program, what it has interrupted is not.
        if let interrupted = composer?.interrupted {
            composer?.area = interrupted.area
            composer?.intent = interrupted.intent
        }
        let outbox = (outbox[id] ?? []).filter { if case .sent = $0.state { false } else { true } }
        return Draft(
            text: composer?.area.text ?? "",
            purpose: composer?.area.isEmpty == false ? composer?.intent.purpose ?? .message : .message,
            outbox: outbox.map(\.post))
    }
}
