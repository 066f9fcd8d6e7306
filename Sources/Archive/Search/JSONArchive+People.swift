package import Messages
internal import Search

extension JSONArchive {
    /// Finds the person with this very ID; else the one person who has this ID or name when case and accents do not count.
    /// Known are those in the file of persons, the members of conversations, the one whom the archive names, and all who have
    /// written: those by their very ID, and only the look for them takes as long as a search.
    /// - Throws: `unreadable`, `unavailable` when the folder of all conversations cannot be read.
    package func person(called name: String) async throws(StoreError) -> PersonMatch {
        let id = PersonID(name)
        if id == me || isInFile(id) { return .one(id) }
        let everybody = try everybody()
        if everybody[id] != nil { return .one(id) }
        let meant = Self.people(called: name, among: everybody)
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

    /// All who are in the file of persons or are members of a conversation.
    private func everybody() throws(StoreError) -> [PersonID: Person] {
        var everybody: [PersonID: Person] = [:]
        for member in try conversations().flatMap(\.members) { everybody[member.id] = member }
        people.forEach { id, name in
            let id = PersonID(String(decoding: id, as: UTF8.self))
            everybody[id] = Person(id: id, name: name.isEmpty ? id.rawValue : String(decoding: name, as: UTF8.self))
        }
        return everybody
    }

    /// By the bytes of their IDs.
    private static func people(called name: String, among everybody: [PersonID: Person]) -> [Person] {
        let wanted = QueryName.folded(name)
        guard !wanted.isEmpty else { return [] }
        return everybody.values
            .filter { QueryName.folded($0.id.rawValue) == wanted || QueryName.folded($0.name) == wanted }
            .sorted { $0.id.rawValue < $1.id.rawValue }
    }
}
