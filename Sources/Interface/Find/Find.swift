import Display
import Messages
import Search
import Timeline

/// A search in the conversation: its words, and the places of all hits.
struct Find: Hashable, Sendable {

    /// A step that waits until its hit is known.
    enum Wanted: Hashable, Sendable {
        /// The hit nearest to where the search began.
        case nearest
        case step(FindDirection)
    }

    var field = TextField()
    var query = ResolvedQuery(Query(""))
    /// The direction of `n`.
    var direction: FindDirection
    /// The screen that Esc restores; nil when the words came from another search.
    var origin: ScreenPlace?
    /// The index of the message where the search began.
    var originIndex: Int?
    /// The reply where the search began; nil in the main timeline.
    var start: ReplyPlace?
    /// The messages that the user had folded (true) or unfolded when the search began.
    let formerFolds: [MessageID: Bool]
    /// The ID of the last collection of places.
    var epoch = 0
    var isCollecting = false
    var recount: Recount?
    /// True if messages have changed since the hits were collected, so that hits are missing or outdated.
    var isStale = false
    /// True if Enter has made the last word a prefix: it stands for all words that begin with it.
    var isOpened = false
    /// The earlier search whose words are in the field; nil for words that were typed.
    var recalled: Recalled?

    struct Recalled: Hashable, Sendable {
        /// The index in the history.
        let index: Int
        /// The words that ↓ brings back in the end.
        let typed: String
    }
    /// True if the words come from a search in another conversation. Then no notice says that this one has no match.
    var isCarried = false
    /// True if the search comes from a search everywhere with hits in several conversations. A step past the last hit then
    /// continues in the next conversation.
    var isEverywhere = false
    var places = HitPlaces()
    var isComplete = false
    var progress = 0.0
    var retries = Retries()
    /// The reply that the last step showed in its thread.
    var reply: MessageID?
    /// The hit of the last step, and the screen that showed it.
    var current: FindHit?
    var landing: ScreenPlace?
    /// True if the place where the steps began is in the history of jumps.
    var isInHistory = false
    /// Pending steps, in order.
    var wanted: [Wanted] = []

    init(
        towards direction: FindDirection, origin: ScreenPlace?, originIndex: Int?, formerFolds: [MessageID: Bool] = [:]
    ) {
        self.direction = direction
        self.formerFolds = formerFolds
        self.origin = origin
        self.originIndex = originIndex
    }

    /// A second collection of places. Those of the first stay in use meanwhile.
    struct Recount: Hashable, Sendable {
        enum Cause: Hashable, Sendable {
            /// Enter has completed the typed words. The new hits replace the others as soon as the first one is found.
            case completion
            /// Messages have come or changed. The new places replace the others when all are known.
            case changes
        }

        let cause: Cause
        let query: ResolvedQuery
        let epoch: Int
        var places = HitPlaces()
    }

    /// Replaces the places by those of the second collection.
    mutating func takeRecount() {
        guard let recount else { return }
        (query, epoch, places) = (recount.query, recount.epoch, recount.places)
        (isComplete, progress) = (false, 0)
        self.recount = nil
    }

    mutating func forgetPlaces() {
        takeRecount()
        isCollecting = false
        isStale = false
        places = HitPlaces()
        isComplete = false
        progress = 0
        retries = Retries()
        current = nil
        landing = nil
        reply = nil
        wanted = []
    }

    /// A hit in a thread, in the form for a request.
    func reply(of hit: FindHit) -> ListRequest.Reply? {
        guard hit.place.isReply, let ordinal = ordinal(of: hit) else { return nil }
        return ListRequest.Reply(query: query, newer: places.newerReplies(than: ordinal))
    }

    /// `hit 3 of 128`, or the number of hits when the cursor is on none of them.
    func standing(isAtHit: Bool) -> String {
        query.standing(counted(isAtHit: isAtHit), findsNothing: isComplete && places.count == 0)
    }

    private func counted(isAtHit: Bool) -> String {
        if query.isEmpty { return "" }
        if let reason = retries.reason {
            return ["search failed: \(reason)", retries.words].filter { !$0.isEmpty }.joined(separator: " · ")
        }
        guard isComplete else {
            let percent = "searching… \(Int(progress * 100))%"
            return places.count == 0 ? percent : "\(places.count.grouped) hits so far, " + percent
        }
        let total = places.count.grouped
        if isAtHit, let ordinal = currentOrdinal {
            let inner = current?.inner.map { " · match \($0.number.grouped) in it" } ?? ""
            return "hit \((places.count - ordinal.value).grouped) of \(total)\(inner)"
        }
        return places.count == 0 ? "no match" : places.count == 1 ? "1 hit" : "\(total) hits"
    }
}

