import Display
import Messages
import Search
import Timeline

/// The search in the conversation: `/` and `?`, n and N.
extension Model {
    /// The message under the cursor, counted from the beginning of the conversation.
    private var selectedPlace: Int? {
        guard let start = timeline.windowStart, let index = timeline.selectedIndex else { return nil }
        return start + index
    }

    /// Whether the cursor is on the hit that one was led to last.
    var isAtHit: Bool { find?.current.map { $0.place.index == selectedPlace } ?? false }

    mutating func openFind(towards direction: Find.Direction) {
        leaveThread()
        // The screen from before may still be on its way back.
        var origin = place
        if let pending, case .place(let place) = pending.destination, pending.isRestoring {
            origin = place
        } else {
            dropPending()
        }
        formerFind = find
        formerFind?.complete()
        find = Find(
            towards: direction, origin: origin, originIndex: selectedPlace, formerFolds: currentFolds)
        panel = .find
    }

    mutating func queryChanged() -> [Effect] {
        guard let find, Query(find.field.text, isTyping: true) != find.query.query else { return [] }
        let query = context.typed(find.field.text)
        self.find?.forgetPlaces()
        self.find?.query = query
        // A hit of other words.
        if case .hit? = pending?.destination { pane.pending = nil }
        guard !query.isEmpty else { return [.stopCollecting] + showOrigin() }
        let epoch = nextEpoch()
        self.find?.epoch = epoch
        self.find?.wanted = [.nearest]
        return collectPlaces() + pursue()
    }

    mutating func collectPlaces() -> [Effect] {
        guard let find, let conversation, !find.query.isEmpty, !find.isCollecting else { return [] }
        self.find?.isCollecting = true
        return [.collectPlaces(epoch: find.epoch, find.query, conversation.id)]
    }

    /// The same words in another conversation.
    mutating func countAgain() -> [Effect] {
        guard find != nil else { return [] }
        let epoch = nextEpoch()
        find?.complete()
        find?.epoch = epoch
        find?.isCollecting = false
        find?.isCarried = true
        return collectPlaces()
    }

    private mutating func showOrigin() -> [Effect] {
        guard let origin = find?.origin else { return [] }
        if place == origin {
            pane.pending = nil
            return []
        }
        return go(to: .place(origin), in: known(origin.conversation), leaving: .nothing)
    }

    /// Esc: the screen from before, and the search from before.
    mutating func cancelFind() -> [Effect] {
        panel = nil
        var effects = find.map { restoreFolds($0.formerFolds) } ?? []
        effects += showOrigin()
        find = formerFind
        formerFind = nil
        guard find?.isComplete == false else { return [.stopCollecting] + effects }
        find?.forgetPlaces()
        return effects + countAgain()
    }

    /// Enter: one stays at the hit. Without words the last ones are meant.
    mutating func acceptFind() -> [Effect] {
        panel = nil
        formerFind = nil
        guard let find, !find.field.isEmpty || !lastQuery.isEmpty else {
            self.find = nil
            return [.stopCollecting]
        }
        if find.field.isEmpty {
            let effects = beginFind(lastQuery, towards: find.direction)
            return effects + step(again: true)
        }
        let complete = context.complete(find.field.text)
        guard !complete.isEmpty else {
            self.find = nil
            let date = complete.unread.first.map { "\($0): no day or time" }
            warn(complete.query.excess?.description ?? date ?? "\"\(find.field.text)\" holds no word to search for")
            return [.stopCollecting]
        }
        lastQuery = find.field.text
        noteOrigin(find)
        let effects = complete.query == find.query.query ? [] : endWord(complete)
        sayWhenNothingIsFound()
        return collectPlaces() + effects
    }

    /// Enter ends the last word, which stood for all words that begin so. The screen stays as it is; counted are the
    /// hits of the complete word, if there are any.
    private mutating func endWord(_ complete: ResolvedQuery) -> [Effect] {
        guard let find, let conversation else { return [] }
        let epoch = nextEpoch()
        // Hits of the complete word are hits of its beginning, too.
        if find.failure != nil || find.isComplete && find.places.count == 0 {
            self.find?.query = complete
            return []
        }
        // Nothing was looked for while `has:li` was typed.
        if find.query.isEmpty {
            self.find?.query = complete
            self.find?.epoch = epoch
            self.find?.wanted = [.nearest]
            return []
        }
        self.find?.completion = Find.Completion(query: complete, epoch: epoch)
        return [.collectPlaces(epoch: epoch, complete, conversation.id)]
    }

