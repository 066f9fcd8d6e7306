/// Collects the conversations of an archive, and gives each an ID that is good to type and stays the same from one export to the next.
struct ConversationList {
    private var entries: [(title: String, place: String, conversation: (String) -> ForeignConversation)] = []

    /// - Parameters:
    ///   - place: what tells conversations of one title apart: their folder, or the service's own ID.
    ///   - make: makes the conversation with the ID that it gets.
    mutating func add(
        title: String, place: String, aliases: [String] = [], members: [String] = [], topic: String? = nil,
        feeds: [Feed], order: ForeignConversation.Order = .sequence
    ) {
        entries.append(
            (
                title, place,
                { id in
                    ForeignConversation(
                        id: id, title: title == id || title.isEmpty ? nil : title, topic: topic, members: members,
                        aliases: aliases.filter { !$0.isEmpty && $0 != id }, feeds: feeds, order: order)
                }
            ))
    }

    /// The conversations in the order in which they were added.
    var conversations: [ForeignConversation] {
        let slugs = entries.map { Slug.of($0.title) }.map { $0.isEmpty ? "chat" : $0 }
        let uses = Dictionary(slugs.map { ($0, 1) }, uniquingKeysWith: +)
        var ids = UniqueIDs()
        return zip(entries, slugs).map { entry, slug in
            let place = uses[slug] == 1 ? "" : Slug.of(entry.place)
            return entry.conversation(ids.take(place.isEmpty ? slug : slug + "-" + place))
        }
    }
}
