/// How much of an account is mirrored, and when that ends.
package struct MirrorGoal: Hashable, Sendable {
    /// Whether rooms are mirrored back to their beginnings.
    package var hasHistory: Bool
    /// Whether the mirror follows the server until it is stopped.
    package var follows: Bool
    /// Whether it serves Kedges, who want to know who is typing.
    package var serves = false
    /// How many events are asked for at a time. Servers send fewer when they like.
    package var pageSize = 1_000

    package init(hasHistory: Bool, follows: Bool, serves: Bool = false) {
        (self.hasHistory, self.follows, self.serves) = (hasHistory, follows, serves)
    }
}
