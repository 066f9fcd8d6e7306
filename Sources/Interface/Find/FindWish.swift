import Messages

/// A wish of the search in the conversation that concerns more than the search.
enum FindWish: Sendable {
    case go(Find.Hit, leaving: ListRequest.Leaving)
    /// Shows the screen from before the search again.
    case restore(ScreenPlace)
    /// Takes the next of the steps that were asked for.
    case goOn
    /// A hit that is being loaded is one of other words.
    case dropHit
    /// A place that is being loaded is not wanted any more, unless it is a hit.
    case dropOthers
    /// Notes where the search began in the history of jumps.
    case leave(ScreenPlace)
    /// The hit that is being loaded is a jump from where the search began.
    case makeJump
    /// Folds the messages that the search unfolded.
    case folds([MessageID: Bool])
}
