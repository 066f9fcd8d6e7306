import Messages
import Timeline

extension Pane {
    /// The screen to restore; nil when nothing was lost, or the user has moved since.
    var missedScreen: LostScreen? {
        lost.flatMap { $0.substitute == LostScreen.Stance(timeline) ? $0 : nil }
    }

    /// The list was read again, and messages of the list before may be missing.
    /// - Parameters:
    ///   - former: the timeline before.
    ///   - missed: the screen that was missed already.
    mutating func noteLoss(of former: Timeline<MessageRuler>, _ remains: Remains, missed: LostScreen?) {
        lost = missed ?? LostScreen(former, remains)
        guard let screen = lost else { return }
        // Whatever is lost, the bottom stays the bottom.
        let canMiss = timeline.list.isEmpty || !timeline.viewport.isFollowing
        let isMissed = missed == nil ? screen.isMissing(in: timeline) : !screen.isShown(by: timeline)
        if canMiss && isMissed { noteSubstitute() } else { lost = nil }
    }

    mutating func noteSubstitute() { lost?.substitute = LostScreen.Stance(timeline) }
}
