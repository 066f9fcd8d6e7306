/// The display names of people, as events set them.
struct MatrixNames {
    private var names: [String: String] = [:]

    mutating func set(_ person: String, _ name: String) { names[person] = name }

    /// The name to write into a line; without one, the part of the ID that a person chose.
    func name(_ person: Bytes) -> String { name(person.string) }

    func name(_ id: String) -> String {
        names[id] ?? String(id.dropFirst(id.hasPrefix("@") ? 1 : 0).prefix { $0 != ":" })
    }
}
