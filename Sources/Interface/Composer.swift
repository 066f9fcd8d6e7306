import Display
import Messages

/// What is being written in a conversation.
struct Composer: Hashable, Sendable {
    /// What is to become of the text.
    enum Intent: Hashable, Sendable {
        case message
        case reply(Quote)
        case edit(MessageID)
    }

    var area = TextArea()
    var intent = Intent.message
    /// What was being written before an edit was begun; of every edit.
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
    init(_ text: String, _ purpose: Draft.Purpose) {
        area = TextArea(text)
        switch purpose {
        case .message: intent = .message
        case .reply(let id): intent = .reply(Quote(id: id, content: .pending))
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
        if case .message = post.content { true } else { false }
    }

    /// The thread that it is a reply in.
    var thread: MessageID? {
        if case .message(_, _, let thread) = post.content { thread } else { nil }
    }
}

/// Where something is written: into the main timeline of a conversation, or into a thread by its root.
struct WritingPlace: Hashable, Sendable {
    let conversation: ConversationID
    var thread: MessageID?
}

/// All that the user writes.
struct Writing: Sendable {
    var composers: [WritingPlace: Composer] = [:]
    var outbox: [ConversationID: [Outgoing]] = [:]
    /// What was made of messages when an edit was left or not taken, until it is sent.
    var edits: [ConversationID: [MessageID: String]] = [:]
    /// As they were kept last.
    var kept: [ConversationID: Draft] = [:]
    /// Why nothing can be written into the conversation on the screen.
    var obstacle: String?
    /// Texts that were sent, the newest last.
    var history: [String] = []
    /// Names the pause behind which a draft is kept.
    var keepEpoch = 0
    /// When what is written was first another than what is kept; nil while it is the same.
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

extension Composer {
    /// The message that it is about: replied to, or edited.
    var target: MessageID? {
        switch intent {
        case .message: nil
        case .reply(let quote): quote.id
        case .edit(let id): id
        }
    }

    /// What is there again without the edit.
    fileprivate var kept: Draft.Reply {
        let (area, intent) = interrupted.map { ($0.area, $0.intent) } ?? (area, intent)
        guard case .reply(let quote) = intent, !area.isEmpty else { return Draft.Reply(text: area.text) }
        return Draft.Reply(text: area.text, purpose: .reply(quote.id))
    }
}
