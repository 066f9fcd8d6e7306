import Display
import Messages
import Search
import Timeline

/// The search in the conversation: the line in which the user types its words, and the steps from hit to hit.
struct Finding: Sendable {
    /// The current search. Its hits are highlighted.
    var find: Find?
    /// The search before the one that is being typed.
    private(set) var former: Find?
    /// The words of earlier searches, the last one at the end.
    private(set) var history: [String] = []
    private static let longestHistory = 100
    var lastQuery: String { history.last ?? "" }
    /// The number of collections of places so far. Results of an earlier collection have no effect.
    private var tickets = 0

    private mutating func nextTicket() -> Int {
        tickets += 1
        return tickets
    }

    /// Keeps the words of a search. Words that are in the history move to its end.
    private mutating func remember(_ words: String) {
        history.removeAll { $0 == words }
        history.append(words)
        if history.count > Finding.longestHistory { history.removeFirst() }
    }

    /// True if the cursor is on the hit of the last step.
    func isAtHit(in pane: Pane) -> Bool {
        if pane.isThread { return find?.reply != nil && find?.reply == pane.selectedMessage?.id }
        return find?.current.map { pane.selectedPlaces?.contains($0.place.index) ?? false } ?? false
    }
}

extension Finding: Component {
    mutating func handle(_ event: PanelEvent, in context: Context) -> [Outcome] {
        switch event {
        case .text(let characters):
            find?.field.insert(characters)
            find?.recalled = nil
            return [.typed]
        case .edit(let action):
            guard find?.field.edit(action) == true else { return [] }
            find?.recalled = nil
            return [.typed]
        case .settled: return takeWords(in: context)
        case .action(.cancel), .action(.fieldBackspace): return cancel(in: context)
        case .action(.activate): return accept(in: context)
        case .action(.toggleScope): return searchEverywhere(in: context)
        case .action(.up): return recall(by: -1, in: context)
        case .action(.down): return recall(by: 1, in: context)
        case .action, .mouse, .key: return []
        }
    }

    func view(in context: Context) -> PanelView? {
        find.map { find in
            .line(
                PromptLine(
                    name: find.direction == .newer ? "/" : "?", field: find.field,
                    answer: answer(find, in: context), isWarning: find.retries.reason != nil)
            )
        }
    }

    /// The answer next to the field. Before the first letter, and without hits, it names the key that searches everywhere.
    private func answer(_ find: Find, in context: Context) -> String {
        let standing = find.standing(isAtHit: isAtHit(in: context.main))
        let scope = "\(context.keymap.keyName(.toggleScope, in: .typing)) searches everywhere"
        if find.field.isEmpty { return "\(scope) · words, \"a phrase\", from:ana, has:link" }
        let isNowhere = find.isComplete && find.places.count == 0 && !find.query.isEmpty
        return isNowhere ? "\(standing) · \(scope)" : standing
    }

    /// ↑ and ↓: the words of an earlier or a later search; after the last search, the typed words.
    private mutating func recall(by step: Int, in context: Context) -> [Outcome] {
        guard let find else { return [] }
        let wanted = (find.recalled?.index ?? history.count) + step
        guard wanted >= 0, wanted <= history.count, find.recalled != nil || step < 0 else { return [] }
        let typed = find.recalled?.typed ?? find.field.text
        self.find?.field = TextField(wanted == history.count ? typed : history[wanted])
        self.find?.recalled = wanted == history.count ? nil : Find.Recalled(index: wanted, typed: typed)
        return takeWords(in: context)
    }

    /// The name of the match that keys wait for, with the reason for the wait.
    var nameOfMatch: String {
        guard let retries = find?.retries, let reason = retries.reason else { return "the match" }
        return "the match, \(retries.words) (\(reason))"
    }

    /// Searches for the words of another search.
    mutating func take(_ words: String, in context: Context) -> [Outcome] {
        find?.field = TextField(words)
        return takeWords(in: context)
    }

    /// Tab: searches everywhere for the same words. Esc then restores the screen from before both searches.
    private mutating func searchEverywhere(in context: Context) -> [Outcome] {
        guard let find else { return [] }
        let selection = isAtHit(in: context.main) ? context.pane.timeline.selection : nil
        let link = context.conversation.flatMap { conversation in
            selection.map { Link(conversation: conversation.id, message: $0) }
        }
        let words = find.field.text
        return cancel(in: context) + [.search(.everywhere(words: words.isEmpty ? nil : words, near: link))]
    }

    /// - Parameters:
    ///   - origin: the screen that Esc restores.
    ///   - start: the reply where the search begins; nil in the main timeline.
    mutating func open(towards direction: FindDirection, origin: ScreenPlace?, start: ReplyPlace?, in context: Context)
    {
        former = find
        former?.takeRecount()
        find = Find(
            towards: direction, origin: origin, originIndex: start?.root ?? context.main.selectedPlace,
            formerFolds: context.folds)
        find?.start = start
    }

