import Display
import Messages
import Timeline

/// The people who write at this moment.
struct Typing: Sendable {
    /// Besides oneself.
    var people: [Person] = []
    /// Names the time after which they count as gone.
    var epoch = 0
    /// When the others were last told that one writes.
    var lastTold: Timestamp?
}
