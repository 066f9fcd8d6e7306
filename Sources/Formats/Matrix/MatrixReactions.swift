/// Counts of reactions that a server added to an event. Old servers did; nobody is named.
enum MatrixReactions {
    static func bundled(_ event: MatrixEvent) -> [ForeignReaction] {
        guard let chunk = event.value["unsigned"]?["m.relations"]?["m.annotation"]?["chunk"] else { return [] }
        return chunk.elements.compactMap { item in
            guard let emoji = item["key"]?.string, !emoji.isEmpty, let count = item["count"]?.integer, count > 0 else {
                return nil
            }
            return ForeignReaction(emoji: emoji, count: Int(clamping: count))
        }
    }
}
