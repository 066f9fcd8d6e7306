/// The messages of a conversation that are new to a person.
package struct Unread: Hashable, Sendable {
    /// Messages of the main timeline, without the person's own.
    package var count: Int
    /// The messages among them that name the person or reply to the person, and such replies in threads.
    package var mentions: Int

    package init(count: Int = 0, mentions: Int = 0) {
        self.count = count
        self.mentions = mentions
    }

    package var isEmpty: Bool { count == 0 && mentions == 0 }

    package static func + (a: Unread, b: Unread) -> Unread {
        Unread(count: a.count + b.count, mentions: a.mentions + b.mentions)
    }

    package static func += (a: inout Unread, b: Unread) { a = a + b }
}

extension Person {
    /// Whether a text names this person: `@` and the ID or the name, as a word of its own, in any case.
    package func isMentioned(in text: String) -> Bool {
        // Most texts name nobody, and characters are slow to walk.
        guard text.utf8.contains(UInt8(ascii: "@")) else { return false }
        var rest = text[...]
        while let at = rest.firstIndex(of: "@") {
            // In an e-mail address, letters stand before the @.
            let isAddress = at > text.startIndex && text[text.index(before: at)].isPartOfName
            rest = rest[rest.index(after: at)...]
            if isAddress { continue }
            if [id.rawValue, name].contains(where: { !$0.isEmpty && Person.begins(rest, with: $0) }) { return true }
        }
        return false
    }

    private static func begins(_ text: Substring, with name: String) -> Bool {
        var rest = text
        for character in name {
            guard let next = rest.popFirst(), next.lowercased() == character.lowercased() else { return false }
        }
        return rest.first.map { !$0.isPartOfName } ?? true
    }
}

extension Character {
    fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" || self == "-" }
}
