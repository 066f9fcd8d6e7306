import Messages

/// A wish of the search in the conversation that concerns more than the search.
enum FindWish: Sendable {
    case go(Find.Hit, leaving: ListRequest.Leaving)
    /// Shows again the screen from before the search.
    case restore(ScreenPlace)
    /// Shows another match of the selected message.
    case showMatch(Find.Hit.Inner)
    /// Opens the thread of a hit, at the hit.
    case showReply(ListRequest.Reply, of: Find.Hit)
    /// Does the next waiting step, if its hit is known.
    case goOn
    /// Goes on in the next conversation of the search everywhere.
    case goOnElsewhere(Find.Direction)
    /// Gives up a hit that is being loaded: the words have changed.
    case dropHit
    /// Gives up a place that is being loaded, unless it is a hit.
    case dropOthers
    /// Adds the place where the search began to the history of jumps.
    case leave(ScreenPlace)
    /// Makes a jump of the hit that is being loaded.
    case makeJump
    /// Says that nothing was found, as long as that is so.
    case tellOfNothing(String)
    /// Folds and unfolds messages as they were before the search.
    case folds([MessageID: Bool])
}
