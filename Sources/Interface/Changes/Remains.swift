import Messages
import Timeline

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
