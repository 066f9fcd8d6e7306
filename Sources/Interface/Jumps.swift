import Display
import Messages
import Search
import Timeline

/// The places where jumps started, as in a browser: the user goes back to them and forward again. A new jump drops those
/// ahead.
struct JumpHistory: Hashable, Sendable {
    static let limit = 1_000

    private(set) var back: [ScreenPlace] = []
    private(set) var forward: [ScreenPlace] = []

    /// Notes where a jump started.
    mutating func leave(_ place: ScreenPlace) {
        forward = []
        guard back.last != place else { return }
        back.append(place)
        if back.count > JumpHistory.limit { back.removeFirst() }
    }

    /// Notes that some steps back have led to another place.
    mutating func wentBack(_ steps: Int, from place: ScreenPlace) {
        JumpHistory.walk(steps, from: place, &back, &forward)
    }

    mutating func wentForward(_ steps: Int, from place: ScreenPlace) {
        JumpHistory.walk(steps, from: place, &forward, &back)
    }

    private static func walk(
        _ steps: Int, from place: ScreenPlace, _ ahead: inout [ScreenPlace], _ other: inout [ScreenPlace]
    ) {
        var left = place
        for _ in 0..<min(steps, ahead.count) { other.append(exchange(&left, with: ahead.removeLast())) }
    }

    /// Drops places at the ends that are on the screen already, since a step to them would do nothing.
    mutating func skip(_ place: ScreenPlace?) {
        while let place, back.last == place { back.removeLast() }
        while let place, forward.last == place { forward.removeLast() }
    }

    /// Drops a place that does not exist any more.
    mutating func forget(_ place: ScreenPlace) {
        back.removeAll { $0 == place }
        forward.removeAll { $0 == place }
    }
}

/// The user's way through the conversations.
struct Trail: Sendable {
    /// Where each conversation was left.
    var leftAt: [ConversationID: ScreenPlace] = [:]
    /// The conversation that was on the screen before the current one.
    var former: ConversationID?
    /// The conversations that were shown.
    var visited: [ConversationID: Conversation] = [:]
    /// The messages that the user folded (true) or unfolded, so that coming back gives the same screen.
    var folds: [ConversationID: [MessageID: Bool]] = [:]
    /// Whether the program began in the switcher. A conversation that cannot be shown then leads back there.
    var beganInSwitcher = false
    /// Whether the summaries that are being loaded shall lead to an unread conversation.
    var seeksUnread = false
    /// Whether all titles were asked for, since a message came into a conversation without a known title.
    var hasAskedForTitles = false
}

/// A screen as a place to come back to, whatever is loaded or evicted meanwhile: an anchored row, and a selection. Two screens are the
/// same place even if their surroundings differ: the messages that may take the place of the anchored one, and the thread beside it,
/// and the line of unread messages.
struct ScreenPlace: Hashable, Sendable {
    let conversation: ConversationID
    /// Nil when the conversation was empty.
    let anchor: Anchor<MessageID>?
    let selection: MessageID?
    let isFollowing: Bool
    /// The message that was marked.
    let target: MessageID?
    /// Messages that take the place of the anchored one when it is gone.
    var substitutes = Substitutes()
    /// The thread beside it, or in front of it on a narrow screen.
    var beside: ThreadBeside?
    /// The line of unread messages of the conversation; nil if it had none, or has not been left.
    var line: Reading.Line?

    struct Substitutes: Sendable {
        static let limit = 50

        /// The messages nearest to the anchored one, the nearest first.
        var ids: [MessageID] = []
        /// The time of the anchored message: the place to open when all of them are gone.
        var moment = Timestamp(milliseconds: 0)
    }

    static func == (a: ScreenPlace, b: ScreenPlace) -> Bool {
        (a.conversation, a.anchor, a.selection, a.isFollowing, a.target)
            == (b.conversation, b.anchor, b.selection, b.isFollowing, b.target)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(conversation)
        hasher.combine(anchor)
        hasher.combine(selection)
    }

