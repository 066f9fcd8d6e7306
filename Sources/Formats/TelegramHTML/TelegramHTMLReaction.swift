/// A reaction, as bytes of the file.
struct TelegramHTMLReaction {
    var emoji: Bytes?
    var count: Bytes?
    var people: [Bytes] = []

    /// Reactions with counts. Where people are named for all of them, no count is written.
    static func list(_ reactions: [TelegramHTMLReaction], _ writer: inout RecordWriter) -> [ForeignReaction] {
        var list: [ForeignReaction] = []
        for reaction in reactions {
            guard let emoji = reaction.emoji.map(emoji), !emoji.isEmpty else { continue }
            var people: [String] = []
            for person in reaction.people {
                let name = HTMLEntity.decoded(person.trimmed)
                name.withUnsafeBytes { writer.person($0, name: $0) }
                let text = String(decoding: name, as: UTF8.self)
                if !text.isEmpty, !people.contains(text) { people.append(text) }
            }
            let count = max(reaction.count.flatMap { Int($0.trimmed.string) } ?? reaction.people.count, people.count)
            guard count > 0 else { continue }
            if let index = list.firstIndex(where: { $0.emoji == emoji }) {
                let old = list[index]
                list[index] = ForeignReaction(
                    emoji: emoji, count: old.count.addingReportingOverflow(count).partialValue,
                    people: old.people + people.filter { !old.people.contains($0) })
            } else {
                list.append(ForeignReaction(emoji: emoji, count: count, people: people))
            }
        }
        return list
    }

    /// A custom emoji is a link around a waving hand.
    private static func emoji(_ html: Bytes) -> String {
        html.contains(UInt8(ascii: "<"))
            ? ":custom-emoji:" : String(decoding: HTMLEntity.decoded(html.trimmed), as: UTF8.self)
    }
}
