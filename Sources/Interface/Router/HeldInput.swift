import Display
import Messages
import Timeline

/// Input is meant for the place that the user has requested, never for the one that is being left:
///
///     input ─→ a place is loading ─────→ held ┬→ the place is on the screen ─→ used, as if it came now
///                                            └→ it cannot be reached ─→ dropped, and the user is told
///
/// The same is true for a list that has nothing to choose from yet, and for steps beyond the loaded messages while their page is
/// loading. Only Esc cancels the loading.
extension Model {
    /// The most inputs to hold. Only a key that is stuck sends more.
    private static let mostHeld = 100_000

    /// Holds an input for later. A press of the mouse is meant for the current screen, so it cannot be held.
    mutating func hold(_ input: Input) {
        if case .mouse(let mouse) = input {
            switch mouse.action {
            case .wheelUp, .wheelDown: break
            case .press(let clicks):
                if clicks == 1, let place = awaitedPlace { tell("\(place) is on its way; click when it is here") }
                return
            case .drag, .release: return
            }
        }
        guard inputState.held.count < Model.mostHeld else { return warn("too many keys wait; this one was dropped") }
        inputState.held.append(input)
    }

    /// True if an input has to be held.
    func mustHold(_ input: Input) -> Bool {
        if layers.help != nil || isAtOnce(input) { return false }
        if !inputState.held.isEmpty || awaitedJump?.isWaiting == false && leavesText(input) { return true }
        if awaitsText(input) { return true }
        return awaitedPlace != nil && !leadsOn(input)
    }

    /// Uses the held input when its place or list has arrived.
    mutating func takeHeld() -> [Effect] {
        guard let first = inputState.held.first, layers.help == nil, awaited == nil, !awaitsText(first) else {
            return []
        }
        if let stance = inputState.stance, stance.pane == pane.number {
            let shown = pane.timeline
            reader.pane.timeline.resume(stance.before)
            guard !awaitsPage(first, orRetry: true) else {
                reader.pane.timeline = shown
                return []
            }
        }
        return take(releaseHeld(), areHeld: true)
    }

    private mutating func releaseHeld() -> [Input] {
        defer { (inputState.held, inputState.stance) = ([], nil) }
        return inputState.held
    }

    /// Drops the held input and the rest of the current input, because the requested place cannot be reached.
    mutating func dropHeld() {
        inputState.isLost = true
        tellOfDropped(releaseHeld())
    }

    mutating func tellOfDropped(_ inputs: [Input]) {
        guard !inputs.isEmpty else { return }
        let text = "not carried out: \(Model.words(for: inputs))"
        guard let reason = notice?.text else { return warn(text) }
        // The text about the dropped keys comes first, since a narrow screen cuts the rest.
        notice?.text = "\(text) · \(reason)"
        notice?.isWarning = true
    }

    /// Esc cancels the requested place, and the input that waits for it.
    /// - Returns: false if nothing was cancelled.
    mutating func giveUpAwaited() -> Bool {
        let hasHeld = !releaseHeld().isEmpty
        let isRestoring = awaitedJump?.isRestoring == true
        // A request that restores the earlier screen is not cancelled: Esc is easily pressed twice.
        if awaitedPlace != nil, !isRestoring {
            notice = nil
            stayHere()
            return hasHeld || awaitedPlace == nil
        }
        return hasHeld && panel.map { $0 == .composer } ?? true
    }

    /// Drops steps that wait for a page when other keys come, unless those need the message that the steps lead to. Enter at a page
    /// that could not be loaded requests that again.
    mutating func giveUpSteps(for inputs: [Input]) {
        guard let first = inputState.held.first, awaited == nil, inputState.held.allSatisfy(isStep) else { return }
        let hasFailed = !awaitsPage(first)
        let givesUp = { (input: Input) -> Bool in
            if hasFailed, case .key(let key) = input, self.action(for: key) == .activate { return true }
            return !self.isStep(input) && !self.isAboutMessage(input) && !self.isAtOnce(input)
        }
        if inputs.contains(where: givesUp) { _ = releaseHeld() }
    }
}

// MARK: - What is on its way

extension Model {
    /// The thing that the next key waits for, in words for the user; nil when it need not wait.
    private var awaited: String? { awaitedPlace ?? awaitedInPanel }

