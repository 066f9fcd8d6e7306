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

    /// The name in at most these columns: whole, else `Priya R.`, `Priya`, `PR`. Only when none of these fits is it cut.
    static func fitted(_ name: CleanText, columns: Int) -> CleanText {
        guard name.columns > columns else { return name }
        let words = name.string.split(separator: " ").filter { $0.first?.isLetter == true }
        guard let first = words.first, let last = words.last?.first else { return name.truncated(to: columns) }
        let initials = String(words.compactMap { $0.first })
        let forms = [words.count > 1 ? "\(first) \(last)." : String(first), String(first), initials].map {
            CleanText($0)
        }
        return forms.first { $0.columns <= columns && $0.columns > 1 } ?? name.truncated(to: columns)
    }
}