    /// The page with the anchored message or its substitute.
    var position: PageRequest.Position {
        guard let anchor, !isFollowing else { return .latest }
        return .survivor(of: [anchor.id] + substitutes.ids, near: substitutes.moment)
    }

    /// The anchor for a substitute: the first row of its text stands where the anchored row stood.
    func anchor(substituting id: MessageID) -> Anchor<MessageID>? {
        anchor.map { Anchor(id: id, place: 0, screenRow: $0.screenRow) }
    }
}

/// A thread as a place to come back to.
struct ThreadBeside: Hashable, Sendable {
    let root: MessageID
    let anchor: Anchor<MessageID>?
    let selection: MessageID?
    let isFollowing: Bool
    let target: MessageID?
    /// Whether it had the keys.
    let hasKeys: Bool

    init?(_ pane: Pane, hasKeys: Bool) {
        guard let root = pane.thread else { return nil }
        let place = pane.place
        (self.root, self.hasKeys) = (root, hasKeys)
        (anchor, selection, target) = (place?.anchor, place?.selection, place?.target)
        isFollowing = place?.isFollowing ?? true
    }

    func place(in conversation: ConversationID) -> ScreenPlace {
        ScreenPlace(
            conversation: conversation, anchor: anchor, selection: selection, isFollowing: isFollowing, target: target)
    }
}

/// Jumps to other places, and the way back.
extension Model {
    mutating func goToBeginning(_ leaving: ListRequest.Leaving = .jump) -> [Effect] {
        go(to: .position(.earliest), leaving: leaving)
    }

    mutating func goToEnd(_ leaving: ListRequest.Leaving = .jump) -> [Effect] {
        let effects = go(to: .position(.latest), leaving: leaving)
        if pending != nil { return effects }
        pane.timeline.lookForNewer()
        return effects + carryOut(pane.viewportMoved())
    }

    /// Goes to a place of this conversation: at once if the window holds it, else when its page has come.
    /// - Parameter number: of the pane; nil for the one that has the keys.
    mutating func go(
        to destination: ListRequest.Destination, leaving: ListRequest.Leaving = .jump, on number: Int? = nil
    ) -> [Effect] {
        guard let conversation else { return [] }
        return go(to: destination, in: conversation, leaving: leaving, on: number)
    }

    mutating func go(
        to destination: ListRequest.Destination, in conversation: Conversation, leaving: ListRequest.Leaving = .jump,
        on number: Int? = nil
    ) -> [Effect] {
        switch destination {
        case .hit, .reply: break
        default: finding.giveUp()
        }
        let beside = threadBeside
        leaveThread(for: destination, in: conversation, on: number)
        let number = number ?? pane.number
        var left = panes[number]?.place
        if number == main.number { left?.beside = beside }
        guard left != nil, conversation.id == self.conversation?.id,
            panes.change(number, { $0.show(destination) }) == true
        else {
            let effects = request(destination, in: conversation, leaving: leaving, on: number)
            if number == main.number { panes.main.pending?.beside = beside }
            return effects
        }
        var effects = arrive(at: destination)
        note(leaving, from: left, on: number)
        panes.change(number) { $0.dropPending() }
        effects += searchOn(destination)
        return effects + carryOut(panes.change(number) { $0.viewportMoved() })
    }

    /// Goes to a message of the main timeline, or of the open thread if that shows it. A message of another thread is found from its
    /// root.
    mutating func go(toMain message: MessageID, in conversation: Conversation) -> [Effect] {
        let isInThread = openThread?.timeline.list.index(of: message) != nil
        return go(to: .position(.message(message)), in: conversation, on: isInThread ? pane.number : main.number)
    }

    /// The thread that is open, as a place to come back to.
    var threadBeside: ThreadBeside? { openThread.flatMap { ThreadBeside($0, hasKeys: isInThread) } }

    /// The screen of the conversation, with the thread beside it.
    var placeToLeave: ScreenPlace? {
        var place = main.place
        place?.beside = threadBeside
        return place
    }

