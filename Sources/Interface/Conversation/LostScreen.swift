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

/// The messages that are to survive when a pane is read again.
struct Remains: Hashable, Sendable {
    /// The messages of the window. When the anchored one is gone, the first survivor in this order takes its place.
    var ids: [MessageID]
    /// The time of the anchored message: the place to open when none of them survives.
    var moment: Timestamp
    var isFollowing: Bool

    /// The page that holds the surviving messages.
    var position: PageRequest.Position {
        isFollowing || ids.isEmpty ? .latest : .survivor(of: ids, near: moment)
    }

    /// Whether both have the same anchored message, and both or neither follow.
    func isSamePlace(as other: Remains) -> Bool {
        ids.first == other.ids.first && isFollowing == other.isFollowing
    }
}
