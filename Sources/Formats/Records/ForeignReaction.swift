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

/// Reactions one by one, counted by emoji.
struct Reactions {
    private var order: [String] = []
    private var people: [String: [String]] = [:]

    mutating func add(_ emoji: String, by person: String) {
        guard !emoji.isEmpty else { return }
        if people[emoji] == nil { order.append(emoji) }
        people[emoji, default: []].append(person)
    }

    var list: [ForeignReaction] {
        order.map { emoji in
            let all = people[emoji] ?? []
            return ForeignReaction(emoji: emoji, count: all.count, people: all.filter { !$0.isEmpty })
        }
    }
}