extension ResolvedQuery {
    /// The number of hits, or the first error in the query; and the filter that may be meant.
    func standing(_ hits: String, findsNothing: Bool) -> String {
        if let fault = query.fault { return fault.brief }
        let hits = [hits, advice(findsNothing: findsNothing)?.description ?? ""].filter { !$0.isEmpty }
            .joined(separator: " · ")
        guard let date = unresolved.first else { return hits }
        let name = date.description
        return "\(name.count > 24 ? name.prefix(24) + "…" : name[...]): not a date yet"
            + (hits.isEmpty ? "" : " · \(hits)")
    }
}

extension Find {
    /// The result of a lookup among the collected hits.
    enum Lookup: Hashable {
        case found(HitOrdinal)
        /// No hit in that direction.
        case none
        /// The hits in that direction are not collected yet.
        case unknown
    }

    var currentOrdinal: HitOrdinal? { current.flatMap(ordinal) }

    /// The ordinal of a hit among the collected ones, even if it was found in an earlier collection.
    func ordinal(of hit: FindHit) -> HitOrdinal? {
        if let ordinal = hit.ordinal, places.contains(ordinal), places[ordinal] == hit.place { return ordinal }
        return places.ordinal(of: hit.place)
    }

    /// The next hit after a collected one.
    func next(_ direction: FindDirection, fromOrdinal ordinal: HitOrdinal) -> Lookup {
        let next = ordinal.next(direction)
        return places.contains(next) ? .found(next) : direction == .newer || isComplete ? .none : .unknown
    }

    /// The next hit from a message of the main timeline. With `including`, a hit at that message counts.
    func next(_ direction: FindDirection, from index: Int, including: Bool = false) -> Lookup {
        let here = HitPlace(order: index, index: index)
        switch direction {
        case .older:
            let ordinal = including ? places.firstOrdinal(notAfter: here) : places.firstOrdinal(before: here)
            return places.contains(ordinal) ? .found(ordinal) : isComplete ? .none : .unknown
        case .newer:
            guard isComplete || places.last.map({ $0 < here }) ?? false else { return .unknown }
            let end = including ? places.firstOrdinal(before: here) : places.firstOrdinal(notAfter: here)
            let ordinal = end.next(.newer)
            return places.contains(ordinal) ? .found(ordinal) : .none
        }
    }

    /// The hit at the other end, where the search continues after the last hit.
    func wrapped(_ direction: FindDirection) -> HitOrdinal? {
        guard isComplete, let oldest = places.oldest else { return nil }
        return direction == .older ? .newest : oldest
    }

    /// The hit nearest to the message where the search began: in the direction of the search, else in the other. That message
    /// counts too. From a reply, the hits of its thread come before others in the direction of the search; the thread stands at
    /// the place of its root.
    func nearest(from index: Int) -> Lookup {
        guard let start else {
            let ahead = next(direction, from: index, including: true)
            return ahead == .none ? next(direction.opposite, from: index) : ahead
        }
        guard isComplete else { return .unknown }
        if let own = ordinal(at: start, toThe: nil) ?? ordinal(at: start, toThe: direction) { return .found(own) }
        if let behind = ordinal(at: start, toThe: direction.opposite) {
            let ahead = next(direction, fromOrdinal: behind)
            return ahead == .none ? .found(behind) : ahead
        }
        let ahead = next(direction, from: index, including: direction == .older)
        return ahead == .none ? next(direction.opposite, from: index, including: direction == .newer) : ahead
    }

    /// The hit at a reply, or the next hit in the same thread, once all hits are known.
    /// - Parameter direction: the direction of the next hit; nil for the reply itself.
    func ordinal(at place: ReplyPlace?, toThe direction: FindDirection?) -> HitOrdinal? {
        guard isComplete, let place, let reply = place.replies.first else { return nil }
        let isHit = query.accepts(reply)
        let newer = place.replies.dropFirst().count { query.accepts($0) }
        switch direction {
        case nil: return isHit ? places.ordinal(ofReplyTo: place.root, newer: newer) : nil
        case .older: return places.ordinal(ofReplyTo: place.root, newer: newer + (isHit ? 1 : 0))
        case .newer: return newer > 0 ? places.ordinal(ofReplyTo: place.root, newer: newer - 1) : nil
        }
    }
}

/// A reply, as the place from which the other hits of its thread are counted: the search knows only how many hits a thread has.
struct ReplyPlace: Hashable, Sendable {
    /// The index of the root in the conversation.
    let root: Int
    /// The reply and all later ones.
    let replies: [Message]

    /// Nil while the place of the root or the end of the thread is not known.
    init?(_ reply: Int?, in thread: Pane, of main: Pane) {
        guard let reply, !thread.timeline.hasNewer, let item = thread.thread.flatMap(main.timeline.list.index),
            let root = main.timeline.position(of: item)
        else { return nil }
        self.root = root
        replies = (reply..<thread.timeline.count).map { thread.timeline.list[$0].message }
    }
}

extension Pane {
    /// The reply under the cursor of a thread, unless the cursor is on the root.
    var selectedReply: Int? { isRootSelected ? nil : timeline.selectedIndex }
}
