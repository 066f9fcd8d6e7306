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

    init(_ keys: [Key], _ action: Action, _ help: String, hint: String? = nil, rank: Int = 0) {
        (self.keys, self.action, self.help, self.hint, self.rank) = (keys, action, help, hint, rank)
    }
}
