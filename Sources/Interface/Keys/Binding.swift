package import Display

/// A command: its name in the settings, its keys, its action and its text in the help, in one place.
package struct Binding: Hashable, Sendable {
    /// Unique among the commands of its context.
    package let name: String
    package let keys: [Key]
    package let action: Action
    package let help: String
    /// A word for the status line; nil for a command that is not shown there.
    let hint: String?
    /// Where there is little room, hints with a lower rank stay.
    let rank: Int

    /// As the help shows them: `↑  k`; a long row of keys by its ends.
    package var keyNames: String {
        let names = keys.map(\.description)
        if names.isEmpty { return "no key" }
        return names.count > 4 ? "\(names[0]) … \(names[names.count - 1])" : names.joined(separator: "  ")
    }

    /// - Parameter name: nil for the name of the action.
    init(_ keys: [Key], _ action: Action, named name: String? = nil, _ help: String, hint: String? = nil, rank: Int = 0)
    {
        (self.name, self.keys, self.action) = (name ?? action.name, keys, action)
        (self.help, self.hint, self.rank) = (help, hint, rank)
    }

    /// The same command with other keys.
    func with(_ keys: [Key]) -> Binding { Binding(keys, action, named: name, help, hint: hint, rank: rank) }
}
