/// A person of an export.
package struct ForeignPerson: Hashable, Sendable {
    package let id: String
    /// The name to show.
    package let name: String

    package init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}
