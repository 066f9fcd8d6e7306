package import Display

/// A key, its action and its name in the help, in one place.
package struct Binding: Hashable, Sendable {
    package let keys: [Key]
    package let action: Action
    let help: String
    /// A word for the status line; nil for a key that is not shown there.
    let hint: String?
    /// Where there is little room, hints with a lower rank stay.
    let rank: Int

    /// As the help shows them: `↑  k`; a long row of keys by its ends.
    var keyNames: String {
        let names = keys.map(\.description)
        return names.count > 4 ? "\(names[0]) … \(names[names.count - 1])" : names.joined(separator: "  ")
    }

    init(_ keys: [Key], _ action: Action, _ help: String, hint: String? = nil, rank: Int = 0) {
        (self.keys, self.action, self.help, self.hint, self.rank) = (keys, action, help, hint, rank)
    }
}
