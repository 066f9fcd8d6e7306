internal import Messages
internal import Search

/// Whom somebody means by an ID or a name: the person with this very ID, and all in whose names these words stand one
/// behind the other. Whoever has no name is named by the ID.
struct SenderFilter {
    private let name: QueryName
    /// By the file: those whose name matches, and those whose ID would, had they no name.
    private let named: [IDHash: PersonID]
    private let namedOtherwise: [IDHash: PersonID]
    /// Whether the file names somebody who is meant.
    let isKnown: Bool

    /// Walks the file of persons once, and keeps only those that matter.
    init(_ sender: QueryName, people: People) {
        let matches = { (name: UnsafeRawBufferPointer) in
            sender.isPart(of: name.assumingMemoryBound(to: UInt8.self))
        }
        var named: [IDHash: PersonID] = [:]
        var namedOtherwise: [IDHash: PersonID] = [:]
        var isKnown = false
        people.forEach { id, name in
            let person = { PersonID(String(decoding: id, as: UTF8.self)) }
            if sender.isID(id) || matches(name.isEmpty ? id : name) { isKnown = true }
            if name.isEmpty { return }
            if matches(name) {
                named[IDHash(id)] = person()
            } else if matches(id) {
                namedOtherwise[IDHash(id)] = person()
            }
        }
        (name, self.named, self.namedOtherwise, self.isKnown) = (sender, named, namedOtherwise, isKnown)
    }

    /// - Parameter sender: an ID; empty for nobody, who is never meant.
    func passes(_ sender: UnsafeRawBufferPointer) -> Bool {
        if sender.isEmpty { return false }
        if name.isID(sender) || SenderFilter.contains(sender, named) { return true }
        return name.isPart(of: sender.assumingMemoryBound(to: UInt8.self))
            && !SenderFilter.contains(sender, namedOtherwise)
    }

    private static func contains(_ id: UnsafeRawBufferPointer, _ persons: [IDHash: PersonID]) -> Bool {
        persons.isEmpty ? false : persons[IDHash(id)]?.rawValue.utf8.elementsEqual(id) ?? false
    }
}
