import Foundation

/// An independent reader of the native format that finds words: everything in memory, JSON by Foundation, an index of
/// words, folding by the standard library and Foundation. It shares only the rules with Kedge. For archives without
/// edits and deletions.
package final class PlainSearch: Sendable {
    package struct Message: Sendable {
        package let link: String
        let conversation: Int
        let at: String
        package let text: String
    }

    package let messages: [Message]
    /// For each word, the messages that contain it, in the order of the files.
    private let index: [String: [Int32]]
    /// All words, sorted.
    package let vocabulary: [String]

    package init(archive: String) throws {
        var messages: [Message] = []
        let folder = archive + "/conversations"
        let conversations = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        for (number, conversation) in conversations.enumerated() {
            let path = folder + "/" + conversation
            for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            where name.hasPrefix("messages-") {
                let data = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
                for line in data.split(separator: 0x0A) {
                    let json = try JSONSerialization.jsonObject(with: Self.escapingMarks(line)) as? [String: Any] ?? [:]
                    let field = { (key: String) in json[key] as? String ?? "" }
                    messages.append(
                        Message(
                            link: conversation + "/" + field("id"), conversation: number, at: field("at"),
                            text: field("text")))
                }
            }
        }
        var index: [String: [Int32]] = [:]
        for (number, message) in messages.enumerated() {
            for word in Self.words(message.text) where index[word]?.last != Int32(number) {
                index[word, default: []].append(Int32(number))
            }
        }
        (self.messages, self.index, vocabulary) = (messages, index, index.keys.sorted())
    }

    /// The links of the messages with all these phrases: newest next one first, by the names of the conversations when
    /// there are two.
    package func links(_ phrases: [[String]]) -> [String] {
        var found: Set<Int32>?
        for word in phrases.joined() {
            let list = index[word] ?? []
            found = found.map { $0.intersection(list) } ?? Set(list)
        }
        var lists: [Int: [Message]] = [:]
        for number in (found ?? []).sorted() {
            let message = messages[Int(number)]
            let isMatch = phrases.allSatisfy { $0.count < 2 } || Self.contains(phrases, Self.words(message.text))
            if isMatch { lists[message.conversation, default: []].append(message) }
        }
        // Times in one form that sorts as text.
        var left = lists.mapValues(\.count)
        func next(_ conversation: Int) -> Message? {
            (left[conversation] ?? 0) > 0 ? lists[conversation]?[(left[conversation] ?? 0) - 1] : nil
        }
        var links: [String] = []
        while let best = lists.keys.max(by: { (next($0)?.at ?? "", -$0) < (next($1)?.at ?? "", -$1) }),
            let message = next(best)
        {
            links.append(message.link)
            left[best, default: 0] -= 1
        }
        return links
    }

    private static func contains(_ phrases: [[String]], _ words: [String]) -> Bool {
        phrases.allSatisfy { phrase in
            words.indices.contains { words[$0...].prefix(phrase.count).elementsEqual(phrase) }
        }
    }

    /// Runs of letters, marks and digits; characters of scripts without blanks, and emoji, scalar by scalar. The skin
    /// tone of an emoji is not a word: a thumb of any tone is found by any thumb.
    package static func words(_ text: String) -> [String] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.lowercased().utf8.split { !(0x61...0x7A).contains($0) && !(0x30...0x39).contains($0) }
                .map { String(decoding: $0, as: UTF8.self) }
        }
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars
        where !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isEmojiModifier {
            let isEmoji = scalar.value > 0x7F && scalar.properties.isEmoji
            switch scalar.properties.generalCategory {
            case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
                if !word.isEmpty { words.append(word) }
                word = ""
                if isEmoji { words.append(folded(scalar)) }
            case .nonspacingMark, .spacingMark, .enclosingMark:
                if !word.isEmpty { word += folded(scalar) }
            case _ where scalar.properties.isAlphabetic || scalar.properties.numericType != nil:
                if isUnspaced(scalar.value) {
                    words += word.isEmpty ? [folded(scalar)] : [word, folded(scalar)]
                    word = ""
                } else {
                    word += folded(scalar)
                }
            default:
                if !word.isEmpty { words.append(word) }
                word = ""
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    private static func isUnspaced(_ value: UInt32) -> Bool {
        [
            0x0E00...0x0EFF, 0x1000...0x11FF, 0x1780...0x17FF, 0x2E80...0x31FF, 0x3400...0x9FFF, 0xAC00...0xD7FF,
            0xF900...0xFAFF, 0xFF66...0xFFDC, 0x20000...0x3FFFF,
        ]
        .contains { $0.contains(value) }
    }

    private static func folded(_ scalar: Unicode.Scalar) -> String {
        let plain = [
            "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ŧ": "t",
        ]
        let caseless = String(scalar).decomposedStringWithCompatibilityMapping.uppercased().lowercased()
        return caseless.decomposedStringWithCompatibilityMapping.unicodeScalars
            .filter { !(0x300...0x36F).contains($0.value) && !(0x20D0...0x20FF).contains($0.value) }
            .map { plain[String($0)] ?? String($0) }.joined()
    }

    /// Foundation drops a U+FEFF at the start of a string unless it is escaped; some old messages have one.
    private static func escapingMarks(_ line: Data) -> Data {
        guard line.range(of: Data([0xEF, 0xBB, 0xBF])) != nil else { return line }
        return Data(String(decoding: line, as: UTF8.self).replacing("\u{FEFF}", with: "\\ufeff").utf8)
    }
}

extension PlainSearch {
    /// A query as it is typed, and the phrases that it means.
    package struct Query: Sendable, CustomStringConvertible {
        package let typed: String
        package let phrases: [[String]]
        package var description: String { typed }
    }

    /// Random queries of words and phrases of the archive: rare words of the vocabulary, words by their frequency,
    /// several words of one message, phrases; in upper and lower case.
    package func queries(_ count: Int, _ random: inout SeededGenerator) -> [Query] {
        var queries: [Query] = []
        while queries.count < count {
            var phrases: [[String]] = []
            switch queries.count % 4 {
            case 0: phrases = [[vocabulary.randomElement(using: &random) ?? ""]]
            default:
                let words = Self.words(messages.randomElement(using: &random)?.text ?? "")
                guard let start = words.indices.randomElement(using: &random) else { continue }
                let length = Int.random(in: 2...4, using: &random)
                if queries.count % 4 == 1 {
                    phrases = [[words[start]]]
                } else if queries.count % 4 == 2 {
                    phrases = [Array(words[start...].prefix(length))]
                } else {
                    phrases = words.shuffled(using: &random).prefix(length).map { [$0] }
                }
            }
            let typed = phrases.map { phrase in
                let text = phrase.map { Bool.random(using: &random) ? $0 : $0.uppercased() }.joined(separator: " ")
                return phrase.count > 1 ? "\"\(text)\"" : text
            }
            queries.append(Query(typed: typed.joined(separator: " "), phrases: phrases))
        }
        return queries
    }

    /// One reader for all tests of the same archive.
    package static func shared(_ archive: String) throws -> PlainSearch { try reading(archive).get() }

    private static func reading(_ archive: String) -> Result<PlainSearch, any Error> {
        lock.lock()
        defer { lock.unlock() }
        if let known = readings[archive] { return known }
        let reading = Result { try PlainSearch(archive: archive) }
        readings[archive] = reading
        return reading
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var readings: [String: Result<PlainSearch, any Error>] = [:]
}
