package import Search

/// Which messages are looked for.
package struct SearchRequest: Hashable, Sendable {
    package let query: ResolvedQuery
    /// Nil for all conversations. This and the following narrow what the query itself asks for.
    package var conversation: ConversationID?
    /// Who wrote: an ID, or a name or adjacent words of it, in whatever case. Who has no name is named by the ID.
    package var sender: String?
    /// Messages of this moment and later.
    package var since: Timestamp?
    /// Messages before this moment.
    package var until: Timestamp?
    /// The newest hits, at most so many; nil for all.
    package var limit: Int?
    /// Whether the hits beyond the limit are counted.
    package var countsAll = false
    /// Bytes of a text that a hit gives, around the first place in it; nil for all. Such a text is a piece: it need not hold
    /// all words.
    package var textLimit: Int?

    /// - Parameter query: its dates are not read, and count for nothing.
    package init(
        _ query: Query, in conversation: ConversationID? = nil, from sender: String? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil, limit: Int? = nil
    ) {
        self.init(
            ResolvedQuery(query), in: conversation, from: sender, since: since, until: until, limit: limit)
    }

    package init(
        _ query: ResolvedQuery, in conversation: ConversationID? = nil, from sender: String? = nil,
        since: Timestamp? = nil,
        until: Timestamp? = nil, limit: Int? = nil
    ) {
        self.query = query
        self.conversation = conversation
        self.sender = sender
        self.since = since
        self.until = until
        self.limit = limit
    }

    /// When a message must have been written, by the query and by `since` and `until`.
    package var times: QueryTimes { query.times.intersected(since: since, until: until) }
}

/// A message that was looked for, as it is now.
package struct Hit: Identifiable, Hashable, Sendable {
    package let conversation: ConversationID
    package let message: MessageID
    package let at: Timestamp
    package let sender: Person?
    package let text: String

    /// The link to it.
    package var id: Link { Link(conversation: conversation, message: message) }

    package init(conversation: ConversationID, message: MessageID, at: Timestamp, sender: Person?, text: String) {
        self.conversation = conversation
        self.message = message
        self.at = at
        self.sender = sender
        self.text = text
    }
}

/// Some hits, newest first, all of them older than those of the batch before: in the order of the log within a
/// conversation, by time between conversations. May be empty: it then only tells how far the search is.
package struct SearchBatch: Hashable, Sendable {
    package let hits: [Hit]
    /// How many hits beyond the limit were counted, besides those of earlier batches.
    package let more: [ConversationID: Int]
    /// The share of what is to be looked through that has been, 0 to 1.
    package let progress: Double

    package init(hits: [Hit], more: [ConversationID: Int] = [:], progress: Double) {
        self.hits = hits
        self.more = more
        self.progress = progress
    }
}

/// Where a hit stands in the main timeline of its conversation.
package struct HitPlace: Hashable, Comparable, Sendable {
    /// Messages of the main timeline before it.
    package let order: Int
    /// The index at which it is shown: its own, or for a reply in a thread that of the thread's root.
    package let index: Int
    /// Whether it is a reply in a thread, which the main timeline does not show.
    package let isReply: Bool

    package init(order: Int, index: Int, isReply: Bool = false) {
        self.order = order
        self.index = index
        self.isReply = isReply
    }

    /// In the order of the log, but for replies with the same message behind them, of which none comes first.
    package static func < (a: HitPlace, b: HitPlace) -> Bool {
        (a.order, a.isReply ? 0 : 1) < (b.order, b.isReply ? 0 : 1)
    }
}

/// Some places of hits, newest first, all of them before those of the batch before.
package struct PlaceBatch: Hashable, Sendable {
    package let places: [HitPlace]
    /// As in `SearchBatch`.
    package let progress: Double

    package init(places: [HitPlace], progress: Double) {
        self.places = places
        self.progress = progress
    }
}
