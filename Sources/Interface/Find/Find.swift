import Algorithms
import Display
import Messages
import Search
import Timeline

/// A search in the conversation: its words, and the places of all hits.
struct Find: Hashable, Sendable {
    enum Direction: Hashable, Sendable {
        case older, newer

        var opposite: Direction { self == .older ? .newer : .older }
    }

    /// A step that waits until its hit is known.
    enum Wanted: Hashable, Sendable {
        /// The hit nearest to where the search began.
        case nearest
        case step(Direction)
    }

    /// A hit. Its number is known once it was collected.
    struct Hit: Hashable, Sendable {
        let place: HitPlace
        var ordinal: HitOrdinal?
        /// Whether the search went past the end and on from the other end.
        var isWrapped = false
        /// The direction of the step that led to it. A long message is entered at its near end.
        var direction = Direction.newer
        /// The match of a long message that the last step has shown.
        var inner: Inner?

        struct Inner: Hashable, Sendable {
            /// In the body.
            let place: Int
            /// 1 for the first match of the message.
            let number: Int
        }
    }

    var field = TextField()
    var query = ResolvedQuery(Query(""))
    /// The direction of `n`.
    var direction: Direction
    /// The screen that Esc brings back; nil when the words came from another search.
    var origin: ScreenPlace?
    /// The index of the message where the search began.
    var originIndex: Int?
    /// The messages that were folded or unfolded at that time.
    let formerFolds: [MessageID: Bool]
    /// Numbers the collections of places.
    var epoch = 0
    var isCollecting = false
    var recount: Recount?
    /// Whether messages have changed since the hits were collected, so that some are missing or too many.
    var isStale = false
    /// Whether Enter has made the last word stand for all words that begin so.
    var isOpened = false
    /// The earlier search whose words stand in the line; nil for words that were typed.
    var recalled: Recalled?

    struct Recalled: Hashable, Sendable {
        /// Of the history.
        let index: Int
        /// The words that ↓ brings back in the end.
        let typed: String
    }
    /// Whether the words come from another conversation. Then it is no news that they are not found here.
    var isCarried = false
    /// Whether it comes from a search everywhere that has hits in several conversations. A step past the last hit then goes on
    /// in the next conversation.
    var isEverywhere = false
    var places = HitPlaces()
    var isComplete = false
    var progress = 0.0
    var retries = Retries()
    /// The reply that the last step has shown in its thread.
    var reply: MessageID?
    /// The hit of the last step, and the screen that showed it.
    var current: Hit?
    var landing: ScreenPlace?
    /// Whether the place where the steps began is in the history of jumps.
    var isInHistory = false
    /// Steps that are not done yet, in order.
    var wanted: [Wanted] = []

    init(
        towards direction: Direction, origin: ScreenPlace?, originIndex: Int?, formerFolds: [MessageID: Bool] = [:]
    ) {
        self.direction = direction
        self.formerFolds = formerFolds
        self.origin = origin
        self.originIndex = originIndex
    }

    /// A second collection, while the places of the first stay.
    struct Recount: Hashable, Sendable {
        enum Cause: Hashable, Sendable {
            /// Enter has made complete words of those that were typed. Their hits take over as soon as there is one.
            case completion
            /// Messages have come or changed. The new places take over when all are known.
            case changes
        }

        let cause: Cause
        let query: ResolvedQuery
        let epoch: Int
        var places = HitPlaces()
    }

    /// Takes over the places of the second collection.
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