    private mutating func receiveCompletion(_ result: Result<PlaceBatch, StoreError>) {
        switch result {
        case .success(let batch):
            find?.completion?.places.append(batch.places)
            // The hits of the word as it was typed are not replaced by fewer.
            if find?.isComplete == false, !batch.places.isEmpty {
                find?.complete()
                find?.progress = batch.progress
            }
        case .failure(let error):
            find?.complete()
            find?.failure = error.description
            find?.wanted = []
        }
    }

    /// The complete word has no hit: it goes on to stand for all words that begin so, which a star says.
    private mutating func openWord(_ find: Find) -> [Effect] {
        let open = context.complete(find.field.text + "*")
        guard open.query.differs(from: context.complete(find.field.text).query) else { return [] }
        lastQuery = open.text
        let epoch = nextEpoch()
        self.find?.completion = nil
        self.find?.field = TextField(open.text)
        self.find?.query = open
        if find.isComplete, !open.query.differs(from: find.query.query) { return [] }
        self.find?.epoch = epoch
        self.find?.isCollecting = false
        self.find?.isComplete = false
        self.find?.places = HitPlaces()
        return collectPlaces()
    }

    /// The search is a jump from where it began, also when its hit is still on its way.
    private mutating func noteOrigin(_ find: Find) {
        guard let origin = find.origin else { return }
        if origin != place {
            pane.history.leave(origin)
        } else if case .hit? = pending?.destination {
            pane.pending?.leaving = .jump
        } else {
            return
        }
        self.find?.isInHistory = true
    }

    /// Looks for these words from now on, without going anywhere yet.
    mutating func beginFind(_ text: String, towards direction: Find.Direction) -> [Effect] {
        var find = Find(towards: direction, origin: nil, originIndex: selectedPlace)
        find.field = TextField(text)
        find.query = context.complete(text)
        find.epoch = nextEpoch()
        self.find = find
        lastQuery = text
        return collectPlaces()
    }

    /// The highlights go; the words are kept for n and for an empty search.
    mutating func endFind() -> [Effect] {
        guard find != nil else { return [] }
        find = nil
        return [.stopCollecting]
    }
}

// MARK: - From hit to hit

extension Model {
    /// Steps that wait for hits that are not known yet, at most.
    private static let mostSteps = 1_000

    /// n and N.
    mutating func step(again: Bool) -> [Effect] {
        leaveThread()
        var effects: [Effect] = []
        if find == nil {
            guard !lastQuery.isEmpty else {
                tell("nothing has been searched for yet: / searches")
                return []
            }
            effects = beginFind(lastQuery, towards: .newer)
        }
        guard let find else { return [] }
        if find.failure != nil {
            self.find?.forgetPlaces()
            effects += countAgain()
        }
        // The steps that were asked for before come first, also when they are still on their way.
        if case .hit? = pending?.destination {} else { pane.pending = nil }
        if find.wanted.count < Model.mostSteps {
            self.find?.wanted.append(.step(again ? find.direction : find.direction.opposite))
        }
        return effects + pursue()
    }

    mutating func receivePlaces(_ epoch: Int, _ result: Result<PlaceBatch, StoreError>) -> [Effect] {
        if find?.completion?.epoch == epoch {
            receiveCompletion(result)
            return pursue()
        }
        guard find?.epoch == epoch else { return [] }
        switch result {
        case .success(let batch):
            find?.places.append(batch.places)
            find?.progress = batch.progress
        case .failure(let error):
            find?.failure = error.description
            find?.wanted = []
        }
        return pursue()
    }

    mutating func endPlaces(_ epoch: Int) -> [Effect] {
        if let find, find.completion?.epoch == epoch {
            let effects = find.completion?.places.count == 0 ? openWord(find) : []
            if self.find?.completion == nil { return effects + pursue() }
            self.find?.complete()
        }
        guard let find, find.epoch == epoch else { return [] }
        self.find?.isComplete = find.failure == nil
        let effects = pursue()
        if panel == nil { sayWhenNothingIsFound() }
        return effects
    }

