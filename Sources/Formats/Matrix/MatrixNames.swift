/// The display names of people, as events set them.
struct MatrixNames {
    private var names: [String: String] = [:]

    mutating func set(_ person: String, _ name: String) { names[person] = name }

    /// Nil for a person who has none, as far as events have told.
    func known(_ id: String) -> String? { names[id] }

    /// The name to write into a line; without one, the part of the ID that a person chose.
    func name(_ person: Bytes) -> String { name(person.string) }

    func name(_ id: String) -> String {
        names[id] ?? String(id.dropFirst(id.hasPrefix("@") ? 1 : 0).prefix { $0 != ":" })
    }
}

extension String {
    /// Nil for a name of which nobody would see anything: blanks, and characters without a width.
    package var visibleName: String? {
        let isVisible = unicodeScalars.contains { scalar in
            let properties = scalar.properties
            if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return false }
            switch properties.generalCategory {
            case .control, .format, .unassigned, .nonspacingMark, .enclosingMark: return false
            // The braille pattern without a dot.
            default: return scalar.value != 0x2800
            }
        }
        return isVisible ? self : nil
    }
}
