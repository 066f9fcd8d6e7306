import Algorithms
import Messages
import Search
import Timeline

/// Steps from hit to hit, loaded or not. A step waits until its hit is known.
extension Finding {
    /// The most steps that may wait.
    private static let mostSteps = 1_000

    /// n and N.
    mutating func step(again: Bool, in context: Context) -> [Outcome] {
        var outcomes: [Outcome] = []
        if find == nil {
            guard !lastQuery.isEmpty else {
                return [.tell("nothing to search for yet; \(context.keymap.keyName(.find)) searches")]
            }
            outcomes = begin(lastQuery, towards: .newer, in: context)
        }
        guard let find else { return [] }
        if find.retries.reason != nil {
            self.find?.forgetPlaces()
            outcomes += countAgain(in: context)
        }
        outcomes += recountStale(in: context)
        if find.wanted.count < Finding.mostSteps {
            self.find?.wanted.append(.step(again ? find.direction : find.direction.opposite))
        }
        // Earlier steps that still wait are done first.
        return outcomes + [.find(.dropOthers), .find(.goOn)]
    }

    /// The user moves on by hand and does not want the waiting steps any more.
    mutating func giveUp() { find?.wanted = [] }

    /// Does the next waiting step. Nil when there is none, or when its hit is not known yet.
    mutating func goOn(in context: Context) -> [Outcome]? {
        guard let find, let wanted = find.wanted.first, find.recount?.cause != .changes else { return nil }
        switch wanted {
        case .nearest: return goToNearest(find, in: context)
        case .step(let direction): return takeStep(direction, find, in: context)
        }
    }

    /// Gives up a step that is not possible, and all after it.
    private mutating func dropSteps() -> [Outcome] {
        giveUp()
        return [.lost]
    }

    private mutating func goToNearest(_ find: Find, in context: Context) -> [Outcome]? {
        guard let origin = originIndex(of: find, in: context) else {
            return isUnlocated(find.origin?.selection, in: context) ? nil : dropSteps()
        }
        let hit: Find.Hit
        if let place = hitInWindow(find, from: origin, in: context) {
            hit = Find.Hit(place: place)
        } else {
            switch find.nearest(from: origin) {
            case .found(let ordinal): hit = Find.Hit(place: find.places[ordinal], ordinal: ordinal)
            case .none:
                giveUp()
                return find.origin.map { [.find(.restore($0))] } ?? []
            case .unknown: return nil
            }
        }
        self.find?.wanted.removeFirst()
        let isJump = context.panel != .find && !find.isInHistory
        if isJump { self.find?.isInHistory = true }
        return [.find(.go(hit, leaving: isJump ? .jump : .nothing))]
    }

    private mutating func takeStep(
        _ direction: Find.Direction, _ find: Find, in context: Context
    ) -> [Outcome]? {
        guard let places = context.main.selectedPlaces else {
            return isUnlocated(context.main.timeline.selection, in: context) ? nil : dropSteps()
        }
        let selected = places.lowerBound
        // The step starts at the hit on its way; else at the last hit, if the user has not moved since, because one message
        // may have several hits.
        var start: HitOrdinal?
        if let hit = context.pendingHit {
            start = find.ordinal(of: hit)
        } else if let thread = context.thread {
            func near(_ direction: Find.Direction?) -> HitOrdinal? {
                ordinal(in: thread, at: thread.selectedReply, toThe: direction, of: find, context)
            }
            start = isAtHit(in: thread) ? find.currentOrdinal : near(nil)
            if start == nil, let next = near(direction) { return takeStep(to: next, of: find, in: context) }
            start = start ?? near(direction.opposite)
        } else if isAtHit(in: context.main) {
            start = find.currentOrdinal
            if let match = context.main.timeline.match(direction, of: find.query, after: find.current?.inner) {
                self.find?.wanted.removeFirst()
                return [.find(.showMatch(match))]
            }
        }
        let lookup = start.map { find.next(direction, fromOrdinal: $0) } ?? find.next(direction, from: selected)
        switch lookup {
        case .found(let ordinal): return takeStep(to: ordinal, of: find, in: context)
        case .none:
            if find.isEverywhere, find.isComplete {
                giveUp()
                return [.find(.goOnElsewhere(direction))]
            }
            guard let ordinal = find.wrapped(direction) else { return find.isComplete ? dropSteps() : nil }
            return takeStep(to: ordinal, of: find, isWrapped: true, in: context)
        case .unknown: return nil
        }
    }

