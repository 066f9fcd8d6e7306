/// An emoji under a message, as an export counts it.
package struct ForeignReaction: Hashable, Sendable {
    package let emoji: String
    /// May exceed the people that the export names.
    package let count: Int
    /// IDs.
    package let people: [String]

    package init(emoji: String, count: Int, people: [String] = []) {
        self.emoji = emoji
        self.count = count
        self.people = people
    }
}
