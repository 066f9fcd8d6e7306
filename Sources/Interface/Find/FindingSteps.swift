import Messages
import Search
import Timeline

/// Steps from hit to hit, loaded or not. A step waits until its hit is known.
extension Finding {
    /// The most pending steps.
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
        // Earlier steps that still wait are performed first.
        return outcomes + [.find(.dropOthers), .search(.goOn)]
    }

    /// Drops the pending steps, since the user moves on by hand.
    mutating func giveUp() { find?.wanted = [] }

    /// Performs the next pending step. Nil when there is none, or when its hit is not known yet.
    mutating func goOn(in context: Context) -> [Outcome]? {
        guard let find, let wanted = find.wanted.first, find.recount?.cause != .changes else { return nil }
        switch wanted {
        case .nearest: return goToNearest(find, in: context)
        case .step(let direction): return takeStep(direction, find, in: context)
        }
    }

    /// Drops a step that is not possible, and all later ones.
    private mutating func dropSteps() -> [Outcome] {
        giveUp()
        return [.lost]
    }

    private mutating func goToNearest(_ find: Find, in context: Context) -> [Outcome]? {
        guard let origin = originIndex(of: find, in: context) else {
            return isUnlocated(find.origin?.selection, in: context) ? nil : dropSteps()
        }
        let hit: FindHit
        if let place = hitInWindow(find, from: origin, in: context) {
            hit = FindHit(place: place)
        } else {
            switch find.nearest(from: origin) {
            case .found(let ordinal): hit = FindHit(place: find.places[ordinal], ordinal: ordinal)
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
        _ direction: FindDirection, _ find: Find, in context: Context
    ) -> [Outcome]? {
        guard let places = context.main.selectedPlaces else {
            return isUnlocated(context.main.timeline.selection, in: context) ? nil : dropSteps()
        }
        let selected = places.lowerBound
        // The step starts at the loading hit; else at the last hit, if the user has not moved since: the index of the message
        // would not do, since one message may show several hits.
        var start: HitOrdinal?
        if let hit = context.pendingHit {
            start = find.ordinal(of: hit)
        } else if let thread = context.thread {
            let place = ReplyPlace(thread.selectedReply, in: thread, of: context.main)
            func near(_ direction: FindDirection?) -> HitOrdinal? { find.ordinal(at: place, toThe: direction) }
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
                return [.search(.goOnElsewhere(direction, words: find.field.text))]
            }
            guard let ordinal = find.wrapped(direction) else { return find.isComplete ? dropSteps() : nil }
            return takeStep(to: ordinal, of: find, isWrapped: true, in: context)
        case .unknown: return nil
        }
    }

    /// The index of the message where the search began. It may become known only later.
    private func originIndex(of find: Find, in context: Context) -> Int? {
        if let index = find.originIndex { return index }
        let timeline = context.main.timeline
        return find.origin?.selection.flatMap(timeline.list.index).flatMap { timeline.position(of: $0) }
    }

    /// True if the index of a message is not known yet, because the store has not read the whole conversation.
    private func isUnlocated(_ id: MessageID?, in context: Context) -> Bool {
        let timeline = context.main.timeline
        return timeline.windowStart == nil && id.flatMap(timeline.list.index) != nil
    }

    /// Counts steps from hit to hit as one jump: going back leads to the place where the first step started.
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
        let direction: FindDirection = find.currentOrdinal.map { ordinal > $0 } ?? false ? .older : .newer
        let hit = FindHit(place: find.places[ordinal], ordinal: ordinal, isWrapped: isWrapped, direction: direction)
        return [.find(.go(hit, leaving: leaving))]
    }

    /// Records that a hit in a thread is on the screen.
    mutating func land(onReply id: MessageID) { find?.reply = id }

    /// The nearest hit among the loaded messages. While the user types, this saves asking the store.
    private func hitInWindow(_ find: Find, from index: Int, in context: Context) -> HitPlace? {
        let timeline = context.main.timeline
        // Presence lines are left to the store, since a run holds several.
        guard !find.isComplete, find.start == nil, context.conversation.map(find.query.accepts) ?? false,
            !find.query.query.filters.marks.contains(.presence), let (item, _) = timeline.item(at: index)
        else { return nil }
        let items = find.direction == .newer ? Array(item..<timeline.count) : (0...item).reversed()
        let accepts = { find.query.accepts(timeline.list[$0].message) }
        // The beginning of a long text does not tell, and the replies of a message on the way may be hits.
        let isUnsure = { (index: Int) -> Bool in
            let hasReplies = timeline.list[index].message.replyCount > 0
            let areOnTheWay = find.direction == .newer ? !accepts(index) : index != item
            return timeline.list[index].isShortened || hasReplies && areOnTheWay
        }
        guard let hit = items.first(where: { isUnsure($0) || accepts($0) }), !isUnsure(hit) else { return nil }
        return timeline.position(of: hit).map { HitPlace(order: $0, index: $0) }
    }

    // MARK: - At a hit

    /// Records that the screen shows a hit.
    mutating func land(on hit: FindHit, landing: ScreenPlace?) {
        find?.current = hit
        find?.landing = landing
        find?.reply = nil
    }

    /// Records that the screen shows a match of a long message.
    mutating func land(on match: FindHit.Inner?, landing: ScreenPlace?) {
        find?.current?.inner = match
        find?.landing = landing
    }

    /// Makes the message under the cursor the current hit. It was a hit of another search.
    mutating func stand(at index: Int, landing: ScreenPlace?) {
        find?.isInHistory = true
        find?.current = FindHit(place: HitPlace(order: index, index: index))
        find?.landing = landing
    }
}
