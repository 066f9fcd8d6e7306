internal import Messages
internal import Search

/// Whom somebody means by an ID or a name: the person with this very ID, and all in whose names these words stand one
/// behind the other. Whoever has no name is named by the ID.
struct SenderFilter {
    private let id: PersonID
    private let words: Query
    /// By the file: those whose name matches, and those whose ID would, had they no name.
    private let named: [IDHash: PersonID]
    private let namedOtherwise: [IDHash: PersonID]
    /// Whether the file names somebody who is meant.
    let isKnown: Bool

    /// Walks the file of persons once, and keeps only those that matter.
    init(_ sender: String, people: People) {
        let words = Query(phrase: sender)
        let matches = { (name: UnsafeRawBufferPointer) in words.matches(name.assumingMemoryBound(to: UInt8.self)) }
        var named: [IDHash: PersonID] = [:]
        var namedOtherwise: [IDHash: PersonID] = [:]
        var isKnown = false
        people.forEach { id, name in
            let person = { PersonID(String(decoding: id, as: UTF8.self)) }
            if id.elementsEqual(sender.utf8) || matches(name.isEmpty ? id : name) { isKnown = true }
            if name.isEmpty { return }
            if matches(name) {
                named[IDHash(id)] = person()
            } else if matches(id) {
                namedOtherwise[IDHash(id)] = person()
            }
        }
        id = PersonID(sender)
        (self.words, self.named, self.namedOtherwise, self.isKnown) = (words, named, namedOtherwise, isKnown)
    }

    /// - Parameter sender: an ID; empty for nobody, who is never meant.
    func passes(_ sender: UnsafeRawBufferPointer) -> Bool {
        if sender.isEmpty { return false }
        if sender.elementsEqual(id.rawValue.utf8) || SenderFilter.contains(sender, named) { return true }
        return matches(sender) && !SenderFilter.contains(sender, namedOtherwise)
    }

    private func matches(_ name: UnsafeRawBufferPointer) -> Bool {
        words.matches(name.assumingMemoryBound(to: UInt8.self))
    }

    private static func contains(_ id: UnsafeRawBufferPointer, _ persons: [IDHash: PersonID]) -> Bool {
        persons.isEmpty ? false : persons[IDHash(id)]?.rawValue.utf8.elementsEqual(id) ?? false
    }
}
