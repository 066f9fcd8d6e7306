/// A conversation of an export, and where its records are.
package struct ForeignConversation: Hashable, Sendable {
    /// Unique in the archive, without "/", stable from one export to the next, and good to type: `general`.
    package let id: String
    /// The name for people; nil if it is the ID.
    package var title: String?
    package var topic: String?
    /// IDs of people.
    package var members: [String]
    /// Other IDs by which links name this conversation, such as `C024BE91L`.
    package var aliases: [String]
    /// In the order of the conversation (`sequence`).
    package var feeds: [Feed]
    package var order: Order

    package enum Order: Hashable, Sendable {
        /// The records of one feed after those of another, as they stand. Feeds are converted piece by piece, the last piece
        /// first, where the format can `cut` them, and the last feed may grow.
        case sequence
        /// By the keys of the records, from all feeds together; of records with one key that of the feed with the highest rank
        /// counts, and of one feed the last. For files that overlap, descend, or hold replies of each other.
        case byKey
    }

    package init(
        id: String, title: String? = nil, topic: String? = nil, members: [String] = [], aliases: [String] = [],
        feeds: [Feed] = [], order: Order = .sequence
    ) {
        self.id = id
        self.title = title
        self.topic = topic
        self.members = members
        self.aliases = aliases
        self.feeds = feeds
        self.order = order
    }
}
