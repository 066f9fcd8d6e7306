import Messages
import Timeline

extension Pane {
    /// The screen to come back to; nil when nothing of it has gone, or the user has moved since.
    var missedScreen: LostScreen? {
        lost.flatMap { $0.substitute == LostScreen.Stance(timeline) ? $0 : nil }
    }

    /// A list that was read again stands in place of another one, of which something may be gone.
    /// - Parameters:
    ///   - former: the timeline before.
    ///   - missed: the screen that was missed already.
    mutating func noteLoss(of former: Timeline<MessageRuler>, _ remains: Remains, missed: LostScreen?) {
        lost = missed ?? LostScreen(former, remains)
        guard let screen = lost else { return }
        // The bottom stays the bottom, whatever becomes of it.
        let canMiss = timeline.list.isEmpty || !timeline.viewport.isFollowing
        let isMissed = missed == nil ? screen.isMissing(in: timeline) : !screen.isShown(by: timeline)
        if canMiss && isMissed { noteSubstitute() } else { lost = nil }
    }

    mutating func noteSubstitute() { lost?.substitute = LostScreen.Stance(timeline) }
}
