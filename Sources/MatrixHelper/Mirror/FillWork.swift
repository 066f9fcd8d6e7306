internal import Matrix

/// A gap that is being filled.
struct FillWork {
    /// A request of Kedge for the events before a segment.
    struct Demand {
        let asker: Asker
        let limit: Int
    }

    let room: String
    var gap: Gap
    /// Whether it is filled without being asked for.
    let isWanted: Bool
    /// The requests that wait for its next page.
    var demands: [Demand] = []
    /// The tokens of the pages so far: a server that repeats one goes in circles.
    var tokens: Set<String> = []
    var emptyPages = 0
    /// The IDs of the events of the pages so far, as far as they are remembered.
    var ids: Set<String> = []
    /// Whether a new token was asked for after the server had refused the one of the gap.
    var hasNewToken = false
    /// Whether the token is asked for at which the gap ends.
    var asksForEnd = false

    init(room: String, gap: Gap, isWanted: Bool) { (self.room, self.gap, self.isWanted) = (room, gap, isWanted) }
}
