internal import Formats

/// The names of people, as people.json keeps them.
///
///     {"id":"@ana:e.org","name":"Ana"}
///     {"id":"@ben:e.org","name":"Ben (@ben:e.org)","plain":"Ben"}      another Ben is in a room with this one
///     {"id":"@cy:e.org","name":"Cy","names":["Captain"]}               has another name in a room, which is found as well
struct SyncedPeople {
    private let path: String
    /// The names that people have given themselves.
    private(set) var names: [String: String] = [:]
    /// Other names that they have, or had, in single rooms.
    private var others: [String: Set<String>] = [:]
    /// The people who have a name that is also somebody else's in a room of theirs.
    private var namesakes: Set<String> = []

    init(path: String) throws(DiskFailure) {
        self.path = path
        guard let bytes = try DiskFile.read(path) else { return }
        bytes.withUnsafeBytes { bytes in
            let tree = JSONTree()
            defer { withExtendedLifetime(tree) {} }
            guard let list = tree.parse(bytes) else { return }
            for person in list.elements {
                guard let id = person["id"]?.string else { continue }
                let plain = person["plain"]?.string
                names[id] = plain ?? person["name"]?.string
                if plain != nil { namesakes.insert(id) }
                if let list = person["names"]?.elements.compactMap(\.string), !list.isEmpty { others[id] = Set(list) }
            }
        }
    }

    /// Takes names, and writes the file if one of them is new.
    /// - Parameters:
    ///   - others: names that people have in single rooms.
    ///   - rooms: calls its argument with the members of each room.
    mutating func take(
        _ people: [ForeignPerson], others new: [String: Set<String>] = [:], rooms: ((Set<String>) -> Void) -> Void
    ) throws(DiskFailure) {
        var isNew = false
        for (person, some) in new where !some.isSubset(of: others[person] ?? []) {
            others[person, default: []].formUnion(some)
            isNew = true
        }
        for person in people where names[person.id] != person.name {
            names[person.id] = person.name
            isNew = true
        }
        guard isNew else { return }
        findNamesakes(rooms)
        try write()
    }

    /// Those who are in no room, as far as it is known, are told apart from all.
    private mutating func findNamesakes(_ rooms: ((Set<String>) -> Void) -> Void) {
        let names = names
        let groups = Dictionary(grouping: names.keys) { names[$0] ?? "" }.values.filter { $0.count > 1 }
        let shared = Set(groups.joined())
        // A room groups its members by their names: to compare each with each other one takes minutes in a large room.
        var (met, members): (Set<String>, Set<String>) = ([], [])
        rooms { room in
            let some = shared.intersection(room)
            members.formUnion(some)
            for group in Dictionary(grouping: some, by: { names[$0] ?? "" }).values where group.count > 1 {
                met.formUnion(group)
            }
        }
        namesakes = []
        for group in groups {
            let isKnown = group.allSatisfy(members.contains)
            namesakes.formUnion(isKnown ? group.filter(met.contains) : group)
        }
    }

    func write() throws(DiskFailure) {
        let lines = names.sorted { $0.key < $1.key }.map { id, name in
            let shown = namesakes.contains(id) ? "\(name) (\(id))" : name
            var line = "{\"id\":\(JSONString.text(id)),\"name\":\(JSONString.text(shown))"
            if namesakes.contains(id) { line += ",\"plain\":\(JSONString.text(name))" }
            if let others = others[id]?.subtracting([name]), !others.isEmpty {
                line += ",\"names\":[\(others.sorted().map(JSONString.text).joined(separator: ","))]"
            }
            return line + "}"
        }
        try DiskFile.replace(path, with: [Array("[\(lines.joined(separator: ",\n"))]\n".utf8)])
    }
}