    private mutating func sayWhenNothingIsFound() {
        guard let find, find.isComplete, find.places.count == 0, notice == nil, !find.isCarried else { return }
        warn("no hit for \"\(find.field.text)\" in this conversation")
    }

    /// Goes to the wanted hits, one after the other, as far as they are known.
    private mutating func pursue() -> [Effect] {
        var effects: [Effect] = []
        while let find, let wanted = find.wanted.first {
            let count = find.wanted.count
            switch wanted {
            case .nearest: effects += pursueNearest(find)
            case .step(let direction): effects += pursueStep(find, direction)
            }
            if self.find?.wanted.count == count { break }
        }
        return effects
    }

    private mutating func pursueNearest(_ find: Find) -> [Effect] {
        guard let origin = find.originIndex else { return dropWanted() }
        let hit: Find.Hit
        if let place = hitInWindow(find, from: origin) {
            hit = Find.Hit(place: place)
        } else {
            switch find.nearest(from: origin) {
            case .found(let ordinal): hit = Find.Hit(place: find.places[ordinal], ordinal: ordinal)
            case .none: return dropWanted() + showOrigin()
            case .unknown: return []
            }
        }
        self.find?.wanted.removeFirst()
        let isJump = panel != .find && !find.isInHistory
        if isJump { self.find?.isInHistory = true }
        return go(to: .hit(hit), leaving: isJump ? .jump : .nothing)
    }

    /// A step that cannot be done is forgotten, with those that were to come after it.
    private mutating func dropWanted() -> [Effect] {
        find?.wanted = []
        return []
    }

    private mutating func pursueStep(_ find: Find, _ direction: Find.Direction) -> [Effect] {
        guard let selected = selectedPlace else { return dropWanted() }
        // From the hit that is on its way; who has not moved since the last hit goes on from that one: several may be
        // shown at one message.
        var start: Int?
        if case .hit(let hit)? = pending?.destination {
            start = find.ordinal(of: hit)
        } else if isAtHit {
            start = find.currentOrdinal
        }
        let lookup =
            start.map { find.next(direction, fromOrdinal: $0) } ?? find.next(direction, from: selected)
        switch lookup {
        case .found(let ordinal): return takeStep(to: ordinal, of: find)
        case .none:
            guard let ordinal = find.wrapped(direction) else { return find.isComplete ? dropWanted() : [] }
            return takeStep(to: ordinal, of: find, isWrapped: true)
        case .unknown: return []
        }
    }

    /// Steps from hit to hit are one jump: the way back leads to where the first of them started.
    private mutating func takeStep(to ordinal: Int, of find: Find, isWrapped: Bool = false) -> [Effect] {
        var leaving = ListRequest.Leaving.jump
        if case .hit? = pending?.destination, let pending {
            leaving = pending.leaving
        } else if find.isInHistory, let landing = find.landing, landing == place {
            leaving = .nothing
        }
        self.find?.wanted.removeFirst()
        self.find?.isInHistory = true
        let hit = Find.Hit(place: find.places[ordinal], ordinal: ordinal, isWrapped: isWrapped)
        return go(to: .hit(hit), leaving: leaving)
    }

    /// One has been led to a hit.
    mutating func landed(on hit: Find.Hit) {
        revealHit()
        let landing = place
        find?.current = hit
        find?.landing = landing
        let standing = find?.standing(isAtHit: true) ?? ""
        if hit.place.isReply { tell("\(standing) · a reply in the thread of this message") }
        if hit.isWrapped { tell("\(standing) · went on at the other end") }
    }

    /// The nearest hit among the messages that are loaded: while one types, the store need not be asked for it.
    private func hitInWindow(_ find: Find, from index: Int) -> HitPlace? {
        guard !find.isComplete, conversation.map(find.query.accepts) ?? false, let start = timeline.windowStart,
            (start..<start + timeline.count).contains(index)
        else { return nil }
        let offsets = find.direction == .newer ? Array(index - start..<timeline.count) : (0...index - start).reversed()
        let hit = offsets.first { find.query.accepts(timeline.list[$0].message) }
        return hit.map { HitPlace(order: start + $0, index: start + $0) }
    }
}
