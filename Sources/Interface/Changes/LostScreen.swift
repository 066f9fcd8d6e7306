import Messages
import Timeline

/// A screen that has lost its anchored or its selected message, maybe only for a while: a log that is rewritten in place is
/// short until it is whole. The screen comes back with its messages, unless the user has moved since.
struct LostScreen: Hashable, Sendable {
    let remains: Remains
    let anchor: Anchor<MessageID>
    let selection: MessageID?
    /// The messages on the screen: as long as one of them is missing, the screen is not whole.
    let shown: Set<MessageID>
    /// Shown in its place.
    var substitute: Stance

    /// Where a viewport and its cursor are. It changes when the user moves, and not when messages come in.
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

    /// - Parameter timeline: as it was before. Nil when it showed nothing.
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
