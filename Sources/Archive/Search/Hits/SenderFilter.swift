internal import Messages
internal import Search

/// Persons whom somebody means by IDs or names: each person with one of these very IDs, and all in whose names the words of
/// one of the names stand in a row. A person without a name is named by the ID, unless that holds a control character: it
/// shows as another ID then (`ana\0` as `ana`), and means only itself.
struct SenderFilter {
    private let names: QueryNames
    /// By the file: those whose name matches, and those whose ID would, had they no name.
    private let named: [IDHash: PersonID]
    private let namedOtherwise: [IDHash: PersonID]
    /// Whether the file names somebody who is meant.
    let isKnown: Bool

    /// Walks the file of persons once, and keeps only those that matter.
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

    /// - Parameter sender: an ID; empty for nobody, who is never meant.
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
