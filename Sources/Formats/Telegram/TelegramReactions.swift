/// Reactions: counts, and the latest people. Channels name nobody.
enum TelegramReactions {
    static func write(_ value: JSONValue, to writer: inout RecordWriter) {
        var reactions: [ForeignReaction] = []
        for item in value.elements {
            guard let emoji = emoji(item) else { continue }
            var people: [String] = []
            for person in item["recent"].list {
                guard let id = person["from_id"]?.bytes, !id.isEmpty else { continue }
                writer.person(id, name: person["from"]?.bytes ?? .empty)
                if !people.contains(id.string) { people.append(id.string) }
            }
            let count = max(Int(clamping: item["count"]?.integer ?? 0), people.count)
            guard count > 0 else { continue }
            let reaction = ForeignReaction(emoji: emoji, count: count, people: people)
            add(reaction, to: &reactions)
        }
        writer.reactions(reactions)
    }

    /// Custom emoji without a name of their own count together.
    private static func add(_ reaction: ForeignReaction, to list: inout [ForeignReaction]) {
        guard let index = list.firstIndex(where: { $0.emoji == reaction.emoji }) else { return list.append(reaction) }
        let old = list[index]
        let (sum, isTooMuch) = old.count.addingReportingOverflow(reaction.count)
        list[index] = ForeignReaction(
            emoji: old.emoji, count: isTooMuch ? .max : sum,
            people: old.people + reaction.people.filter { !old.people.contains($0) })
    }

    private static func emoji(_ item: JSONValue) -> String? {
        switch item["type"]?.string {
        case "paid": "⭐"
        case "custom_emoji": custom(item["document_id"]?.string ?? "")
        default: item["emoji"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// `:sticker-62:` for `stickers/sticker (62).webp`: the export has no name for a custom emoji but that of its file.
    private static func custom(_ document: String) -> String {
        guard !TelegramMedia.isMissing(document) else { return ":custom-emoji:" }
        let name = document.split(separator: "/").last ?? ""
        let slug = Slug.of(String(name.prefix { $0 != "." }))
        return slug.isEmpty ? ":custom-emoji:" : ":\(slug):"
    }
}