    /// The index of the message where the search began. It may have become known since.
    private func originIndex(of find: Find, in context: Context) -> Int? {
        if let index = find.originIndex { return index }
        let timeline = context.main.timeline
        return find.origin?.selection.flatMap(timeline.list.index).flatMap { timeline.position(of: $0) }
    }

    /// Whether a message has a place that the store does not know yet, because it has not read the whole conversation.
    private func isUnlocated(_ id: MessageID?, in context: Context) -> Bool {
        let timeline = context.main.timeline
        return timeline.windowStart == nil && id.flatMap(timeline.list.index) != nil
    }

    /// Steps from hit to hit are one jump: going back leads to the place where the first step started.
    private mutating func takeStep(
        to ordinal: HitOrdinal, of find: Find, isWrapped: Bool = false, in context: Context
    ) -> [Outcome] {
        var leaving = ListRequest.Leaving.jump
        if context.pendingHit != nil, let pending = context.main.pending {
            leaving = pending.leaving
        } else if find.isInHistory, let landing = find.landing, landing == context.main.place {
            leaving = .nothing
        }
        self.find?.wanted.removeFirst()
        self.find?.isInHistory = true
        let direction: Find.Direction = find.currentOrdinal.map { ordinal > $0 } ?? false ? .older : .newer
        let hit = Find.Hit(place: find.places[ordinal], ordinal: ordinal, isWrapped: isWrapped, direction: direction)
        return [.find(.go(hit, leaving: leaving))]
    }

    // MARK: - In threads

    /// The hit at a reply, or the next one in the same thread, once all hits are known.
    /// - Parameter direction: of the next one; nil for the reply itself.
    private func ordinal(
        in thread: Pane, at reply: Int?, toThe direction: Find.Direction?, of find: Find, _ context: Context
    ) -> HitOrdinal? {
        guard find.isComplete, !thread.timeline.hasNewer, let reply,
            let root = thread.thread.flatMap(context.main.timeline.list.index),
            let index = context.main.timeline.position(of: root)
        else { return nil }
        let isHit = { find.query.accepts(thread.timeline.list[$0].message) }
        let newer = (reply + 1..<thread.timeline.count).count(where: isHit)
        switch direction {
        case nil: return isHit(reply) ? find.places.ordinal(ofReplyTo: index, newer: newer) : nil
        case .older: return find.places.ordinal(ofReplyTo: index, newer: newer + (isHit(reply) ? 1 : 0))
        case .newer: return newer > 0 ? find.places.ordinal(ofReplyTo: index, newer: newer - 1) : nil
        }
    }

    /// Counts the current hit again, which is a reply: the search knows only how many hits its thread has. A reply that another
    /// search has found, and that is under the cursor, becomes the current hit.
    mutating func standInThread(in context: Context) {
        guard let find, let thread = context.thread else { return }
        let known = find.reply.flatMap(thread.timeline.list.index)
        guard let index = known ?? thread.selectedReply else { return }
        let message = thread.timeline.list[index].message
        if let ordinal = ordinal(in: thread, at: index, toThe: nil, of: find, context) {
            let isWrapped = find.currentOrdinal == ordinal && find.current?.isWrapped == true
            self.find?.current = Find.Hit(place: find.places[ordinal], ordinal: ordinal, isWrapped: isWrapped)
            self.find?.reply = message.id
            self.find?.landing = context.main.place
        } else if known != nil, !find.query.accepts(message) {
            self.find?.current = nil
            self.find?.reply = nil
        }
    }

    /// A hit in a thread is on the screen.
    mutating func land(onReply id: MessageID) { find?.reply = id }

    /// The nearest hit among the loaded messages. While the user types, this saves asking the store.
    private func hitInWindow(_ find: Find, from index: Int, in context: Context) -> HitPlace? {
        let timeline = context.main.timeline
        // The lines of a run are left to the store.
        guard !find.isComplete, context.conversation.map(find.query.accepts) ?? false,
            !find.query.query.filters.marks.contains(.presence), let (item, _) = timeline.item(at: index)
        else { return nil }
        let items = find.direction == .newer ? Array(item..<timeline.count) : (0...item).reversed()
        let hit = items.first { find.query.accepts(timeline.list[$0].message) }
        return hit.flatMap { timeline.position(of: $0) }.map { HitPlace(order: $0, index: $0) }
    }

    // MARK: - At a hit

    /// The screen shows a hit.
    mutating func land(on hit: Find.Hit, landing: ScreenPlace?) {
        find?.current = hit
        find?.landing = landing
        find?.reply = nil
    }

