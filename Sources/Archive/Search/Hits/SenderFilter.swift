internal import Messages
internal import Search

/// The people that a filter of a query selects by IDs or names: each person with exactly one of these IDs, and each
/// person whose name contains the words of one of the names in a row. The ID serves as the name of a person without
/// one, unless it contains a control character: such an ID is displayed like another one (`ana\0` as `ana`), so only
/// the exact ID selects it.
struct SenderFilter {
    private let names: QueryNames
    /// Entries of the people file: `named` has those whose name matches, `namedOtherwise` those whose ID matches but
    /// whose name does not.
    private let named: [IDHash: PersonID]
    private let namedOtherwise: [IDHash: PersonID]
    /// Whether the people file contains a person that the filter selects.
    let isKnown: Bool

    /// Walks through the people file once, and keeps only the entries that decide.
    init(_ names: QueryNames, people: People) {
        let matches = { (name: UnsafeRawBufferPointer) in
            names.arePart(of: name.assumingMemoryBound(to: UInt8.self))
        }
        var named: [IDHash: PersonID] = [:]
        var namedOtherwise: [IDHash: PersonID] = [:]
        var isKnown = false
        people.forEach { id, name in
            let person = { PersonID(String(decoding: id, as: UTF8.self)) }
            if names.areID(id) || (name.isEmpty ? SenderFilter.isName(id) && matches(id) : matches(name)) {
                isKnown = true
            }
            if name.isEmpty { return }
            if matches(name) {
                named[IDHash(id)] = person()
            } else if matches(id) {
                namedOtherwise[IDHash(id)] = person()
            }
        }
        (self.names, self.named, self.namedOtherwise, self.isKnown) = (names, named, namedOtherwise, isKnown)
    }

    /// - Parameter sender: the sender's ID; an empty one never passes.
    func passes(_ sender: UnsafeRawBufferPointer) -> Bool {
        if sender.isEmpty { return false }
        if names.areID(sender) || SenderFilter.contains(sender, named) { return true }
        return SenderFilter.isName(sender) && names.arePart(of: sender.assumingMemoryBound(to: UInt8.self))
            && !SenderFilter.contains(sender, namedOtherwise)
    }

    private static func isName(_ id: UnsafeRawBufferPointer) -> Bool { !id.contains { $0 < 0x20 || $0 == 0x7F } }

    private static func contains(_ id: UnsafeRawBufferPointer, _ persons: [IDHash: PersonID]) -> Bool {
        persons.isEmpty ? false : persons[IDHash(id)]?.rawValue.utf8.elementsEqual(id) ?? false
    }
}
