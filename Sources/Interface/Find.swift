import Messages
import Search

/// A search in the conversation: what is looked for, and where all of it stands.
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
    /// The hit that one has been led to, and the screen that this gave.
    var current: Hit?
    var landing: ScreenPlace?
    /// Whether the way back leads to where the steps from hit to hit started.
    var isInHistory = false
    /// What was asked for and is not done yet, in order.
    var wanted: [Wanted] = []

    init(
        towards direction: Direction, origin: ScreenPlace?, originIndex: Int?, formerFolds: [MessageID: Bool] = [:]
    ) {
        self.direction = direction
        self.formerFolds = formerFolds
        self.origin = origin
        self.originIndex = originIndex
    }

    /// The same words, complete, while their hits are collected. Until it is known that there are some, those of the words as
    /// they were typed stay.
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

    /// `hit 3 of 128`, or how many there are when one is at none of them.
    func standing(isAtHit: Bool) -> String {
        query.standing(counted(isAtHit: isAtHit))
    }

    private func counted(isAtHit: Bool) -> String {
        if query.isEmpty { return "" }
        if let failure { return "search failed: \(failure)" }
        guard isComplete else {
            let percent = "searching… \(Int(progress * 100))%"
            return places.count == 0 ? percent : "\(TitleBar.grouped(places.count)) hits so far, " + percent
        }
        let total = TitleBar.grouped(places.count)
        if isAtHit, let ordinal = currentOrdinal {
            return "hit \(TitleBar.grouped(places.count - ordinal)) of \(total)"
        }
        return places.count == 0 ? "no hits" : places.count == 1 ? "1 hit" : "\(total) hits"
    }
}

/// The places of hits, newest first, in four bytes each and some more for replies: a word that everybody uses has hundreds
/// of thousands. Their ordinals stay what they are, since more come at the old end only.
struct HitPlaces: Hashable, Sendable {
    private static let replyMark: UInt32 = 1 << 31

    /// With a mark for replies.
    private var orders: [UInt32] = []
    /// The ordinals of replies, rising, and the indices at which those are shown.
    private var replies: [UInt32] = []
    private var replyIndices: [UInt32] = []
    /// A bit for each index of the conversation at which a hit is shown.
    private var shown: [UInt64] = []

    var count: Int { orders.count }
    var last: HitPlace? { count == 0 ? nil : self[count - 1] }

    subscript(ordinal: Int) -> HitPlace {
        let order = Int(orders[ordinal] & ~HitPlaces.replyMark)
        guard orders[ordinal] & HitPlaces.replyMark != 0 else { return HitPlace(order: order, index: order) }
        let number = HitPlaces.bisect(replies.count) { replies[$0] >= ordinal }
        return HitPlace(order: order, index: Int(replyIndices[number]), isReply: true)
    }

    mutating func append(_ places: [HitPlace]) {
        for place in places {
            let order = HitPlaces.clamped(place.order)
            if place.isReply {
                replies.append(UInt32(clamping: orders.count))
                replyIndices.append(HitPlaces.clamped(place.index))
                orders.append(order | HitPlaces.replyMark)
            } else {
                orders.append(order)
            }
            show(Int(HitPlaces.clamped(place.index)))
        }
    }

    private static func clamped(_ number: Int) -> UInt32 { min(UInt32(clamping: number), replyMark - 1) }

    private mutating func show(_ index: Int) {
        if index >> 6 >= shown.count { shown.append(contentsOf: repeatElement(0, count: index >> 6 + 1 - shown.count)) }
        shown[index >> 6] |= 1 << UInt64(index & 63)
    }

    /// The first index at which a hit is shown, from `index` on.
    func firstShown(from index: Int) -> Int? {
        let index = max(0, index)
        guard index >> 6 < shown.count else { return nil }
        let first = shown[index >> 6] & (~0 << UInt64(index & 63))
        if first != 0 { return index & ~63 + first.trailingZeroBitCount }
        guard let word = shown[(index >> 6 + 1)...].firstIndex(where: { $0 != 0 }) else { return nil }
        return word << 6 + shown[word].trailingZeroBitCount
    }

    /// The first ordinal whose place is before `place`, or `count`.
    func firstOrdinal(before place: HitPlace) -> Int { bisect { self[$0] < place } }

    /// The first ordinal whose place is not behind `place`, or `count`.
    func firstOrdinal(notAfter place: HitPlace) -> Int { bisect { !(place < self[$0]) } }

    /// The ordinal of a place; of replies at the same place the newest one's.
    func ordinal(of place: HitPlace) -> Int? {
        var ordinal = firstOrdinal(notAfter: place)
        while ordinal < count, self[ordinal].order == place.order {
            if self[ordinal] == place { return ordinal }
            ordinal += 1
        }
        return nil
    }

    private func bisect(_ isBehind: (Int) -> Bool) -> Int { HitPlaces.bisect(count, isBehind) }

    private static func bisect(_ count: Int, _ isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension ResolvedQuery {
    /// What a search says of its hits, behind the first date that means nothing so far.
    func standing(_ hits: String) -> String {
        if let excess = query.excess { return excess.brief }
        guard let date = unread.first else { return hits }
        let name = date.description
        return "\(name.count > 24 ? name.prefix(24) + "…" : name[...]): no date yet"
            + (hits.isEmpty ? "" : " · \(hits)")
    }
}

extension Find {
    /// What is known of a hit: which one of those collected it is.
    enum Lookup: Hashable {
        case found(Int)
        /// There is none that way.
        case none
        /// Not looked through so far.
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

    /// The hit at which going on that way ends up behind the last one.
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