    private mutating func takeWords(in context: Context) -> [Outcome] {
        guard let find else { return [] }
        let query = context.typed(find.field.text)
        if query.query == find.query.query { return [] }
        self.find?.forgetPlaces()
        self.find?.query = query
        guard !query.isEmpty else { return [.find(.dropHit), .effect(.stop(.places))] + restoreOrigin() }
        let ticket = nextTicket()
        self.find?.epoch = ticket
        self.find?.wanted = [.nearest]
        return [.find(.dropHit)] + collect(in: context) + [.search(.goOn)]
    }

    /// Esc: restores the screen and the search from before.
    private mutating func cancel(in context: Context) -> [Outcome] {
        let folds: [Outcome] = find.map { [.find(.folds($0.formerFolds))] } ?? []
        let outcomes = folds + restoreOrigin()
        (find, former) = (former, nil)
        guard find?.isComplete == false else { return [.close, .effect(.stop(.places))] + outcomes }
        find?.forgetPlaces()
        return [.close] + outcomes + countAgain(in: context)
    }

    /// Enter: ends the typing; the cursor stays at the hit. Without words, searches for the last words again.
    private mutating func accept(in context: Context) -> [Outcome] {
        former = nil
        guard let find, !find.field.isEmpty || !lastQuery.isEmpty else {
            self.find = nil
            return [.close, .effect(.stop(.places))]
        }
        if find.field.isEmpty {
            let begun = begin(lastQuery, towards: find.direction, in: context)
            return [.close] + begun + [.perform(.findNext)]
        }
        let complete = context.complete(find.field.text)
        guard !complete.isEmpty else {
            self.find = nil
            let date = complete.unresolved.first.map { "\($0): not a date" }
            let none = "\"\(find.field.text)\" has no word to search for"
            return [.close, .warn(complete.query.fault?.description ?? date ?? none), .lost, .effect(.stop(.places))]
        }
        remember(find.field.text)
        let origin = noteOrigin(of: find, in: context)
        let thread = find.current.flatMap { hit in find.reply(of: hit).map { [Outcome.find(.showReply($0, of: hit))] } }
        return [.close] + origin + sayWhenNothingIsFound(in: context) + collect(in: context)
            + endTyping(complete, in: context) + (thread ?? [])
    }

    /// Completes the last word, unless the hit at the cursor would be lost: then the word remains a prefix.
    private mutating func endTyping(_ complete: ResolvedQuery, in context: Context) -> [Outcome] {
        guard let find, complete.query != find.query.query else { return [] }
        let isAtHit = find.current != nil && find.landing == context.main.place
        if isAtHit, let message = context.main.selectedMessage, find.query.accepts(message), !complete.accepts(message)
        {
            return openWord(find, in: context)
        }
        return endWord(complete, in: context)
    }

    private func restoreOrigin() -> [Outcome] { find?.origin.map { [.find(.restore($0))] } ?? [] }

    /// Records the start of the search as the start of a jump, even while its hit is loading.
    private mutating func noteOrigin(of find: Find, in context: Context) -> [Outcome] {
        guard let origin = find.origin else { return [] }
        let hasMoved = origin != context.main.place
        guard hasMoved || context.pendingHit != nil else { return [] }
        self.find?.isInHistory = true
        return [.find(hasMoved ? .leave(origin) : .makeJump)]
    }
}

// MARK: - Words

extension Finding {
    /// Starts a search for these words. The cursor stays.
    mutating func begin(_ text: String, towards direction: FindDirection, in context: Context) -> [Outcome] {
        var find = Find(towards: direction, origin: nil, originIndex: context.main.selectedPlace)
        find.field = TextField(text)
        find.query = context.complete(text)
        find.epoch = nextTicket()
        self.find = find
        remember(text)
        return collect(in: context)
    }

    /// Removes the highlights. The words are kept for `n` and for an empty search.
    mutating func end() -> [Outcome] {
        guard find != nil else { return [] }
        find = nil
        return [.effect(.stop(.places))]
    }

    /// Searches for the same words in another conversation.
    mutating func countAgain(in context: Context) -> [Outcome] {
        guard find != nil else { return [] }
        find?.takeRecount()
        let ticket = nextTicket()
        find?.epoch = ticket
        find?.isCollecting = false
        find?.isCarried = true
        return collect(in: context)
    }

