package import Search

/// The messages to search for.
package struct SearchRequest: Hashable, Sendable {
    package var query: ResolvedQuery
    /// Nil for all conversations. This and the next three properties narrow the query.
    package var conversation: ConversationID?
    /// The sender: an ID, or a name or adjacent words of it, in any case. A person without a name has the ID as name.
    package var sender: QueryName?
    /// Only messages of this moment and later.
    package var since: Timestamp?
    /// Only messages before this moment.
    package var until: Timestamp?
    /// The largest number of hits to return, the newest first; nil for all.
    package var limit: Int?
    /// True to also count the hits beyond the limit.
    package var countsAll = false
    /// The largest text of a hit, in bytes. A longer text is cut to a part around the first match, which may not contain all
    /// words. Nil for whole texts.
    package var textLimit: Int?

    /// - Parameter query: its dates are ignored.
    package init(
        _ query: Query, in conversation: ConversationID? = nil, from sender: QueryName? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil, limit: Int? = nil
    ) {
        self.init(
            ResolvedQuery(query), in: conversation, from: sender, since: since, until: until, limit: limit)
    }

    package init(
        _ query: ResolvedQuery, in conversation: ConversationID? = nil, from sender: QueryName? = nil,
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

    /// The times that the query, `since` and `until` accept.
    package var times: QueryTimes { query.times.intersected(since: since, until: until) }
}

/// A message that a search has found, in its current form.
package struct Hit: Identifiable, Hashable, Sendable {
    package let conversation: ConversationID
    package let message: MessageID
    package let at: Timestamp
    package let sender: Person?
    package let text: String
    /// The names of the attached files.
    package let files: [String]
    /// True if only the server has the message. It is fetched when it is opened.
    package let isElsewhere: Bool

    /// The link to the message.
    package var id: Link { Link(conversation: conversation, message: message) }

    package init(
        conversation: ConversationID, message: MessageID, at: Timestamp, sender: Person?, text: String,
        files: [String] = [], isElsewhere: Bool = false
    ) {
        self.conversation = conversation
        self.message = message
        self.at = at
        self.sender = sender
        self.text = text
        self.files = files
        self.isElsewhere = isElsewhere
    }
}

/// Hits of a search, newest first, all older than the hits of the batch before: in log order within a conversation, by time
/// between conversations. Hits that only the server has come last. A batch without hits reports progress.
package struct SearchBatch: Hashable, Sendable {
    package let hits: [Hit]
    /// The number of hits beyond the limit that were counted since the batch before, by conversation.
    package let more: [ConversationID: Int]
    /// The finished share of the search, 0 to 1.
    package let progress: Double

    package init(hits: [Hit], more: [ConversationID: Int] = [:], progress: Double) {
        self.hits = hits
        self.more = more
        self.progress = progress
    }
}

/// The place of a hit in the main timeline of its conversation.
package struct HitPlace: Hashable, Comparable, Sendable {
    /// The number of messages before it in the main timeline.
    package let order: Int
    /// The index at which the timeline shows it: its own index, or the index of its root for a thread reply.
    package let index: Int
    /// True if it is a thread reply that only the thread shows.
    package let isReply: Bool

    package init(order: Int, index: Int, isReply: Bool = false) {
        self.order = order
        self.index = index
        self.isReply = isReply
    }

    /// Log order. Thread replies between the same two main messages have no order.
    package static func < (a: HitPlace, b: HitPlace) -> Bool {
        (a.order, a.isReply ? 0 : 1) < (b.order, b.isReply ? 0 : 1)
    }
}

/// Places of hits, newest first, all older than those of the batch before.
package struct PlaceBatch: Hashable, Sendable {
    package let places: [HitPlace]
    /// As in `SearchBatch`.
    package let progress: Double

    package init(places: [HitPlace], progress: Double) {
        self.places = places
        self.progress = progress
    }
}

extension PageRequest.Position {
    /// The position in a text such as `50%`: a share of the conversation, from 0 to 100. Nil for any other text.
    package init?(percentage text: String) {
        let text = text.filter { $0 != " " }
        let digits = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard text.last == "%", text.utf8.count <= 12,
            digits.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }),
            let percent = Double(text.dropLast()), percent <= 100
        else { return nil }
        self = percent == 0 ? .earliest : percent == 100 ? .latest : .share(percent / 100)
    }
}