    /// The name of the requested place that is not on the screen yet.
    private var awaitedPlace: String? {
        switch panel {
        case nil:
            if let awaitedJump { return name(of: awaitedJump) }
            return isSeeking ? reader.finding.nameOfMatch : awaitedElsewhere
        // A text belongs to its conversation, so input waits only for another conversation, or behind a key that leaves the text.
        case .composer:
            let isLeaving = inputState.held.first.map(leavesText) ?? false
            if let awaitedJump, isLeaving && !awaitedJump.isWaiting || awaitedJump.conversation.id != conversation?.id {
                return name(of: awaitedJump)
            }
            return awaitedElsewhere
        case .switcher: return rooms.switcher.isMaking ? "the new conversation" : rooms.membership.joining?.name
        case .find, .search, .prompt, .sheet, .picture: return nil
        }
    }

    /// The requested list of messages, in any pane. A reload does not count: its place is on the screen already.
    private var awaitedJump: ListRequest? {
        let jumps = [main.pending, openThread?.pending].compactMap(\.self)
        return jumps.first { $0.leaving != .reload }
    }

    private var isSeeking: Bool { find?.wanted.isEmpty == false }

    /// The name of a conversation that can be requested only when something else is known.
    private var awaitedElsewhere: String? {
        if let joining = rooms.membership.joining { return joining.name }
        if reader.trail.seeksUnread { return "a conversation with something new" }
        if let wanted = reader.bookmarks.wanted { return "bookmark \(wanted.letter)" }
        return rooms.membership.wanted != nil || rooms.sidebar.wanted != nil ? "the list of conversations" : nil
    }

    /// The thing that the open list waits for before a key can choose from it.
    var awaitedInPanel: String? {
        switch panel {
        case .find: isSeeking || awaitedJump != nil ? reader.finding.nameOfMatch : nil
        case .search: search.awaitsHits ? "the first hit" : nil
        case .switcher: rooms.switcher.awaitsList(hasHeld: !inputState.held.isEmpty) ? "the list" : nil
        case .sheet: layers.sheet?.awaitsRows(hasHeld: !inputState.held.isEmpty) == true ? "the list" : nil
        case nil, .composer, .prompt, .picture: nil
        }
    }

    /// True if a step leads beyond the loaded messages while their page is loading.
    /// - Parameter orRetry: true to include a page that will be requested again, because it could not be loaded.
    func awaitsPage(_ input: Input, orRetry: Bool = false) -> Bool {
        switch input {
        case .key(let key):
            guard let action = action(for: key),
                panel == nil || panel == .composer && [.pageUp, .pageDown].contains(action)
            else { return false }
            return pane.awaitsPage(action, orRetry: orRetry)
        case .mouse(let mouse):
            return mouse.wheelRows.map { pane.awaitsPage(scrollingBy: $0, orRetry: orRetry) } ?? false
        case .paste: return false
        }
    }

    /// Holds a step that leads beyond the loaded messages. Meanwhile it goes to the last one of them.
    mutating func holdStep(_ input: Input) {
        guard awaitsPage(input) else { return }
        inputState.stance = pane.timeline.stance.map { (pane: pane.number, before: $0) }
        hold(input)
    }

    /// True if an input needs the whole text of the selected message, but only the beginning is loaded.
    private func awaitsText(_ input: Input) -> Bool {
        guard panel == nil, case .key(let key) = input, let message = pane.selectedMessage, message.omitted > 0 else {
            return false
        }
        return isAboutMessage(input) || [.findNext, .findPrevious].contains(action(for: key))
    }

    private func name(of request: ListRequest) -> String {
        request.conversation.id == conversation?.id ? request.name : request.conversation.title
    }
}

// MARK: - Kinds of input

extension Model {
    private func action(for key: Key) -> Action? { keymap.action(for: key, in: keyContext) }

    /// True if an input acts at once, even during a load, because it does not depend on the place.
    func isAtOnce(_ input: Input) -> Bool {
        guard case .key(let key) = input else { return false }
        switch action(for: key) {
        case .interrupt, .suspend, .redraw: return true
        // A letter may be part of the text for a line that a held key opens.
        case .help, .quit:
            return keymap.action(for: key, in: .typing) != nil || !inputState.held.contains(where: opensLine)
        default: return false
        }
    }

