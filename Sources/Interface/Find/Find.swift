import Display
import Messages
import Search

/// A search in the conversation: its words, and the places of all hits.
struct Find: Hashable, Sendable {
    enum Direction: Hashable, Sendable {
        case older, newer

        var opposite: Direction { self == .older ? .newer : .older }
    }

    /// Where to go as soon as it is known which hit that is.
    enum Wanted: Hashable, Sendable {
        /// The hit nearest to where the search began.
        case nearest
        case step(Direction)
    }

    /// A hit, and which one it is of those that were collected when it was found; unknown before it was.
    struct Hit: Hashable, Sendable {
        let place: HitPlace
        var ordinal: Int?
        /// Whether one came to it round the end.
        var isWrapped = false
    }

    var field = TextField()
    var query = ResolvedQuery(Query(""))
    /// Where `n` leads.
    var direction: Direction
    /// The screen that Esc brings back; nil when the words came from elsewhere.
    var origin: ScreenPlace?
    /// The index in the conversation of the message that the search began at.
    var originIndex: Int?
    /// The messages that were folded and unfolded then.
    let formerFolds: [MessageID: Bool]
    /// Names the collecting of places under way.
    var epoch = 0
    var isCollecting = false
    var completion: Completion?
    /// Whether it came along from elsewhere: that it finds nothing here is no news then.
    var isCarried = false
    var places = HitPlaces()
    var isComplete = false
    var progress = 0.0
    var failure: String?
    /// The hit that the last step led to, and the screen that it gave.
    var current: Hit?
    var landing: ScreenPlace?
    /// Whether the way back leads to where the steps from hit to hit started.
    var isInHistory = false
    /// The steps that were asked for and are not done yet, in order.
    var wanted: [Wanted] = []

    init(
        towards direction: Direction, origin: ScreenPlace?, originIndex: Int?, formerFolds: [MessageID: Bool] = [:]
    ) {
        self.direction = direction
        self.formerFolds = formerFolds
        self.origin = origin
        self.originIndex = originIndex
    }

    /// The same words, complete, while their hits are collected. Until it is known that there are some, those of the
    /// words as they were typed stay.
    struct Completion: Hashable, Sendable {
        let query: ResolvedQuery
        let epoch: Int
        var places = HitPlaces()
    }

    /// Takes the complete words in place of those that were typed.
    mutating func complete() {
        guard let completion else { return }
        (query, epoch, places) = (completion.query, completion.epoch, completion.places)
        (isComplete, progress, failure) = (false, 0, nil)
        self.completion = nil
    }

    mutating func forgetPlaces() {
        complete()
        isCollecting = false
        places = HitPlaces()
        isComplete = false
        progress = 0
        failure = nil
        current = nil
        landing = nil
        wanted = []
    }

    /// `hit 3 of 128`, or how many there are when the cursor is on none of them.
    func standing(isAtHit: Bool) -> String {
        query.standing(counted(isAtHit: isAtHit))
    }

    private func counted(isAtHit: Bool) -> String {
        if query.isEmpty { return "" }
        if let failure { return "search failed: \(failure)" }
        guard isComplete else {
            let percent = "searching… \(Int(progress * 100))%"
            return places.count == 0 ? percent : "\(places.count.grouped) hits so far, " + percent
        }
        let total = places.count.grouped
        if isAtHit, let ordinal = currentOrdinal {
            return "hit \((places.count - ordinal).grouped) of \(total)"
        }
        return places.count == 0 ? "no hits" : places.count == 1 ? "1 hit" : "\(total) hits"
    }
}

extension ResolvedQuery {
    /// The number of hits in words, after the first date that means nothing so far.
    func standing(_ hits: String) -> String {
        if let excess = query.excess { return excess.brief }
        guard let date = unread.first else { return hits }
        let name = date.description
        return "\(name.count > 24 ? name.prefix(24) + "…" : name[...]): no date yet"
            + (hits.isEmpty ? "" : " · \(hits)")
    }
}

extension Find {
    /// The number of a hit among those collected, as far as it is known.
    enum Lookup: Hashable {
        case found(Int)
        /// There is none that way.
        case none
        /// Not looked through yet.
        case unknown
    }

    var currentOrdinal: Int? { current.flatMap(ordinal) }

    /// Which one of those collected a hit is. It may have been found before they were collected anew.
    func ordinal(of hit: Hit) -> Int? {
        if let ordinal = hit.ordinal, ordinal < places.count, places[ordinal] == hit.place { return ordinal }
        return places.ordinal(of: hit.place)
    }

    /// The next hit from one of those collected.
    func next(_ direction: Direction, fromOrdinal ordinal: Int) -> Lookup {
        if direction == .newer { return ordinal > 0 ? .found(ordinal - 1) : .none }
        return ordinal + 1 < places.count ? .found(ordinal + 1) : isComplete ? .none : .unknown
    }

    /// The next hit from a message of the main timeline, itself only counted when that is asked for.
    func next(_ direction: Direction, from index: Int, including: Bool = false) -> Lookup {
        let here = HitPlace(order: index, index: index)
        switch direction {
        case .older:
            let ordinal = including ? places.firstOrdinal(notAfter: here) : places.firstOrdinal(before: here)
            return ordinal < places.count ? .found(ordinal) : isComplete ? .none : .unknown
        case .newer:
            guard isComplete || places.last.map({ $0 < here }) ?? false else { return .unknown }
            let ordinal = (including ? places.firstOrdinal(before: here) : places.firstOrdinal(notAfter: here)) - 1
            return ordinal >= 0 ? .found(ordinal) : .none
        }
    }

    /// The hit at which going on that way ends up after the last one.
    func wrapped(_ direction: Direction) -> Int? {
        guard isComplete, places.count > 0 else { return nil }
        return direction == .older ? 0 : places.count - 1
    }

    /// The hit that is nearest to where the search began: that way, or else the other way. The message that one stands on
    /// counts as well.
    func nearest(from index: Int) -> Lookup {
        let ahead = next(direction, from: index, including: true)
        return ahead == .none ? next(direction.opposite, from: index) : ahead
    }
}
