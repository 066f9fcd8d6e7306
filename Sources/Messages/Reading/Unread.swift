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
    package func isMentioned(in text: String) -> Bool { !mentions(in: text, most: 1).isEmpty }

    /// Where a text names this person: UTF-8 offsets.
    /// - Parameter most: the number of places after which the rest of the text is not looked at.
    package func mentions(in text: String, most: Int = 100) -> [Range<Int>] {
        // Most texts name nobody, and characters are slow to walk.
        guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        var found: [Range<Int>] = []
        var rest = text[...]
        while found.count < most, let at = rest.firstIndex(of: "@") {
            // In an e-mail address, letters stand before the @.
            let isAddress = at > text.startIndex && text[text.index(before: at)].isPartOfName
            rest = rest[rest.index(after: at)...]
            if isAddress { continue }
            let ends = [id.rawValue, name].compactMap { $0.isEmpty ? nil : Person.end(of: $0, beginning: rest) }
            guard let end = ends.max() else { continue }
            found.append(
                text.utf8.distance(from: text.startIndex, to: at)..<text.utf8.distance(from: text.startIndex, to: end))
            rest = rest[end...]
        }
        return found
    }

    /// Where a name at the beginning of a text ends; nil if the text does not begin with it.
    private static func end(of name: String, beginning text: Substring) -> String.Index? {
        var rest = text
        for character in name {
            guard let next = rest.popFirst(), next.lowercased() == character.lowercased() else { return nil }
        }
        return rest.first.map { !$0.isPartOfName } ?? true ? rest.startIndex : nil
    }
}

extension Character {
    fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" || self == "-" }
}
