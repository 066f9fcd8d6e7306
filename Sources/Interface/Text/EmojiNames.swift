/// Emoji by their names: the English ones of Unicode, and the short ones that people type in chats.
enum EmojiNames {
    struct Named: Hashable, Sendable {
        let emoji: String
        let name: String
    }

    /// Names that are typed more often than those of Unicode.
    private static let aliases: [(String, String)] = [
        ("+1", "👍"), ("-1", "👎"), ("thumbsup", "👍"), ("thumbsdown", "👎"), ("heart", "❤️"), ("smile", "😄"),
        ("joy", "😂"), ("laugh", "😆"), ("rofl", "🤣"), ("tada", "🎉"), ("fire", "🔥"), ("100", "💯"), ("eyes", "👀"),
        ("pray", "🙏"), ("thanks", "🙏"), ("clap", "👏"), ("wave", "👋"), ("ok", "👌"), ("check", "✅"), ("cross", "❌"),
        ("think", "🤔"), ("shrug", "🤷"), ("cry", "😢"), ("sob", "😭"), ("rocket", "🚀"), ("bug", "🐛"), ("bulb", "💡"),
        ("warning", "⚠️"), ("star", "⭐"), ("sparkles", "✨"), ("wink", "😉"), ("grin", "😁"), ("sweat", "😅"),
        ("muscle", "💪"), ("coffee", "☕"), ("beer", "🍺"), ("cake", "🍰"), ("party", "🥳"), ("facepalm", "🤦"),
        ("question", "❓"), ("exclamation", "❗"), ("plus", "➕"), ("minus", "➖"), ("sun", "☀️"), ("moon", "🌙"),
    ]

    /// The emoji that are offered before anything is typed.
    static let usual = ["👍", "❤️", "😂", "🎉", "😢", "👀", "🙏", "🔥", "✅", "💯"]

    /// All of one scalar that are shown as emoji, by name.
    private static let all: [Named] = {
        let ranges: [ClosedRange<UInt32>] = [0x231A...0x2B55, 0x1F300...0x1FAFF]
        let named = ranges.joined().compactMap { value -> Named? in
            guard let scalar = Unicode.Scalar(value), scalar.properties.isEmojiPresentation,
                let name = scalar.properties.name
            else { return nil }
            return Named(emoji: String(scalar), name: name.lowercased().replacing(" ", with: "_"))
        }
        return aliases.map { Named(emoji: $0.1, name: $0.0) } + named
    }()

    /// Those whose names hold the typed text, the best first: it is the name, begins it, begins a word of it, stands in it.
    /// Each emoji once.
    static func matching(_ typed: String, limit: Int) -> [Named] {
        let typed = typed.lowercased().replacing(" ", with: "_")
        if typed.isEmpty {
            return usual.prefix(limit).map { emoji in
                Named(emoji: emoji, name: all.first { $0.emoji == emoji }?.name ?? "")
            }
        }
        var seen: Set<String> = []
        let ranked = all.enumerated().compactMap { place, named -> (rank: Int, place: Int, named: Named)? in
            if named.name == typed { return (0, place, named) }
            if named.name.hasPrefix(typed) { return (1, place, named) }
            if named.name.contains("_" + typed) { return (2, place, named) }
            return named.name.contains(typed) ? (3, place, named) : nil
        }
        return Array(
            ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.named)
                .filter { seen.insert($0.emoji).inserted }.prefix(limit))
    }
}