    /// A thread has only its own messages, and a hit of the search everywhere may be anywhere.
    private mutating func leaveThread(
        for destination: ListRequest.Destination, in conversation: Conversation, on number: Int?
    ) {
        switch destination {
        case .found: return leaveThread()
        case .position(.message) where number == main.number: return leaveThread()
        case .hit(let hit) where !hit.place.isReply: return leaveThread()
        default: break
        }
        if conversation.id != self.conversation?.id { leaveThread() }
    }

    /// The requested place is on the screen.
    mutating func arrive(at destination: ListRequest.Destination) -> [Effect] {
        switch destination {
        case .hit(let hit):
            if let id = main.message(at: hit.place.index) { openRun(at: id) }
            return land(on: hit)
        case .position(.message(let id)): openRun(at: id)
        case .found(let id, _):
            openRun(at: id)
            // The hit may have been deleted since it was found.
            if main.isDeleted(id) { warn("this message has been deleted since it was found") }
        case .place(let place): return reopen(place.beside)
        case .reply:
            if let id = pane.target, pane.isThread { finding.land(onReply: id) }
        case .position, .unread, .again: break
        }
        return []
    }

    /// Brings back the thread that stood beside a place.
    mutating func reopen(_ beside: ThreadBeside?) -> [Effect] {
        // While words are typed, the screen before them is shown now and then.
        guard let conversation, panel != .find else { return [] }
        guard let beside else {
            if openThread?.isFromSearch == true { closeThread() }
            return []
        }
        if let thread = openThread, thread.thread == beside.root {
            if beside.hasKeys { panes.focus(thread.number) }
            return []
        }
        let effects = showThread(beside.root, at: .place(beside.place(in: conversation.id)))
        if !beside.hasKeys { panes.focus(main.number) }
        return effects
    }

    /// A presence line that was asked for is shown in its unfolded run.
    private mutating func openRun(at id: MessageID) {
        guard let conversation, let item = panes.main.openRun(at: id) else { return }
        trail.folds[conversation.id, default: [:]][item] = false
    }

    /// After a jump to a hit of the search everywhere, its words are the search in the conversation.
    mutating func searchOn(_ destination: ListRequest.Destination) -> [Effect] {
        guard case .found(_, let words) = destination else { return [] }
        let effects = carryOut(finding.begin(words, towards: .newer, in: context))
        finding.find?.isEverywhere = search.conversations.count > 1
        if let target = main.target, target == main.timeline.selection, let index = main.selectedPlace {
            revealHit()
            finding.stand(at: index, landing: main.place)
        }
        return effects
    }

    mutating func go(toShare position: PageRequest.Position, leaving: ListRequest.Leaving = .jump) -> [Effect] {
        switch position {
        case .earliest: goToBeginning(leaving)
        case .latest: goToEnd(leaving)
        default: go(to: .position(position), leaving: leaving)
        }
    }
}

// MARK: - Hits

extension Model {
    /// The search has led to a hit.
    private mutating func land(on hit: Find.Hit) -> [Effect] {
        revealHit()
        finding.land(on: hit, landing: main.place)
        if hit.place.isReply {
            guard panel != .find, let reply = find?.reply(of: hit) else { return [] }
            return show(reply, of: hit)
        }
        if let match = finding.find.flatMap({ main.timeline.arrival(hit.direction, of: $0.query) }) { show(match) }
        return []
    }

    /// Shows a match of a long message, to which the search has led.
    mutating func show(_ match: Find.Hit.Inner) {
        guard let conversation, let id = main.timeline.selection else { return }
        if panes.main.timeline.showSelected(match.place) { trail.folds[conversation.id, default: [:]][id] = false }
        finding.land(on: match, landing: main.place)
    }