    /// True if an input continues from the loading place, or leads to another one instead.
    private func leadsOn(_ input: Input) -> Bool {
        let jump = awaitedJump
        switch input {
        case .paste: return false
        case .mouse(let mouse):
            if mouse.position.column < sidebarColumns || rooms.sidebar.isDragging { return true }
            return pane.mouse.isDragging && mouse.wheelRows == nil
        case .key(let key):
            let isOpening = main.opening != .shown && awaitedElsewhere == nil
            switch action(for: key) {
            case .findNext, .findPrevious: return isSeeking || context.pendingHit != nil
            case .back: if case .back? = jump?.leaving { return true }
            case .forward: if case .forward? = jump?.leaving { return true }
            case .end: return jump?.isWaiting == true && jump?.position == .latest
            case .beginning: return jump?.isWaiting == true && jump?.position == .earliest
            case .previousConversation, .nextConversation, .conversationByNumber:
                if isOpening { return true }
                // A loading hit of a search is reached first, since the user may want to go back to it.
                guard let jump, awaitedElsewhere == nil, jump.conversation.id != conversation?.id else { return false }
                if case .found = jump.destination { return false } else { return true }
            case .switcher, .searchEverywhere, .commands, .bookmarks, .mentions, .threads, .nextUnread, .list:
                return isOpening
            case .activate:
                if case .failed = pane.opening { return true }
                // Enter retries a failed load at once.
                return panel == nil && pane.pending?.isWaiting == true
            default: break
            }
            return false
        }
    }

    /// True if an input leads from a text to another conversation. Such a key waits for a loading jump: a second one must not
    /// lead back before the composer closes on arrival, and a sent text first scrolls its conversation to the end.
    private func leavesText(_ input: Input) -> Bool {
        guard panel == .composer, case .key(let key) = input else { return false }
        switch action(for: key) {
        case .previousConversation, .nextConversation, .conversationByNumber: return true
        default: return false
        }
    }

    private func isStep(_ input: Input) -> Bool {
        switch input {
        case .key(let key): action(for: key).map(Pane.steps.contains) ?? false
        case .mouse(let mouse): mouse.wheelRows != nil
        case .paste: false
        }
    }

    private func isAboutMessage(_ input: Input) -> Bool {
        guard panel == nil, case .key(let key) = input else { return false }
        return action(for: key)?.isAboutMessage ?? false
    }

    /// True if a key opens a panel or a line that takes the next keys.
    private func opensLine(_ input: Input) -> Bool {
        guard panel == nil, case .key(let key) = input else { return true }
        return action(for: key)?.opensInput ?? false
    }

    /// True if the first held key that opens a panel or a line opens the composer.
    var willCompose: Bool {
        guard panel == nil, case .key(let key)? = inputState.held.first(where: opensLine), let action = action(for: key)
        else { return false }
        return [.compose, .reply, .edit].contains(action)
    }
}

// MARK: - In words

extension Model {
    /// `"r" waits for the beginning… Esc gives up`; else the notice.
    var statusNotice: Span? {
        if let heldNotice { return heldNotice }
        let hasMatch = find.map { $0.places.count > 0 } ?? false
        return notice?.subject == .noMatch && hasMatch ? nil : notice?.span
    }

    var heldNotice: Span? {
        guard let first = inputState.held.first else { return nil }
        var place = awaited
        if place == nil, awaitsPage(first, orRetry: true) { place = "more messages" }
        if place == nil, awaitsText(first) { place = pane.selectedText.name }
        guard let place else { return nil }
        // A list that may come in a moment is not announced.
        let isSoon = awaitedJump != nil && main.opening == .shown && !main.isSlow && openThread?.isSlow != true
        if isSoon, panel == nil { return nil }
        let count = inputState.held.count
        let isSteps = inputState.held.allSatisfy(isStep)
        let held = isSteps ? "\(count.grouped) \(count == 1 ? "step" : "steps")" : Model.words(for: inputState.held)
        let waits = "\(held) \(count == 1 ? "waits" : "wait") for \(place)…"
        if case .list(_, let failure?)? = notice?.subject {
            return Span(CleanText("\(waits) \(failure)"), Style(.warning))
        }
        return Span(CleanText("\(waits) Esc gives up"), Style(.accent))
    }

    /// The keys in quotes; the last ones if they are many.
    private static func words(for inputs: [Input]) -> String {
        let shown = 24
        let words = inputs.suffix(shown).map { input in
            switch input {
            case .key(.character(let character)): String(character)
            case .key(let key): " \(key) "
            case .paste(let text): String(text.suffix(shown))
            case .mouse: " wheel "
            }
        }
        let text = words.joined()
        let isWhole = inputs.count <= shown && text.count <= shown
        return "\"\(isWhole ? "" : "…")\(text.suffix(shown))\""
    }
}
