import Display
import Messages
import Timeline

/// Input that is not complete yet.
struct InputState: Sendable {
    /// Whether a text has changed and still has to be looked at as a whole.
    var isTyping = false
    /// The digits of a number before `%`.
    var digits = ""
    /// Whether the user has been told that a key does nothing. Once is enough.
    var hasToldOfKey = false
    /// The first key of a sequence.
    var prefix: Key?
    /// When several lines came in one read; nil if none did.
    var linesCame: Timestamp?
    /// The text that the user left last with Esc, and when.
    var left: (place: WritingPlace, at: Timestamp)?
    /// Input that waits for the place that the user has asked for, in order.
    var held: [Input] = []
    /// The pane in which the first held input is a step, and its screen before the step. The step went as far as the window; it is
    /// repeated from there when more messages have come.
    var stance: (pane: Int, before: Timeline<MessageRuler>.Stance)?
    /// Whether a place that was asked for by the input that is being taken cannot be reached.
    var isLost = false
}
