import Display
import Messages

/// The text that is being written in a conversation.
struct Composer: Hashable, Sendable {
    /// The purpose of the text.
    enum Intent: Hashable, Sendable {
        case message
        case reply(Quote)
        case edit(MessageID)
    }

    var area = TextArea()
    var intent = Intent.message
    /// The text from before an edit. Every edit has one.
    var interrupted: Interrupted?
    /// Candidates for the word before the cursor.
    var completion: Completion?
    /// The number of the sent text that is shown, counted from the newest one; nil for none.
    var recalled: Int?
    /// The people whom words of the text call.
    var calls = Calls()
    /// Of an edit: the text of the message that the user has seen.
    var seen: String?
    /// Whether that was written while the user was editing another one.
    var isContested = false

    struct Interrupted: Hashable, Sendable {
        let area: TextArea
        let intent: Intent
    }

    init() {}

    /// The composer of a kept draft.
    init(_ text: String, _ purpose: Draft.Purpose) {
        show(text)
        switch purpose {
        case .message: intent = .message
        case .reply(let id): intent = .reply(Quote(id: id, content: .pending))
        }
    }

    /// Words that begin with `@` or `:`.
    struct Completion: Hashable, Sendable {
        struct Candidate: Hashable, Sendable {
            /// Takes the place of the typed word.
            let text: String
            let shown: String
            /// The person whom it calls.
            var person: PersonID?
        }

        let candidates: [Candidate]
        var selected = 0
        /// Characters of the word.
        let length: Int
    }
}

extension Composer {
    /// Takes a text in which links call people.
    mutating func show(_ linked: String) {
        let (text, calls) = Calls.unlinked(linked)
        area = TextArea(text)
        self.calls.merge(calls)
    }

    /// The message that it replies to or edits.
    var target: MessageID? {
        switch intent {
        case .message: nil
        case .reply(let quote): quote.id
        case .edit(let id): id
        }
    }

    /// Whether Enter changes a message instead of sending one.
    var isEditing: Bool { if case .edit = intent { true } else { false } }

    /// Of an edit, as it is kept.
    var edit: Draft.Edit { Draft.Edit(calls.linked(area.text), seen: seen) }

    /// The user sees a text that was written while an edit was: the next Enter may overwrite it.
    mutating func contest(with text: String) { (seen, isContested) = (text, true) }

    /// The text that comes back when the edit is over.
    var kept: Draft.Reply {
        let (area, intent) = interrupted.map { ($0.area, $0.intent) } ?? (area, intent)
        let text = calls.linked(area.text)
        guard case .reply(let quote) = intent, !area.isEmpty else { return Draft.Reply(text: text) }
        return Draft.Reply(text: text, purpose: .reply(quote.id))
    }
}
