/// The people mentioned in a text by a word such as `@Ben Ong`, which was chosen from a completion. In a post, and in a draft on
/// disk, each such word is a link, so that it identifies the person everywhere:
///
///     hi @Ben Ong  ⇄  hi [@Ben Ong](https://matrix.to/#/@ben:example.org)
///
/// So no separate list is needed, and deleting the word removes the mention. Only people on Matrix can be mentioned by links;
/// others are mentioned by name or ID.
package struct Calls: Hashable, Sendable {
    private var people: [String: PersonID]

    private static let site = "https://matrix.to/#/"
    /// The longest word or link, in characters. Without a limit, a text of open brackets would take quadratic time.
    private static let longest = 1_024

    package init(_ people: [String: PersonID] = [:]) { self.people = people }

    /// True if this word can be a link to the person.
    /// - Parameter word: the word in the text.
    package static func canCall(_ person: PersonID, by word: String) -> Bool {
        person.rawValue.hasPrefix("@") && person.rawValue.contains(":") && word.count > 1
            && !word.unicodeScalars.contains { "[]()\\`\n\r*_~|<>".unicodeScalars.contains($0) }
    }

    package mutating func add(_ word: String, _ person: PersonID) {
        if Calls.canCall(person, by: word) { people[word] = person }
    }

    package mutating func merge(_ other: Calls) { people.merge(other.people) { $1 } }

    /// The text with links in place of the words.
    package func linked(_ text: String) -> String {
        // If one name is the beginning of another, the longer one is meant.
        let words = people.keys.filter(text.contains).sorted { ($0.count, $0) > ($1.count, $1) }
        guard !words.isEmpty else { return text }
        var (result, rest, last) = ("", text[...], Character(" "))
        while let character = rest.first {
            let word =
                Calls.isOfName(last) || last == "["
                ? nil
                : words.first { word in
                    rest.hasPrefix(word) && !(rest.dropFirst(word.count).first.map(Calls.isOfName) ?? false)
                }
            if let word, let person = people[word] {
                result += "[\(word)](\(Calls.link(to: person)))"
                rest = rest.dropFirst(word.count)
                last = word.last ?? " "
            } else {
                result.append(character)
                rest.removeFirst()
                last = character
            }
        }
        return result
    }

    /// The text with words in place of such links, and the people. If the words would then refer to other people, the text is
    /// unchanged.
    package static func unlinked(_ text: String) -> (text: String, calls: Calls) {
        var (result, calls, rest) = ("", Calls(), text[...])
        while let start = rest.firstIndex(of: "[") {
            result += rest[..<start]
            rest = rest[start...]
            guard let (word, person, end) = person(linkedIn: rest) else {
                result.append("[")
                rest.removeFirst()
                continue
            }
            calls.people[word] = person
            result += word
            rest = rest[end...]
        }
        result += rest
        guard !calls.people.isEmpty, calls.linked(result) == text else { return (text, Calls()) }
        return (result, calls)
    }

    /// The link with which a text begins.
    private static func person(linkedIn text: Substring) -> (word: String, person: PersonID, end: String.Index)? {
        guard let middle = text.prefix(longest).firstIndex(of: "]") else { return nil }
        let (word, rest) = (String(text[..<middle].dropFirst()), text[middle...].dropFirst())
        guard rest.hasPrefix("(" + site), let end = rest.prefix(longest).firstIndex(of: ")") else { return nil }
        let id = rest[..<end].dropFirst(1 + site.count)
        var bytes: [UInt8] = []
        var left = Array(id.utf8)[...]
        while let byte = left.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: left.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                left = left.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        let person = PersonID(String(decoding: bytes, as: UTF8.self))
        return canCall(person, by: word) ? (word, person, rest.index(after: end)) : nil
    }

    /// The link to a person (Matrix specification, appendices, "matrix.to navigation").
    private static func link(to person: PersonID) -> String {
        site
            + person.rawValue.utf8.map { byte in
                let isPlain =
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                if isPlain || "@:.-_=+~".utf8.contains(byte) { return String(Unicode.Scalar(byte)) }
                return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
            .joined()
    }

    private static func isOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
