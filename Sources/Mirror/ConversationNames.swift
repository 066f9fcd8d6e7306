internal import Formats

/// Makes the IDs of conversations usable as names of folders.
enum ConversationNames {
    private static let longest = 120

    /// Conversations with IDs that are unique, short, and without anything that a path or a terminal would act on.
    static func unique(_ conversations: [ForeignConversation]) -> [ForeignConversation] {
        var ids = UniqueIDs()
        return conversations.map { conversation in
            let id = ids.take(clean(conversation.id))
            guard id != conversation.id else { return conversation }
            return ForeignConversation(
                id: id, title: conversation.title ?? conversation.id, topic: conversation.topic,
                members: conversation.members, aliases: conversation.aliases + [conversation.id],
                feeds: conversation.feeds, order: conversation.order)
        }
    }

    private static func clean(_ id: String) -> String {
        var name = ""
        for scalar in id.unicodeScalars {
            let isControl =
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            name.unicodeScalars.append(scalar == "/" || isControl ? "_" : scalar)
            if name.utf8.count >= longest { break }
        }
        // A combining mark after a dot makes another character of it, and the folder is hidden all the same.
        while name.unicodeScalars.first == "." { name.unicodeScalars.removeFirst() }
        return name.isEmpty ? "conversation" : name
    }
}
