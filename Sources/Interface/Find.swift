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

    var field = TextField()
    var query = Query("")
    /// Where `n` leads.
    var direction: Direction
    /// The screen that Esc brings back; nil when the words came from elsewhere.
    let origin: ScreenPlace?
    /// The index in the conversation of the message that the search began at.
    let originIndex: Int?
    /// Names the collecting of places under way.
    var epoch = 0
    var isCollecting = false
    var places = HitPlaces()
    var isComplete = false
    var progress = 0.0
    var failure: String?
    /// The hit that one has been led to, and the screen that this gave.
    var current: HitPlace?
    var landing: ScreenPlace?
    /// Whether the way back leads to where the steps from hit to hit started.
    var isInHistory = false
    var wanted: Wanted?

    init(towards direction: Direction, origin: ScreenPlace?, originIndex: Int?) {
        self.direction = direction
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
        wanted = nil
    }

    /// `hit 3 of 128`
    var standing: String {
        if query.isEmpty { return "" }
        if let failure { return "search failed: \(failure)" }
        guard isComplete else {
            let percent = "searching… \(Int(progress * 100))%"
            return places.count == 0 ? percent : "\(TitleBar.grouped(places.count)) hits so far, " + percent
        }
        let total = TitleBar.grouped(places.count)
        if let current, let ordinal = places.ordinal(of: current) {
            return "hit \(TitleBar.grouped(places.count - ordinal)) of \(total)"
        }
        return places.count == 0 ? "no hits" : places.count == 1 ? "1 hit" : "\(total) hits"
    }
}

/// The places of hits, newest first, in eight bytes each: a word that everybody uses has hundreds of thousands.
struct HitPlaces: Hashable, Sendable {
    private var orders: [UInt32] = []
    private var indices: [UInt32] = []

    var count: Int { orders.count }
    var last: HitPlace? { count == 0 ? nil : self[count - 1] }

    subscript(ordinal: Int) -> HitPlace {
        let (order, index) = (Int(orders[ordinal]), Int(indices[ordinal]))
        return HitPlace(order: order, index: index, isReply: order != index)
    }

    /// What does not come behind the last place is not taken.
    mutating func append(_ places: [HitPlace]) {
        for place in places {
            orders.append(UInt32(clamping: place.order))
            indices.append(UInt32(clamping: place.index))
        }
    }

    /// The first ordinal whose place is before `place`, or `count`.
    func firstOrdinal(before place: HitPlace) -> Int {
        bisect { self[$0] < place }
    }

    /// The first ordinal whose place is `place` or before it, or `count`.
    func firstOrdinal(notAfter place: HitPlace) -> Int {
        bisect { !(place < self[$0]) }
    }

    func ordinal(of place: HitPlace) -> Int? {
        let ordinal = firstOrdinal(notAfter: place)
        return ordinal < count && self[ordinal].order == place.order && self[ordinal].index == place.index
            ? ordinal : nil
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

extension Find {
    /// What is known of the next hit from a place.
    enum Lookup: Hashable {
        case found(HitPlace)
        /// There is none that way.
        case none
        /// Not looked through so far.
        case unknown
    }

    func next(_ direction: Direction, from here: HitPlace) -> Lookup {
        switch direction {
        case .older:
            let ordinal = places.firstOrdinal(before: here)
            if ordinal < places.count { return .found(places[ordinal]) }
            return isComplete ? .none : .unknown
        case .newer:
            guard isComplete || places.last.map({ !(here < $0) }) ?? false else { return .unknown }
            let ordinal = places.firstOrdinal(notAfter: here)
            return ordinal > 0 ? .found(places[ordinal - 1]) : .none
        }
    }

    /// The hit at which going on that way ends up behind the last one.
    func wrapped(_ direction: Direction) -> HitPlace? {
        guard isComplete, places.count > 0 else { return nil }
        return direction == .older ? places[0] : places[places.count - 1]
    }

    /// The hit that is nearest to where the search began: that way, or else the other way.
    func nearest(from index: Int) -> Lookup {
        // The message that one stands on counts as well.
        let here =
            direction == .older
            ? HitPlace(order: index, index: .max) : HitPlace(order: index, index: -1)
        let ahead = next(direction, from: here)
        guard ahead == .none else { return ahead }
        return next(direction.opposite, from: here)
    }
}
