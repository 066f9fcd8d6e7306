internal import Messages

/// An emoji under a message with all people who reacted with it, in the order of their first use.
struct FoldedReaction: Equatable {
    let emoji: String
    let people: [PersonID]
}
