import Testing

@testable import Emoji

/// Emoji are found by the names that people type.
struct EmojiNamesTests {
    @Test(arguments: [
        ("+1", "👍"), ("-1", "👎"), ("thumbs_up", "👍"), ("thumbs up", "👍"), ("Thumbsup", "👍"), ("heart", "❤️"),
        ("smile", "😄"), ("joy", "😂"), ("face_with_tears_of_joy", "😂"), ("laugh", "😆"), ("rofl", "🤣"), ("tada", "🎉"),
        ("fire", "🔥"), ("100", "💯"), ("eyes", "👀"), ("pray", "🙏"), ("thanks", "🙏"), ("clap", "👏"), ("wave", "👋"),
        ("check", "✅"), ("thinking", "🤔"), ("shrug", "🤷"), ("cry", "😢"), ("sob", "😭"), ("rocket", "🚀"), ("bug", "🐛"),
        ("bulb", "💡"), ("warning", "⚠️"), ("star", "⭐"), ("sparkles", "✨"), ("heart_eyes", "😍"), ("sweat_smile", "😅"),
        ("coffee", "☕"), ("facepalm", "🤦"), ("flag_germany", "🇩🇪"), ("cote_divoire", "🇨🇮"), ("woman_facepalming", "🤦‍♀️"),
        ("keycap_asterisk", "*️⃣"), ("pinata", "🪅"),
    ])
    func `The first emoji for a name is the one that people mean`(typed: String, emoji: String) {
        #expect(EmojiNames.matching(typed, limit: 3).first?.emoji == emoji)
    }

    @Test func `A name comes before names that begin so, and those before names with such a word`() {
        let names = EmojiNames.matching("heart", limit: 200).map(\.name)
        let places = ["heart", "heart_with_arrow", "smiling_face_with_hearts"].compactMap(names.firstIndex)
        #expect(places.count == 3 && places == places.sorted())
    }

    @Test func `A keyword leads to the first name of its emoji`() {
        let found = EmojiNames.matching("celebration", limit: 5)
        #expect(found.contains(EmojiNames.Named(emoji: "🎉", name: "party_popper")))
    }

    @Test(arguments: ["a", "_", "e", "zzzz", "❤️", "|", "🎉 "])
    func `Each emoji is found once, and no more of them than were asked for`(typed: String) {
        let found = EmojiNames.matching(typed, limit: 50)
        #expect(found.count <= 50 && Set(found.map(\.emoji)).count == found.count)
    }

    @Test func `The table has each emoji once, with names that can be typed`() {
        let lines = EmojiTable.text.split(separator: "\n")
        let emoji = lines.map { $0.prefix { $0 != " " } }
        #expect(lines.count > 1_500 && Set(emoji).count == lines.count)
        let bad = lines.filter { line in
            line.wholeMatch(of: /[^ |]+( [a-z0-9_+\-]+)+(\|[a-z0-9_]+( [a-z0-9_]+)*)?/) == nil
        }
        #expect(bad.isEmpty)
    }

    @Test func `The usual emoji have the names of the table`() {
        for usual in EmojiNames.usual {
            #expect(EmojiTable.text.contains("\(usual.emoji) \(usual.name)"))
        }
        #expect(EmojiNames.matching("", limit: 3) == Array(EmojiNames.usual.prefix(3)))
    }
}
