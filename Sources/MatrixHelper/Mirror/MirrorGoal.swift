/// How much of an account is mirrored, and when that ends.
package struct MirrorGoal: Hashable, Sendable {
    /// Whether rooms are mirrored back to their beginnings.
    package var hasHistory: Bool
    /// Whether the mirror follows the server until it is stopped.
    package var follows: Bool
    /// How many events are asked for at a time. Servers send fewer when they like.
    package var pageSize = 1_000

    package init(hasHistory: Bool, follows: Bool) { (self.hasHistory, self.follows) = (hasHistory, follows) }
}
