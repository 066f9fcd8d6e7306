package import Messages
internal import Search

extension JSONArchive {
    /// Finds the person with exactly this ID. If there is none, finds the one person whose ID or name matches
    /// regardless of case and accents. Knows the people in the people file, the members of conversations, `me`, and,
    /// only by their exact ID, all senders. The search for senders is the last resort because it takes as long as a
    /// search of messages.
    /// - Throws: `unreadable`, `unavailable` if the folder of all conversations cannot be read.
    package func person(called name: String) async throws(StoreError) -> PersonMatch {
        let id = PersonID(name)
        if id == me || isInFile(id) { return .one(id) }
        let (everybody, meant) = try everybody(called: name)
        if everybody[id] != nil { return .one(id) }
        if meant.count == 1 { return .one(meant[0].id) }
        if !meant.isEmpty { return .several(meant) }
        if await SearchRun(self, SearchRequest(Query(phrase: name))).hasWritten(id) { return .one(id) }
        return .nobody(nearest: Nearest.people(to: name, among: Array(everybody.values)))
    }

    private func isInFile(_ id: PersonID) -> Bool {
        let wanted = Array(id.rawValue.utf8)
        var isFound = false
        people.forEach { id, _ in isFound = isFound || id.elementsEqual(wanted) }
        return isFound
    }

    /// All people in the people file and all members of conversations, sorted by the bytes of their IDs.
    /// - Throws: as `person`.
    package func knownPeople() throws(StoreError) -> [Person] {
        try everybody().all.values.sorted { $0.id.rawValue < $1.id.rawValue }
    }

    /// All people in the people file and all members of conversations.
    /// - Parameter name: one of a person's names; the second result has these people, sorted by the bytes of their IDs.
    private func everybody(
        called name: String = ""
    ) throws(StoreError) -> (all: [PersonID: Person], called: [Person]) {
        let wanted = QueryName.folded(name)
        var called: Set<PersonID> = []
        var everybody: [PersonID: Person] = [:]
        for member in try conversations().flatMap(\.members) { everybody[member.id] = member }
        var inFile: Set<PersonID> = []
        people.forEach { id, name in
            let id = PersonID(String(decoding: id, as: UTF8.self))
            if !wanted.isEmpty, QueryName.folded(String(decoding: name, as: UTF8.self)) == wanted { called.insert(id) }
            // Other names, which a person has in single conversations, follow.
            guard inFile.insert(id).inserted else { return }
            everybody[id] = Person(id: id, name: name.isEmpty ? id.rawValue : String(decoding: name, as: UTF8.self))
        }
        guard !wanted.isEmpty else { return (everybody, []) }
        let meant = everybody.values.filter { person in
            called.contains(person.id) || QueryName.folded(person.id.rawValue) == wanted
                || QueryName.folded(person.name) == wanted
        }
        return (everybody, meant.sorted { $0.id.rawValue < $1.id.rawValue })
    }
}
