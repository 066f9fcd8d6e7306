/// Gives each conversation of an archive an ID of its own.
package struct UniqueIDs {
    private var taken: Set<String> = []
    /// The number to try next after a name: thousands of rooms may have one name.
    private var next: [String: Int] = [:]
    /// The numbers that were tried, for tests.
    private(set) var tries = 0

    package init() {}

    /// The first of some names that no conversation has; else the last of them with a number: `general-2`.
    /// - Parameter names: not empty.
    package mutating func take(_ names: String...) -> String { take(names) }

    package mutating func take(_ names: [String]) -> String {
        take(names, numbered: names.last ?? "")
    }

    /// - Parameter last: the name that gets a number.
    mutating func take(_ names: [String], numbered last: String) -> String {
        if let free = names.first(where: { taken.insert($0).inserted }) { return free }
        while true {
            let number = next[last, default: 2]
            next[last] = number + 1
            tries += 1
            if taken.insert("\(last)-\(number)").inserted { return "\(last)-\(number)" }
        }
    }

    func contains(_ id: String) -> Bool { taken.contains(id) }

    /// An ID for a conversation by its title.
    mutating func take(title: String) -> String {
        let slug = Slug.of(title)
        return take(slug.isEmpty ? "chat" : slug)
    }
}
