internal import Messages

/// An emoji under a message, and the people who reacted with it, in the order of their first use.
struct CountedReaction: Equatable {
    let emoji: String
    /// Fewer than `count` if an export or a server counts people without naming them.
    let people: [PersonID]
    /// The number of people, named or not.
    let count: Int

    /// - Parameter count: at least the number of people; nil if all are named.
    init(emoji: String, people: [PersonID], count: Int? = nil) {
        self.emoji = emoji
        self.people = people
        self.count = max(count ?? 0, people.count)
    }
}
