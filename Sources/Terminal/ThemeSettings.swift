package import Display

/// The colours that the user has asked for.
package struct ThemeSettings: Hashable, Sendable {
    let name: Theme.Name
    private let changes: ThemeChanges

    package init(_ name: Theme.Name = .auto, changes: ThemeChanges = ThemeChanges()) {
        (self.name, self.changes) = (name, changes)
    }

    /// - Parameter background: of the terminal; nil as long as it is not known.
    func theme(on background: RGB?, count: Int) -> Theme {
        Theme(name, background: background, count: count, changes: changes)
    }
}
