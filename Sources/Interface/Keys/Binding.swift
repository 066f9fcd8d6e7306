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

    /// The columns of the keys in the help.
    static let keyColumns = 18

    /// As the help shows them: `↑  k`; a long row of keys by its ends, and of long names those that have room.
    package var keyNames: String {
        let names = keys.map(\.description)
        guard let first = names.first else { return "no key" }
        if names.count > 4 { return "\(first) … \(names[names.count - 1])" }
        return names.dropFirst().reduce(first) { all, name in
            all.count + 2 + name.count > Binding.keyColumns ? all : "\(all)  \(name)"
        }
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