    /// The screen shows a match of a long message.
    mutating func land(on match: Find.Hit.Inner?, landing: ScreenPlace?) {
        find?.current?.inner = match
        find?.landing = landing
    }

    /// The message under the cursor is a hit of another search.
    mutating func stand(at index: Int, landing: ScreenPlace?) {
        find?.isInHistory = true
        find?.current = Find.Hit(place: HitPlace(order: index, index: index))
        find?.landing = landing
    }
}

extension Pane {
    /// The reply under the cursor of a thread, unless the cursor is on the root.
    fileprivate var selectedReply: Int? { isRootSelected ? nil : timeline.selectedIndex }
}

extension Context {
    /// The hit that is being loaded.
    var pendingHit: Find.Hit? {
        if case .hit(let hit)? = main.pending?.destination { hit } else { nil }
    }
}

/// The places of hits, newest first. A place takes four bytes, and that of a reply some more, since a common word has hundreds
/// of thousands of hits. New places come at the old end only, so ordinals never change.
struct HitPlaces: Hashable, Sendable {
    private static let replyMark: UInt32 = 1 << 31

    /// With a mark for replies.
    private var orders: [UInt32] = []
    /// The ordinals of replies, ascending, and the indices of the messages that show them.
    private var replies: [UInt32] = []
    private var replyIndices: [UInt32] = []
    /// A bit for each index of the conversation, set if that message shows a hit.
    private var shown: [UInt64] = []

    var count: Int { orders.count }
    /// The ordinal of the newest hit is `HitOrdinal.newest`; this is that of the oldest one.
    var oldest: HitOrdinal? { count == 0 ? nil : HitOrdinal(count - 1) }
    var last: HitPlace? { oldest.map { self[$0] } }

    subscript(ordinal: HitOrdinal) -> HitPlace {
        let marked = orders[ordinal.value]
        let order = Int(marked & ~HitPlaces.replyMark)
        guard marked & HitPlaces.replyMark != 0 else { return HitPlace(order: order, index: order) }
        let number = replies.partitioningIndex { $0 >= ordinal.value }
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

    /// The first index from `index` on that shows a hit.
    func firstShown(from index: Int) -> Int? {
        let index = max(0, index)
        guard index >> 6 < shown.count else { return nil }
        let first = shown[index >> 6] & (~0 << UInt64(index & 63))
        if first != 0 { return index & ~63 + first.trailingZeroBitCount }
        guard let word = shown[(index >> 6 + 1)...].firstIndex(where: { $0 != 0 }) else { return nil }
        return word << 6 + shown[word].trailingZeroBitCount
    }

    func contains(_ ordinal: HitOrdinal) -> Bool { orders.indices.contains(ordinal.value) }

    /// The first ordinal whose place is before `place`, or the one after the oldest.
    func firstOrdinal(before place: HitPlace) -> HitOrdinal { firstOrdinal { $0 < place } }

    /// The first ordinal whose place is not after `place`, or the one after the oldest.
    func firstOrdinal(notAfter place: HitPlace) -> HitOrdinal { firstOrdinal { !(place < $0) } }

    private func firstOrdinal(where isReached: (HitPlace) -> Bool) -> HitOrdinal {
        HitOrdinal(orders.indices.partitioningIndex { isReached(self[HitOrdinal($0)]) })
    }

    /// The number of hits in the same thread that are newer than a reply.
    func newerReplies(than ordinal: HitOrdinal) -> Int {
        guard let own = replies.firstIndex(of: UInt32(clamping: ordinal.value)) else { return 0 }
        return replyIndices[..<own].count { $0 == replyIndices[own] }
    }

    /// The ordinal of a hit in the thread whose root has this index.
    /// - Parameter newer: the number of newer hits in that thread.
    func ordinal(ofReplyTo root: Int, newer: Int) -> HitOrdinal? {
        let own = replyIndices.indices.lazy.filter { Int(replyIndices[$0]) == root }.dropFirst(newer).first
        return own.map { HitOrdinal(Int(replies[$0])) }
    }

    /// The ordinal of a place. Of replies at the same place it is that of the newest.
    func ordinal(of place: HitPlace) -> HitOrdinal? {
        var ordinal = firstOrdinal(notAfter: place)
        while contains(ordinal), self[ordinal].order == place.order {
            if self[ordinal] == place { return ordinal }
            ordinal = ordinal.next(.older)
        }
        return nil
    }
}
