/// The display names of people, as events set them.
struct MatrixNames {
    private var names: [String: String] = [:]

    mutating func set(_ person: Bytes, _ name: String) { names[person.string] = name }

    /// The name to write into a line; without one, the part of the ID that a person chose.
    func name(_ person: Bytes) -> String {
        let id = person.string
        return names[id] ?? String(id.dropFirst(id.hasPrefix("@") ? 1 : 0).prefix { $0 != ":" })
    }
}