    /// Searches again after the messages were read again. The hit at the cursor stays current.
    /// - Parameter hasMoved: true if another message is under the cursor now.
    mutating func lookAgain(hasMoved: Bool, in context: Context) -> [Outcome] {
        former?.forgetPlaces()
        guard let old = find else { return [] }
        find?.forgetPlaces()
        find?.wanted = old.wanted
        if old.current != nil, !hasMoved, let index = context.main.selectedPlace {
            find?.current = FindHit(place: HitPlace(order: index, index: index))
            find?.landing = context.main.place
        }
        // The message where the search began may have another index now.
        find?.start = nil
        let timeline = context.main.timeline
        if let selection = old.origin?.selection, let index = timeline.list.index(of: selection) {
            find?.originIndex = timeline.position(of: index)
        }
        return countAgain(in: context)
    }

    private mutating func collect(in context: Context) -> [Outcome] {
        guard let find, let conversation = context.conversation, !find.query.isEmpty, !find.isCollecting else {
            return []
        }
        self.find?.isCollecting = true
        self.find?.isStale = false
        return [.effect(.ask(.places(find.query, conversation.id), .places(epoch: find.epoch)))]
    }

    /// Completes the last word, which was a prefix so far. The screen stays. If the complete word has hits, only those are
    /// counted from now on.
    private mutating func endWord(_ complete: ResolvedQuery, in context: Context) -> [Outcome] {
        guard let find, let conversation = context.conversation else { return [] }
        // A hit of the complete word is also a hit of its beginning.
        if find.retries.reason != nil || find.isComplete && find.places.count == 0 {
            self.find?.query = complete
            return []
        }
        // A query like `has:li` was not searched for.
        if find.query.isEmpty {
            self.find?.query = complete
            let ticket = nextTicket()
            self.find?.epoch = ticket
            self.find?.wanted = [.nearest]
            return []
        }
        return recount(complete, because: .completion, in: conversation)
    }

    private mutating func recount(
        _ query: ResolvedQuery, because cause: Find.Recount.Cause, in conversation: Conversation
    ) -> [Outcome] {
        let epoch = nextTicket()
        find?.recount = Find.Recount(cause: cause, query: query, epoch: epoch)
        find?.isStale = false
        return [.effect(.ask(.places(query, conversation.id), .places(epoch: epoch)))]
    }

    /// Keeps the last word as a prefix, with a star at its end.
    private mutating func openWord(_ find: Find, in context: Context) -> [Outcome] {
        let open = context.complete(find.field.text + "*")
        guard open.query.differs(from: context.complete(find.field.text).query) else { return [] }
        if !history.isEmpty { history.removeLast() }
        remember(open.text)
        self.find?.recount = nil
        self.find?.isOpened = true
        self.find?.field = TextField(open.text)
        self.find?.query = open
        if find.isComplete, !open.query.differs(from: find.query.query) { return [] }
        let ticket = nextTicket()
        self.find?.epoch = ticket
        self.find?.isCollecting = false
        self.find?.isComplete = false
        self.find?.places = HitPlaces()
        return collect(in: context)
    }
}

// MARK: - Their places

extension Finding {
    /// All changes within this time lead to one collection.
    private static let pause = Duration.milliseconds(500)

    mutating func receive(
        _ epoch: Int, _ result: Result<PlaceBatch, StoreError>, in context: Context
    ) -> [Outcome] {
        guard let find, find.epoch == epoch || find.recount?.epoch == epoch else { return [] }
        switch result {
        case .success(let batch):
            add(batch, isOfRecount: find.recount?.epoch == epoch)
            return [.search(.goOn)]
        case .failure(let error):
            // Starting the second collection has stopped the first.
            guard find.recount == nil || find.recount?.epoch == epoch else { return [] }
            let again = self.find?.retries.fail(error, .places(epoch: epoch))
            guard let again else {
                self.find?.wanted = []
                return context.panel == .find ? [] : [.lost]
            }
            // Waiting steps are performed when another try succeeds.
            return [.effect(again)]
        }
    }

    private mutating func add(_ batch: PlaceBatch, isOfRecount: Bool) {
        guard isOfRecount, let recount = find?.recount else {
            find?.places.append(batch.places)
            find?.progress = batch.progress
            return
        }
        find?.recount?.places.append(batch.places)
        // The hits of the complete words replace those of the typed prefix only if there are any.
        if recount.cause == .completion, find?.isComplete == false, !batch.places.isEmpty {
            find?.takeRecount()
            find?.progress = batch.progress
        }
    }

    mutating func endPlaces(_ epoch: Int, in context: Context) -> [Outcome] {
        guard let now = find, now.epoch == epoch || now.recount?.epoch == epoch, now.retries.reason == nil else {
            return []
        }
        var outcomes: [Outcome] = []
        if let recount = now.recount, recount.epoch == epoch {
            if recount.cause == .completion, recount.places.count == 0 { outcomes += openWord(now, in: context) }
            if find?.recount == nil { return outcomes + [.search(.goOn)] }
            find?.takeRecount()
        }
        guard find?.epoch == epoch else { return [] }
        find?.isComplete = true
        find?.retries = Retries()
        standInThread(in: context)
        let isNothing = context.panel == nil ? sayWhenNothingIsFound(in: context) : []
        return outcomes + [.search(.goOn)] + isNothing + (now.isStale ? recountLater() : [])
    }