    /// Opens the thread of a hit, at the hit.
    mutating func show(_ reply: ListRequest.Reply, of hit: Find.Hit) -> [Effect] {
        guard let root = main.message(at: hit.place.index), main.loaded(root).map({ $0.replyCount > 0 }) == true else {
            tell("\(find?.standing(isAtHit: true) ?? "") · a reply in a thread whose first message is not here")
            return []
        }
        let effects = showThread(root, at: .reply(reply))
        pane.isFromSearch = true
        return effects
    }

    /// Brings a hit in the selected message onto the screen.
    private mutating func revealHit() {
        guard let conversation, let query = finding.find?.query, let id = main.timeline.selection else { return }
        if panes.main.timeline.revealHit(of: query) { trail.folds[conversation.id, default: [:]][id] = false }
    }

    /// Messages that the search unfolded are folded again.
    mutating func restoreFolds(_ former: [MessageID: Bool]) -> [Effect] {
        guard let conversation else { return [] }
        let now = trail.folds[conversation.id] ?? [:]
        for id in Set(now.keys).union(former.keys) where now[id] != former[id] {
            panes.main.timeline.setFold(former[id], of: id)
        }
        trail.folds[conversation.id] = former
        return carryOut(panes.main.viewportMoved())
    }

    /// The folds of the conversation that is shown.
    var currentFolds: [MessageID: Bool] { conversation.flatMap { trail.folds[$0.id] } ?? [:] }
}

// MARK: - History

extension Model {
    /// Notes the place that was left, if it may be needed again.
    mutating func note(_ leaving: ListRequest.Leaving, from place: ScreenPlace?, on number: Int) {
        guard let place else { return }
        if place.conversation != conversation?.id {
            trail.leftAt[place.conversation] = place
            // Who chooses the conversation again goes to the conversation; only going back leads to its thread.
            trail.leftAt[place.conversation]?.beside = nil
        }
        panes.change(number) { $0.note(leaving, from: place) }
    }

    /// Back. Before the first jump in a thread this leads to the conversation.
    mutating func goBack() -> [Effect] {
        if isInThread, pending == nil {
            pane.history.skip(place)
            if history.back.isEmpty {
                // The search has led here: its steps are one jump.
                let isFromSearch = pane.isFromSearch
                closeThread()
                return isFromSearch ? walk(by: -1) : []
            }
        }
        return walk(by: -1)
    }

    mutating func goForward() -> [Effect] { walk(by: 1) }

    /// Goes through the history. Steps during a load count from the place that is being loaded.
    private mutating func walk(by step: Int) -> [Effect] {
        if pending == nil { pane.history.skip(place) }
        var steps = step
        switch pending?.leaving {
        case .back(let others)?: steps -= others
        case .forward(let others)?: steps += others
        case .jump?, .nothing?, .reload?, nil: break
        }
        guard steps != 0 else {
            dropPending()
            return []
        }
        let places = steps < 0 ? history.back : history.forward
        guard abs(steps) <= places.count else {
            if pending == nil {
                tell(step < 0 ? "nothing to go back to" : "nothing to go forward to")
            }
            return []
        }
        let place = places[places.count - abs(steps)]
        return go(
            to: .place(place), in: known(place.conversation), leaving: steps < 0 ? .back(-steps) : .forward(steps))
    }

    /// Gives up the list on its way.
    mutating func dropPending() {
        guard opening == .shown else { return }
        pane.dropPending()
        finding.giveUp()
    }
}

/// Jumps to a percentage of the conversation: digits, and `%`.
extension Model {
    /// Keeps digits until `%` is pressed.
    mutating func takeDigit(_ key: Key) -> Bool {
        guard opening == .shown, case .character(let character) = key, character.isASCII, character.isNumber,
            inputState.digits.count < 3, keymap.action(for: key) == nil
        else { return false }
        inputState.digits.append(character)
        return true
    }

    /// Goes to the message at this percentage of the conversation.
    mutating func goToShare() -> [Effect] {
        guard let percent = Int(inputState.digits) else {
            tell("type a number first: 50% is the middle of the conversation")
            return []
        }
        return go(toShare: PageRequest.Position(percentage: "\(min(percent, 100))%") ?? .latest)
    }
}
