internal import ArchiveFormat
package import Files
package import Formats
internal import JSON

/// The names of people, as people.json keeps them.
package struct SyncedPeople {
    private let path: String
    /// The names that people have given themselves.
    package private(set) var names: [String: String] = [:]
    /// Other names that they have, or had, in single rooms.
    private var others: [String: Set<String>] = [:]
    /// The people whose name looks like that of another person in one of their rooms.
    private var namesakes: Set<String> = []

    package init(path: String) throws(FileError) {
        self.path = path
        guard let bytes = try DiskFile.read(path) else { return }
        let list = JSONReader(names: "")
        bytes.withUnsafeBytes { bytes in
            try? PersonEntry.forEach(in: bytes) { person in
                let (id, plain) = (person.id.string, person.plain)
                names[id] = plain ?? person.name?.string
                if plain != nil { namesakes.insert(id) }
                let other = person.names(by: list)
                if !other.isEmpty { others[id] = Set(other) }
                return true
            }
        }
    }

    /// Records names, and writes the file if one of them is new.
    /// - Parameters:
    ///   - others: names that people have in single rooms.
    ///   - rooms: calls its argument with the members of each room.
    package mutating func take(
        _ people: [ForeignPerson], others new: [String: Set<String>] = [:], rooms: ((Set<String>) -> Void) -> Void
    ) throws(FileError) {
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

    /// People without a known room get a name that differs from all others.
    private mutating func findNamesakes(_ rooms: ((Set<String>) -> Void) -> Void) {
        let names = names.mapValues(\.shownForm)
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

    package func write() throws(FileError) {
        let people = names.sorted { $0.key < $1.key }.map { id, name in
            let isNamesake = namesakes.contains(id)
            return PersonEntry(
                id: id, name: isNamesake ? "\(name) (\(id))" : name, plain: isNamesake ? name : nil,
                names: others[id]?.subtracting([name]).sorted() ?? [])
        }
        try DiskFile.replace(path, with: [Array(PersonEntry.file(people).utf8)])
    }
}