    /// Collects again after a failed collection and a pause.
    mutating func retry(_ epoch: Int, in context: Context) -> [Outcome] {
        guard let find, find.retries.reason != nil, let conversation = context.conversation else { return [] }
        if let recount = find.recount, recount.epoch == epoch {
            self.find?.retries.begin()
            return self.recount(recount.query, because: recount.cause, in: conversation)
        }
        guard find.epoch == epoch else { return [] }
        let ticket = nextTicket()
        self.find?.retries.begin()
        self.find?.epoch = ticket
        self.find?.places = HitPlaces()
        self.find?.progress = 0
        self.find?.isCollecting = false
        return collect(in: context)
    }

    /// Finds the number of the current hit again if it is a reply: the search knows only how many hits its thread has. A reply
    /// under the cursor that is a hit of another search becomes the current hit.
    mutating func standInThread(in context: Context) {
        guard let find, let thread = context.thread else { return }
        let known = find.reply.flatMap(thread.timeline.list.index)
        guard let index = known ?? thread.selectedReply else { return }
        let message = thread.timeline.list[index].message
        let place = ReplyPlace(index, in: thread, of: context.main)
        if let ordinal = find.ordinal(at: place, toThe: nil) {
            let isWrapped = find.currentOrdinal == ordinal && find.current?.isWrapped == true
            self.find?.current = FindHit(place: find.places[ordinal], ordinal: ordinal, isWrapped: isWrapped)
            self.find?.reply = message.id
            self.find?.landing = context.main.place
        } else if known != nil, !find.query.accepts(message) {
            self.find?.current = nil
            self.find?.reply = nil
        }
    }

    private func sayWhenNothingIsFound(in context: Context) -> [Outcome] {
        guard let find, find.isComplete, find.places.count == 0, context.notice == nil, !find.isCarried else {
            return []
        }
        let advice = find.query.advice(findsNothing: true).map { "; \($0)" } ?? ""
        let text = "no match for \"\(find.field.text)\" in this conversation\(advice)"
        return [.warn(text, about: .noMatch), .lost]
    }

    // MARK: - Messages that come or change

    /// Call this before the panes apply the changes.
    mutating func take(_ changes: [StoreChange], in context: Context) -> [Outcome] {
        forgetMatch(inChangedBy: changes, in: context)
        if let former, Finding.isChanged(former.query, by: changes, in: context) { self.former?.forgetPlaces() }
        guard let find, !find.isStale, Finding.isChanged(find.query, by: changes, in: context) else { return [] }
        self.find?.isStale = true
        return find.isComplete && find.recount == nil ? recountLater() : []
    }

    /// Forgets the match of the current hit if the text has changed, since it may have another number now, or be gone.
    private mutating func forgetMatch(inChangedBy changes: [StoreChange], in context: Context) {
        guard let current = find?.current, current.inner != nil, let id = context.main.message(at: current.place.index)
        else { return }
        let isChanged = changes.contains { change in
            guard case .updated(let message) = change, message.id == id else { return false }
            return context.main.loaded(id)?.text != message.text
        }
        if isChanged { find?.current?.inner = nil }
    }

    private func recountLater() -> [Outcome] {
        find.map { [.effect(.wait(Finding.pause, .pause(.hits($0.epoch))))] } ?? []
    }

    /// True if changes may add or remove a hit. A message that is not loaded may have been a hit before.
    private static func isChanged(_ query: ResolvedQuery, by changes: [StoreChange], in context: Context) -> Bool {
        guard !query.isEmpty, context.conversation.map(query.accepts) ?? false else { return false }
        return changes.contains { change in
            switch change {
            case .filled: return true
            case .arrived(let message): return query.accepts(message)
            case .updated(let message):
                let before = context.main.loaded(message.id) ?? context.thread?.loaded(message.id)
                // The beginning of a long text does not tell.
                guard let before, before.omitted == 0 else { return true }
                return query.accepts(before) != query.accepts(message)
            default: return false
            }
        }
    }

    /// Collects the hits again after changes: after a pause, or at once for a step.
    mutating func recountStale(in context: Context) -> [Outcome] {
        guard let find, find.isStale, find.isComplete, find.recount == nil, let conversation = context.conversation
        else { return [] }
        return recount(find.query, because: .changes, in: conversation)
    }
}

extension Context {
    /// The hit that is loading.
    var pendingHit: FindHit? {
        if case .hit(let hit)? = main.pending?.destination { hit } else { nil }
    }
}
