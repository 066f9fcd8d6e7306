import Messages
import Timeline

/// The messages of a pane when the store says that they may be others, or gone: as many of them as survive are to stay.
struct Remains: Hashable, Sendable {
    /// The messages of the window, in the order in which they take the place of the anchored one when it is gone.
    var ids: [MessageID]
    /// When the anchored message was sent: for when none of them is left.
    var moment: Timestamp
    var isFollowing: Bool

    /// The page that holds the surviving messages.
    var position: PageRequest.Position {
        isFollowing || ids.isEmpty ? .latest : .survivor(of: ids, near: moment)
    }

    /// Whether the anchored message is the same in both, and both or neither follow.
    func isSamePlace(as other: Remains) -> Bool {
        ids.first == other.ids.first && isFollowing == other.isFollowing
    }
}
