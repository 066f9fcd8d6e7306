/// The display names of people, as events set them. A person may have another name in each room of a server: the first one that is
/// known counts where no other is.
struct MatrixNames {
    private var names: [String: String] = [:]
    /// The names that people have in single rooms, where these differ.
    private var own: [String: [String: String]] = [:]
    /// The room whose events come next; empty for an export, which has one name for each person.
    var room = ""

    /// - Returns: whether it is the name where no other is known.
    @discardableResult
    mutating func set(_ person: String, _ name: String) -> Bool {
        if room.isEmpty || names[person] == nil { names[person] = name }
        own[room]?[person] = nil
        if names[person] == name { return true }
        own[room, default: [:]][person] = name
        return false
    }

    /// Sets the name that counts where no other is known.
    mutating func setEverywhere(_ person: String, _ name: String) { names[person] = name }

    mutating func set(own names: [String: String], in room: String) { own[room] = names.isEmpty ? nil : names }

    func own(in room: String) -> [String: String] { own[room] ?? [:] }

    /// The name where no other is known.
    func everywhere(_ id: String) -> String? { names[id] }

    /// Nil for a person who has none, as far as events have told.
    func known(_ id: String) -> String? { own[room]?[id] ?? names[id] }

    /// The name to write into a line; without one, the part of the ID that a person chose.
    func name(_ person: Bytes) -> String { name(person.string) }

    func name(_ id: String) -> String { known(id) ?? MatrixNames.local(id) }

    private static func local(_ id: String) -> String {
        String(id.dropFirst(id.hasPrefix("@") ? 1 : 0).prefix { $0 != ":" })
    }

    /// The name that a member event gives to a person in the room. Somebody who is in the room without a name, and has one elsewhere,
    /// has removed it here.
    func given(by event: MatrixEvent) -> String? {
        if let name = event.content?["displayname"]?.string?.visibleName { return name }
        guard !room.isEmpty, let id = event.stateKey?.string, event.content?["membership"]?.string == "join",
            known(id) != nil
        else { return nil }
        return MatrixNames.local(id)
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
