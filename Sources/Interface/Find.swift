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

    /// A hit, and which one it is of those that were collected; unknown before it was.
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
    let origin: ScreenPlace?
    /// The index in the conversation of the message that the search began at.
    let originIndex: Int?
    /// The messages that were folded and unfolded then.
    let formerFolds: [MessageID: Bool]
    /// Names the collecting of places under way.
    var epoch = 0
    var isCollecting = false
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

    mutating func forgetPlaces() {
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

/// The places of hits, newest first, in twelve bytes each: a word that everybody uses has hundreds of thousands. Their
/// ordinals stay what they are, since more come at the old end only.
struct HitPlaces: Hashable, Sendable {
    private static let replyMark: UInt32 = 1 << 31

    private var orders: [UInt32] = []
    /// With a mark for replies.
    private var indices: [UInt32] = []
    /// The indices alone, each once, the highest first: those of replies are not in the order of the hits.
    private var shown: [UInt32] = []

    var count: Int { orders.count }
    var last: HitPlace? { count == 0 ? nil : self[count - 1] }

    subscript(ordinal: Int) -> HitPlace {
        let index = indices[ordinal]
        return HitPlace(
            order: Int(orders[ordinal]), index: Int(index & ~HitPlaces.replyMark),
            isReply: index & HitPlaces.replyMark != 0)
    }

    mutating func append(_ places: [HitPlace]) {
        for place in places {
            orders.append(UInt32(clamping: place.order))
            let index = min(UInt32(clamping: place.index), HitPlaces.replyMark - 1)
            indices.append(place.isReply ? index | HitPlaces.replyMark : index)
        }
        show(indices.suffix(places.count).map { $0 & ~HitPlaces.replyMark })
    }

    /// Most come behind all there are; only those that do not are moved past others.
    private mutating func show(_ new: [UInt32]) {
        let new = new.sorted(by: >)
        guard let highest = new.first else { return }
        let kept = shownCount(from: Int(highest))
        let passed = Array(shown[kept...])
        var merged: [UInt32] = []
        merged.reserveCapacity(passed.count + new.count)
        var (old, added) = (0, 0)
        while old < passed.count || added < new.count {
            let takesOld = added == new.count || old < passed.count && passed[old] >= new[added]
            let index = takesOld ? passed[old] : new[added]
            if takesOld { old += 1 } else { added += 1 }
            if merged.last != index { merged.append(index) }
        }
        // One that is there already.
        if kept > 0, merged[0] == shown[kept - 1] { merged.removeFirst() }
        shown.replaceSubrange(kept..., with: merged)
    }

    /// The first index at which a hit is shown, from `index` on.
    func firstShown(from index: Int) -> Int? {
        let count = shownCount(from: index)
        return count > 0 ? Int(shown[count - 1]) : nil
    }

    /// How many indices at which hits are shown are not below `index`.
    private func shownCount(from index: Int) -> Int {
        var (low, high) = (0, shown.count)
        while low < high {
            let middle = low + (high - low) / 2
            if Int(shown[middle]) >= index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first ordinal whose place is before `place`, or `count`.
    func firstOrdinal(before place: HitPlace) -> Int { bisect { self[$0] < place } }

    /// The first ordinal whose place is not behind `place`, or `count`.
    func firstOrdinal(notAfter place: HitPlace) -> Int { bisect { !(place < self[$0]) } }

    /// Of a message of the main timeline.
    func ordinal(ofMain index: Int) -> Int? {
        let place = HitPlace(order: index, index: index)
        let ordinal = firstOrdinal(notAfter: place)
        return ordinal < count && self[ordinal] == place ? ordinal : nil
    }

    private func bisect(_ isBehind: (Int) -> Bool) -> Int {
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

    var currentOrdinal: Int? {
        guard let current else { return nil }
        if let ordinal = current.ordinal { return ordinal }
        return current.place.isReply ? nil : places.ordinal(ofMain: current.place.index)
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
