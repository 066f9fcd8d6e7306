/// A contiguous slice of the main timeline or of the replies in a thread, oldest first, with its neighbours.
package struct Page: Hashable, Sendable {
    package let messages: [Message]
    /// The root of the thread; nil for the main timeline, and for a root that does not exist.
    package let root: Message?
    package var older: Edge
    package var newer: Edge
    /// The requested message, or the first one at or after the requested date. For a thread reply, it is the root.
    package let focus: MessageID?
    /// The thread of the requested message, if that is a reply that only the thread shows.
    package let thread: MessageID?
    /// The position of the first message in the main timeline or the thread; nil if the store does not know it yet.
    package let place: Place?
    /// The end of the conversation when the page was read: later changes are not in the page. Nil if the store does not know it.
    package let asOf: Cursor?
    /// The first message of the main timeline that another person wrote after `PageRequest.since`. It may be outside the page.
    package let firstUnread: MessageID?
    /// The unread thread replies of the whole conversation; nil if the request has no `since`.
    package let threads: ThreadMarks?

    /// One side of a page.
    package enum Edge: Hashable, Sendable {
        /// The conversation begins or ends here.
        case end
        /// There are more messages; the cursor requests them. The neighbour is the message next to the page.
        case more(Cursor, Neighbour)
        /// Messages are missing here. The cursor requests those that have been fetched since.
        case gap(Cursor, Gap)
    }

    package init(
        messages: [Message], root: Message? = nil, older: Edge, newer: Edge, focus: MessageID? = nil,
        thread: MessageID? = nil, place: Place? = nil, asOf: Cursor? = nil,
        firstUnread: MessageID? = nil, threads: ThreadMarks? = nil
    ) {
        self.messages = messages
        self.root = root
        self.older = older
        self.newer = newer
        self.focus = focus
        self.thread = thread
        self.place = place
        self.asOf = asOf
        self.firstUnread = firstUnread
        self.threads = threads
    }
}

/// A place in a conversation where messages are missing: a server has them, but they have not been fetched.
package struct Gap: Identifiable, Hashable, Sendable {
    /// Identifies the gap. Only its store can read the ID, which changes when a part of the gap is filled from this side.
    package let id: GapID
    /// The first message beyond the gap; nil if there is none.
    package let neighbour: Neighbour?
    /// True if a request from this edge may fetch the missing messages, which takes as long as the server does.
    package var isFillable = false

    package init(id: GapID, neighbour: Neighbour?) {
        self.id = id
        self.neighbour = neighbour
    }
}

/// Goes through all pages of a conversation in one direction, and across its gaps.
package struct PageWalk: Sendable {
    /// The gaps that were crossed. If the parts on both sides of a gap contain the same message, a page around it shows only one
    /// part.
    private var passed: Set<GapID> = []

    package init() {}

    /// The next page after an edge, and the message at which it begins or ends; nil at the end.
    package mutating func next(
        beyond edge: Page.Edge, isNewer: Bool = true
    ) -> (position: PageRequest.Position, neighbour: Neighbour)? {
        switch edge {
        case .end: return nil
        case .more(let cursor, let neighbour): return (isNewer ? .after(cursor) : .before(cursor), neighbour)
        case .gap(_, let gap):
            guard let neighbour = gap.neighbour, passed.insert(gap.id).inserted else { return nil }
            return (.message(neighbour.id), neighbour)
        }
    }
}

/// The facts about the message next to a page that decide on day headers and grouping before the message is loaded.
package struct Neighbour: Hashable, Sendable {
    package let id: MessageID
    package let at: Timestamp
    package let sender: PersonID?
    package let kind: Message.Kind

    package init(id: MessageID, at: Timestamp, sender: PersonID?, kind: Message.Kind) {
        self.id = id
        self.at = at
        self.sender = sender
        self.kind = kind
    }

    package init(_ message: Message) {
        self.init(id: message.id, at: message.at, sender: message.sender?.id, kind: message.kind)
    }
}

/// The position of a message in the main timeline of its conversation, or in its thread.
package struct Place: Hashable, Sendable {
    /// From 0, the first message.
    package let index: Int
    /// The number of messages in the main timeline, or of replies in the thread.
    package let total: Int
    /// True if the conversation has gaps, so that both numbers may be too small.
    package let isPartial: Bool

    package init(index: Int, total: Int, isPartial: Bool = false) {
        self.index = index
        self.total = total
        self.isPartial = isPartial
    }

    package func isPartial(_ isPartial: Bool) -> Place { Place(index: index, total: total, isPartial: isPartial) }
}
