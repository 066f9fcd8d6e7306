/// A place between two messages of a conversation. Opaque: only the store that made it can read it.
package struct Cursor: Hashable, Sendable {
    package let token: String

    package init(token: String) { self.token = token }
}

/// A contiguous slice of the main timeline or of the replies in a thread, oldest first, with its neighbours.
package struct Page: Hashable, Sendable {
    package let messages: [Message]
    /// The root of the thread; nil for the main timeline, and for a root that does not exist.
    package let root: Message?
    package var older: Edge
    package var newer: Edge
    /// The requested message, or the first one at or after the requested date; for a thread reply, its root.
    package let focus: MessageID?
    /// The thread of the requested message, if that is a reply that the main timeline does not show.
    package let thread: MessageID?
    /// The place of the first message in the main timeline or the thread; nil when the store does not know it yet.
    package let place: Place?
    /// The end of the conversation when the page was read: later changes are not in the page. Nil when the store does
    /// not say.
    package let asOf: Cursor?
    /// The first message of the main timeline that another person has written since `PageRequest.since`, in the page or
    /// not.
    package let firstUnread: MessageID?
    /// The replies that wait in the threads of the whole conversation; nil when the request has no `since`.
    package let threads: ThreadMarks?

    /// One side of a page.
    package enum Edge: Hashable, Sendable {
        /// The conversation begins or ends here.
        case end
        /// There are more messages, which the cursor requests. The neighbour is the message next to the page.
        case more(Cursor, Neighbour)
        /// Messages are missing here. The cursor requests those that have come since.
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

/// A place in a conversation where messages are missing: a server has them, and they have not been fetched.
package struct Gap: Identifiable, Hashable, Sendable {
    /// Names the gap. Only the store that made it can read it. It changes when a part of the gap is filled from this side.
    package let id: GapID
    /// The first message beyond it; nil if there is none.
    package let neighbour: Neighbour?
    /// Whether a request from this edge may bring what is missing: it then takes as long as the server does.
    package var isFillable = false

    package init(id: GapID, neighbour: Neighbour?) {
        self.id = id
        self.neighbour = neighbour
    }
}

/// Goes through all pages of a conversation in one direction, and across its gaps.
package struct PageWalk: Sendable {
    /// Two islands may hold the same message, and a page around it is then of one of them.
    private var passed: Set<GapID> = []

    package init() {}

    /// The next page after one with this edge, and the message with which it begins, or ends; nil at the end.
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

/// The parts of the message next to a page that decide on day headers and grouping before that message is loaded.
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

/// The place of a message in the whole main timeline of its conversation, or in its whole thread.
package struct Place: Hashable, Sendable {
    /// 0 for the first message.
    package let index: Int
    /// Messages of the main timeline, or replies in the thread.
    package let total: Int
    /// Whether messages are missing in the conversation, so that both numbers may be too small.
    package let isPartial: Bool

    package init(index: Int, total: Int, isPartial: Bool = false) {
        self.index = index
        self.total = total
        self.isPartial = isPartial
    }

    package func isPartial(_ isPartial: Bool) -> Place { Place(index: index, total: total, isPartial: isPartial) }
}
