import Messages
import Timeline

/// The part of the model that a pane may look at, beside its own state.
struct PaneContext {
    let keymap: Keymap
    /// As of the last event.
    let now: Timestamp
    let zone: Zone
    /// The user; nil when it is not known who that is.
    let me: PersonID?
    /// The conversation on the screen.
    let conversation: Conversation?
    var reading: Reading
    /// Its messages that the user folded (true) or unfolded.
    let folds: [MessageID: Bool]
    /// Whether the user is writing a text, which going elsewhere would leave.
    let isWriting: Bool
    /// Whether a question about the selected message is on the screen.
    let isAskingAboutMessage: Bool
    /// Whether the user may write here.
    let canWrite: Bool

    /// Whether a message can be new to the user.
    func isNewFromOthers(_ message: Message) -> Bool {
        message.presence == nil && message.sender.map { $0.id != me } ?? true
    }
}
