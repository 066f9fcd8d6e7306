package import Display

/// Keys that the user gives to a command.
package struct KeyChange: Hashable, Sendable {
    let context: Keymap.Context
    /// Of the command.
    let name: String
    let keys: [Key]
    /// Where the settings have it: path and line.
    let place: String

    package init(_ name: String, _ keys: [Key], in context: Keymap.Context = .conversation, at place: String) {
        (self.context, self.name, self.keys, self.place) = (context, name, keys, place)
    }

    /// As the settings name it.
    var fullName: String { "\(context.table).\(name)" }
}
