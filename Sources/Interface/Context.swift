import Display
import Messages
import Search
import Timeline

/// The part of the model that a panel may look at, beside its own state.
struct Context {
    let keymap: Keymap
    let size: Size
    /// As of the last event.
    let now: Timestamp
    let zone: Zone
    /// The user; nil if it is not known who that is.
    let me: PersonID?
    let panel: Panel?
    /// Whether the status line shows a notice.
    let hasNotice: Bool
    let directory: Directory
    /// The conversation on the screen.
    let conversation: Conversation?
    /// Its main timeline.
    let main: Pane
    /// The thread that has the keys.
    let thread: Pane?
    /// Its messages that the user folded (true) or unfolded.
    let folds: [MessageID: Bool]
    /// Whether a conversation has been asked for.
    let hasConversation: Bool
    /// The day of the message under the cursor.
    let day: CivilDate?
    let writingPlace: WritingPlace?
    /// Texts that were sent, the newest last.
    let sent: [String]
    let composerColumns: Int

    /// Rows that a step of the wheel scrolls.
    static let wheelRows = 3

    /// The meaning of complete words at this moment. `kedge search` finds the same for them.
    func complete(_ text: String) -> ResolvedQuery { ResolvedQuery(query(text, isTyping: false), zone: zone, now: now) }

    /// The meaning of words that the user is still typing.
    func typed(_ text: String) -> ResolvedQuery {
        ResolvedQuery(query(text, isTyping: true), zone: zone, now: now)
    }

    /// Words whose dates are not read yet.
    func query(_ text: String, isTyping: Bool) -> Query { Query(text, isTyping: isTyping, me: me?.rawValue) }
}
