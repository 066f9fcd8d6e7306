import Messages
import Timeline

/// The part of the model that a pane may look at beside its own state.
struct PaneContext {
    /// As of the last event.
    let now: Timestamp
    let zone: Zone
    /// The user; nil when it is not known who that is.
    let me: PersonID?
    /// The one on the screen.
    let conversation: Conversation?
    var reading: Reading
    /// The messages of the conversation that were folded (true) or unfolded.
    let folds: [MessageID: Bool]
    /// Whether a text is being written, which would be left by going elsewhere.
    let isWriting: Bool
    /// Whether nothing keeps the user from writing.
    let canWrite: Bool

    func isOfOthers(_ message: Message) -> Bool { message.sender.map { $0.id != me } ?? true }
}
