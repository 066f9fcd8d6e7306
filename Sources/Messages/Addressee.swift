/// A person as texts may address them: by ID, by name, or by words that the person has chosen.
package struct Addressee: Hashable, Sendable {
    package let person: Person
    private let words: [Word]
    /// For each byte, true if a word may begin with it. This alone excludes most bytes of a text.
    private let begins: [Bool]

    /// - Parameter highlight: words that the person has chosen. Each counts wherever it is a separate word.
    package init(_ person: Person, highlight: [String] = []) {
        self.person = person
        words =
            Addressee.names(of: person).map { Word($0, isChosen: false) }
            + highlight.filter { !$0.isEmpty }.map { Word($0, isChosen: true) }
        var begins = [Bool](repeating: false, count: 256)
        for word in words { for byte in word.firstBytes { begins[Int(byte)] = true } }
        self.begins = begins
    }

    /// All words to search for.
    package var texts: [String] { words.map(\.text) }

    /// The ID and the name; of an ID such as `@ana:example.org` also `ana`.
    private static func names(of person: Person) -> Set<String> {
        var names: Set = [person.id.rawValue, person.name]
        let id = person.id.rawValue
        if id.hasPrefix("@"), let colon = id.firstIndex(of: ":") { names.insert(String(id[..<colon].dropFirst())) }
        names.remove("")
        return names
    }

    /// True if a text addresses the person.
    package func isMentioned(in text: String) -> Bool { !mentions(in: text, most: 1).isEmpty }

    /// The places that address the person, as UTF-8 offsets. A name must be a separate word, in any case, and not part of an
    /// e-mail or web address; an `@` before it belongs to the place. A name of one or two letters is a common word in some
    /// language, so it counts only before `:` or `,` and after `@`; a name without letters only after `@`.
    /// - Parameter most: the search stops after this number of places.
    package func mentions(in text: String, most: Int = 100) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var copy = text
        copy.withUTF8 { bytes in
            var (place, last) = (0, UInt8(ascii: " "))
            while place < bytes.count, found.count < most {
                let byte = bytes[place]
                if begins[Int(byte)], !last.isWordOfASCII, let mention = mention(at: place, in: text, bytes) {
                    found.append(mention)
                    place = mention.upperBound
                    last = bytes[place - 1]
                } else {
                    last = byte
                    place += 1
                }
            }
        }
        return found
    }

    private func mention(at place: Int, in text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let scalars = text.unicodeScalars
        let start = text.utf8.index(text.startIndex, offsetBy: place)
        // No word begins within a character of several bytes.
        guard bytes[place] & 0xC0 != 0x80 else { return nil }
        let before = start > scalars.startIndex ? scalars.index(before: start) : nil
        if before.map({ scalars[$0].isPartOfName }) ?? false { return nil }
        let hasMark = before.map { scalars[$0] == "@" } ?? false
        // In an e-mail address, letters come before the `@`.
        if hasMark, let before, before > scalars.startIndex, scalars[scalars.index(before: before)].isPartOfName {
            return nil
        }
        let ends = words.compactMap { word -> String.Index? in
            guard let end = word.end(at: place, start, in: text, bytes) else { return nil }
            let next = end < scalars.endIndex ? scalars[end] : nil
            if next?.isPartOfName ?? false { return nil }
            if word.isChosen || hasMark { return end }
            let isCalled = next.map { ":,\u{FF1A}\u{FF0C}\u{3001}".unicodeScalars.contains($0) } ?? false
            guard word.letters > 2 || word.letters > 0 && isCalled else { return nil }
            return Addressee.isPartOfAddress(start..<end, in: text) ? nil : end
        }
        guard let end = ends.max() else { return nil }
        return place - (hasMark ? 1 : 0)..<place + text.utf8.distance(from: start, to: end)
    }

    /// True if a word is part of `ana@example.org`, `ana.example.org` or `https://example.org/ana`.
    private static func isPartOfAddress(_ word: Range<String.Index>, in text: String) -> Bool {
        let scalars = text.unicodeScalars
        var after = scalars[word.upperBound...]
        if let next = after.popFirst(), next == "." || next == "@", after.first?.isPartOfName ?? false { return true }
        var before = scalars[..<word.lowerBound]
        if before.popLast() == ".", before.last?.isPartOfName ?? false { return true }
        let address = scalars[..<word.lowerBound].reversed().prefix { !$0.properties.isWhitespace }
        var (last, next) = (Unicode.Scalar(0), Unicode.Scalar(0))
        for scalar in address {
            if scalar == ":", last == "/", next == "/" { return true }
            (next, last) = (last, scalar)
        }
        return false
    }
}

extension Addressee {
    /// A word that refers to the person.
    private struct Word: Hashable, Sendable {
        let text: String
        /// True if the person chose it in addition to the names.
        let isChosen: Bool
        let letters: Int
        /// The word in lower case, if it is ASCII; nil for any other word.
        private let ascii: [UInt8]?

        init(_ text: String, isChosen: Bool) {
            (self.text, self.isChosen) = (text, isChosen)
            letters = text.count { $0.isLetter }
            ascii = text.utf8.allSatisfy { $0 < 0x80 } ? Array(text.lowercased().utf8) : nil
        }

        var firstBytes: [UInt8] {
            let first = text.prefix(1)
            return [first.lowercased(), first.uppercased(), String(first)].compactMap { $0.utf8.first }
        }

        /// The end of the word if it occurs at a place; nil if it does not.
        func end(
            at place: Int, _ start: String.Index, in text: String, _ bytes: UnsafeBufferPointer<UInt8>
        ) -> String.Index? {
            if let ascii {
                guard bytes.count - place >= ascii.count else { return nil }
                for (offset, byte) in ascii.enumerated() where bytes[place + offset].lowercaseOfASCII != byte {
                    return nil
                }
                return text.utf8.index(start, offsetBy: ascii.count)
            }
            var rest = text[start...]
            for character in self.text {
                guard let next = rest.popFirst(), next.lowercased() == character.lowercased() else { return nil }
            }
            return rest.startIndex
        }
    }
}

extension UInt8 {
    fileprivate var lowercaseOfASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    fileprivate var isWordOfASCII: Bool {
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercaseOfASCII)
        return isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }
}

extension Unicode.Scalar {
    fileprivate var isPartOfName: Bool {
        if value < 0x80 { return UInt8(value).isWordOfASCII }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return properties.isAlphabetic || properties.numericType != nil
        }
    }
}
