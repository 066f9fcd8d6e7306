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
    /// The screen that is shown in its place.
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

    /// - Parameter timeline: before the loss. The result is nil when it showed nothing.
    init?(_ timeline: Timeline<MessageRuler>, _ remains: Remains) {
        guard let anchor = timeline.shownAnchor else { return nil }
        self.remains = remains
        self.anchor = anchor
        selection = timeline.selection
        let visible = timeline.visibleIndices.map { timeline.list[$0].id }
        shown = Set(visible + [anchor.id] + [timeline.selection].compactMap(\.self))
        substitute = Stance(timeline)
    }

    /// Whether a list lacks the anchored or the selected message.
    func isMissing(in timeline: Timeline<MessageRuler>) -> Bool {
        [anchor.id, selection].compactMap(\.self).contains { timeline.list.index(of: $0) == nil }
    }

    /// Whether a timeline shows it again.
    func isShown(by timeline: Timeline<MessageRuler>) -> Bool {
        timeline.shownAnchor == anchor && (timeline.selection == selection || timeline.hasNewer)
    }
}
