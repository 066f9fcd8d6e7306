/// Finds emoji by the names and keywords of `EmojiTable`.
package enum EmojiNames {
    package struct Named: Hashable, Sendable {
        package let emoji: String
        package let name: String

        package init(emoji: String, name: String) { (self.emoji, self.name) = (emoji, name) }
    }

    /// The emoji that are offered before anything is typed. Among equal matches they come first.
    static let usual = [
        Named(emoji: "👍", name: "thumbs_up"), Named(emoji: "❤️", name: "red_heart"),
        Named(emoji: "😂", name: "face_with_tears_of_joy"), Named(emoji: "🎉", name: "party_popper"),
        Named(emoji: "😢", name: "crying_face"), Named(emoji: "👀", name: "eyes"),
        Named(emoji: "🙏", name: "folded_hands"), Named(emoji: "🔥", name: "fire"),
        Named(emoji: "✅", name: "check_mark_button"), Named(emoji: "💯", name: "hundred_points"),
    ]

    /// The emoji with the typed text in a name or keyword, the best match first, each emoji once. The table is searched each
    /// time, and nothing of it is kept.
    package static func matching(_ typed: String, limit: Int) -> [Named] {
        let typed = Array(typed.lowercased().replacing(" ", with: "_").utf8)
        if typed.isEmpty { return Array(usual.prefix(limit)) }
        var table = EmojiTable.text
        let found = table.withUTF8 { table in
            table.split(separator: lineFeed).enumerated().compactMap { place, line in
                match(typed, line).map { (rank: $0.rank, place: place, named: $0.named) }
            }
        }
        let best = found.map { match in
            (match.rank, usual.contains { $0.emoji == match.named.emoji } ? 0 : 1, match.place, match.named)
        }
        return best.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }.prefix(limit).map(\.3)
    }

    /// The first name of an emoji, with or without its variation selector; nil for one that the table does not have.
    package static func name(of emoji: String) -> String? {
        func isSelector(_ scalar: Unicode.Scalar) -> Bool { scalar.value == 0xFE0F }
        let wanted = emoji.unicodeScalars.lazy.filter { !isSelector($0) }
        var table = EmojiTable.text
        return table.withUTF8 { table in
            for line in table.split(separator: lineFeed) {
                let words = line.split(maxSplits: 2) { $0 == blank || $0 == bar }
                guard words.count > 1,
                    String(decoding: words[0], as: UTF8.self).unicodeScalars.lazy
                        .filter({ !isSelector($0) }).elementsEqual(wanted)
                else { continue }
                return String(decoding: words[1], as: UTF8.self)
            }
            return nil
        }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static let lineFeed = UInt8(ascii: "\n")
    private static let blank = UInt8(ascii: " ")
    private static let bar = UInt8(ascii: "|")
    private static let underscore = UInt8(ascii: "_")

    /// The best matching name of an emoji; its first name if only a keyword matches.
    private static func match(_ typed: [UInt8], _ line: Bytes) -> (rank: Int, named: Named)? {
        let parts = line.split(separator: bar, maxSplits: 1)
        guard let words = parts.first?.split(separator: blank), let emoji = words.first, words.count > 1 else {
            return nil
        }
        var best: (rank: Int, name: Bytes)?
        func offer(_ rank: Int?, _ name: Bytes) {
            if let rank, rank < best?.rank ?? .max { best = (rank, name) }
        }
        for name in words.dropFirst() { offer(rank(of: typed, inName: name), name) }
        for keyword in parts.dropFirst().first?.split(separator: blank) ?? [] {
            offer(rank(of: typed, inKeyword: keyword), words[1])
        }
        return best.map {
            (
                $0.rank,
                Named(emoji: String(decoding: emoji, as: UTF8.self), name: String(decoding: $0.name, as: UTF8.self))
            )
        }
    }

    /// The name is the typed text (without regard to underscores), begins with it, has a word that begins with it, or contains
    /// it.
    private static func rank(of typed: [UInt8], inName name: Bytes) -> Int? {
        if isSame(typed, name) { return 0 }
        if name.starts(with: typed) { return 1 }
        return beginsWord(typed, of: name) ? 3 : contains(typed, name) ? 5 : nil
    }

    private static func rank(of typed: [UInt8], inKeyword keyword: Bytes) -> Int? {
        if isSame(typed, keyword) { return 2 }
        return keyword.starts(with: typed) || beginsWord(typed, of: keyword) ? 4 : contains(typed, keyword) ? 6 : nil
    }

    private static func isSame(_ typed: [UInt8], _ name: Bytes) -> Bool {
        name.count >= typed.count - typed.count(where: { $0 == underscore })
            && typed.lazy.filter { $0 != underscore }.elementsEqual(name.lazy.filter { $0 != underscore })
    }

    private static func beginsWord(_ typed: [UInt8], of name: Bytes) -> Bool {
        name.indices.contains { name[$0] == underscore && name[$0...].dropFirst().starts(with: typed) }
    }

    private static func contains(_ typed: [UInt8], _ name: Bytes) -> Bool {
        name.indices.contains { name[$0...].starts(with: typed) }
    }
}
