import Messages
import Timeline

/// A screen that has lost its anchored or its selected message, perhaps for a short time: a log that is rewritten in place is
/// short until it is complete. The screen is restored when its messages come back, unless the user has moved since.
struct LostScreen: Hashable, Sendable {
    let remains: Remains
    let anchor: Anchor<MessageID>
    let selection: MessageID?
    /// The messages on the screen. While one of them is missing, the screen is not complete.
    let shown: Set<MessageID>
    /// The screen shown instead.
    var substitute: Stance

    /// The position of a viewport and its cursor. It changes when the user moves, and not when messages arrive.
    struct Stance: Hashable, Sendable {
        let anchor: Anchor<MessageID>?
        let selection: MessageID?
        let isFollowing: Bool

        init(_ timeline: Timeline<MessageRuler>) {
            anchor = timeline.anchor
            selection = timeline.selection
            isFollowing = timeline.viewport.isFollowing
        }
    }

    /// - Parameter timeline: the timeline before the loss. The result is nil when it showed nothing.
    init?(_ timeline: Timeline<MessageRuler>, _ remains: Remains) {
        guard let anchor = timeline.shownAnchor else { return nil }
        self.remains = remains
        self.anchor = anchor
        selection = timeline.selection
        let visible = timeline.visibleIndices.map { timeline.list[$0].id }
        shown = Set(visible + [anchor.id] + [timeline.selection].compactMap(\.self))
        substitute = Stance(timeline)
    }

    /// True if a list lacks the anchored or the selected message.
    func isMissing(in timeline: Timeline<MessageRuler>) -> Bool {
        [anchor.id, selection].compactMap(\.self).contains { timeline.list.index(of: $0) == nil }
    }

    /// True if a timeline shows the lost screen again.
    func isShown(by timeline: Timeline<MessageRuler>) -> Bool {
        timeline.shownAnchor == anchor && (timeline.selection == selection || timeline.hasNewer)
    }
}

extension Pane {
    /// The lost screen to restore; nil when nothing was lost, or the user has moved since.
    var missedScreen: LostScreen? {
        lost.flatMap { $0.substitute == LostScreen.Stance(timeline) ? $0 : nil }
    }

    /// Records messages that are missing after the list was read again.
    /// - Parameters:
    ///   - former: the timeline before.
    ///   - missed: the screen that was lost already.
    mutating func noteLoss(of former: Timeline<MessageRuler>, _ remains: Remains, missed: LostScreen?) {
        lost = missed ?? LostScreen(former, remains)
        guard let screen = lost else { return }
        // A screen that follows new messages stays at the end, whatever is lost.
        let canMiss = timeline.list.isEmpty || !timeline.viewport.isFollowing
        let isMissed = missed == nil ? screen.isMissing(in: timeline) : !screen.isShown(by: timeline)
        if canMiss && isMissed { noteSubstitute() } else { lost = nil }
    }

    mutating func noteSubstitute() { lost?.substitute = LostScreen.Stance(timeline) }
}
