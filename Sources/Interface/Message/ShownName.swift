import Display
import Messages

/// The names of people, as rows show them.
enum ShownName {
    /// The most Unicode scalars of a name: more than fit on any screen.
    static let longest = 200

    /// The name of a person; the ID if nothing of the name is visible.
    static func of(_ person: Person) -> CleanText {
        let name = CleanText(person.name.beginning(longest))
        return name.columns > 0 ? name : CleanText(person.id.rawValue.beginning(longest))
    }
}