    /// The hit in its thread, for a request.
    func reply(of hit: Hit) -> ListRequest.Reply? {
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
    /// The text that counts the hits, or the first date in the query that cannot be read; and the filter that may be meant.
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
    /// The result of looking for a hit among the collected ones.
    enum Lookup: Hashable {
        case found(HitOrdinal)
        /// There is none in that direction.
        case none
        /// The hits in that direction are not collected yet.
        case unknown
    }

    var currentOrdinal: HitOrdinal? { current.flatMap(ordinal) }

    /// The number of a hit among the collected ones, even if it was found in an earlier collection.
    func ordinal(of hit: Hit) -> HitOrdinal? {
        if let ordinal = hit.ordinal, places.contains(ordinal), places[ordinal] == hit.place { return ordinal }
        return places.ordinal(of: hit.place)
    }

    /// The next hit after a collected one.
    func next(_ direction: Direction, fromOrdinal ordinal: HitOrdinal) -> Lookup {
        let next = ordinal.next(direction)
        return places.contains(next) ? .found(next) : direction == .newer || isComplete ? .none : .unknown
    }

    /// The next hit from a message of the main timeline. That message counts only if asked for.
    func next(_ direction: Direction, from index: Int, including: Bool = false) -> Lookup {
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

    /// The hit at the other end, where the search goes on after the last one.
    func wrapped(_ direction: Direction) -> HitOrdinal? {
        guard isComplete, let oldest = places.oldest else { return nil }
        return direction == .older ? .newest : oldest
    }

    /// The hit nearest to where the search began: in its direction, or else in the other. The message under the cursor counts.
    func nearest(from index: Int) -> Lookup {
        let ahead = next(direction, from: index, including: true)
        return ahead == .none ? next(direction.opposite, from: index) : ahead
    }
}

extension HitOrdinal {
    /// The ordinal beside this one; there may be no hit.
    func next(_ direction: Find.Direction) -> HitOrdinal { HitOrdinal(direction == .older ? value + 1 : value - 1) }
}

/// A wish of the search in the conversation that concerns more than the search.
enum FindWish: Sendable {
    case go(Find.Hit, leaving: ListRequest.Leaving)
    /// Shows again the screen from before the search.
    case restore(ScreenPlace)
    /// Shows another match of the selected message.
    case showMatch(Find.Hit.Inner)
    /// Opens the thread of a hit, at the hit.
    case showReply(ListRequest.Reply, of: Find.Hit)
    /// Does the next waiting step, if its hit is known.
    case goOn
    /// Goes on in the next conversation of the search everywhere.
    case goOnElsewhere(Find.Direction)
    /// Gives up a hit that is being loaded: the words have changed.
    case dropHit
    /// Gives up a place that is being loaded, unless it is a hit.
    case dropOthers
    /// Adds the place where the search began to the history of jumps.
    case leave(ScreenPlace)
    /// Makes a jump of the hit that is being loaded.
    case makeJump
    /// Says that nothing was found, as long as that is so.
    case tellOfNothing(String)
    /// Folds and unfolds messages as they were before the search.
    case folds([MessageID: Bool])
}

/// The rows of the scroll bar that have hits.
struct HitMarks: Hashable {
    private(set) var rows: Set<Int> = []

    /// Takes a few steps for each row, for any number of hits.
    /// - Parameters: rows of the column, and the number of messages.
    init(of places: HitPlaces, height: Int, total: Int) {
        guard height > 0, total > 0 else { return }
        var index = 0
        while let hit = places.firstShown(from: index), hit < total {
            let row = ScrollBar.row(of: hit, height: height, total: total)
            rows.insert(row)
            // The first message below that row.
            index = (hit + 1..<total).partitioningIndex { ScrollBar.row(of: $0, height: height, total: total) > row }
        }
    }
}

/// The place of a hit among the collected ones: 0 is the newest. It has a type of its own, so that it cannot be mistaken for the
/// index of a message in the conversation or in the loaded window.
struct HitOrdinal: Hashable, Comparable, Sendable {
    let value: Int

    init(_ value: Int) { self.value = value }

    static let newest = HitOrdinal(0)

    static func < (a: HitOrdinal, b: HitOrdinal) -> Bool { a.value < b.value }
}

/// Entry to the search in the conversation.
extension Model {
    var find: Find? { finding.find }

    mutating func inFind(_ body: (inout Finding, Context) -> [Outcome]) -> [Effect] {
        let context = context
        return carryOut(body(&finding, context))
    }

    mutating func openFind(towards direction: Find.Direction) {
        // The screen from before the last search may still be on its way back.
        var origin = placeToLeave
        leaveThread()
        if let pending, case .place(let place) = pending.destination, pending.isRestoring {
            origin = place
        } else {
            dropPending()
        }
        finding.open(towards: direction, origin: origin, in: context)
        panel = .find
    }

    /// n and N.
    mutating func step(again: Bool) -> [Effect] { carryOut(finding.step(again: again, in: context)) }
}
