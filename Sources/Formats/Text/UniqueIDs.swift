/// Gives each conversation of an archive an ID of its own.
struct UniqueIDs {
    private var taken: Set<String> = []

    /// The first of some names that no conversation has; else the last of them with a number: `general-2`.
    /// - Parameter names: not empty.
    mutating func take(_ names: String...) -> String { take(names) }

    mutating func take(_ names: [String]) -> String {
        if let free = names.first(where: { taken.insert($0).inserted }) { return free }
        let last = names.last ?? ""
        var number = 2
        while !taken.insert("\(last)-\(number)").inserted { number += 1 }
        return "\(last)-\(number)"
    }
}
