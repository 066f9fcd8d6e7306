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
extension InputState {
    /// The most inputs to hold. Only a key that is stuck sends more.
    private static let mostHeld = 100_000

    /// What becomes of an input that is not text.
    enum Fate {
        case used, held
        /// The place for which it is meant cannot be reached.
        case dropped
    }

    /// An input as it is meant, and its character if it is text for the open panel.
    func read(_ next: Input, in context: InputContext) -> (input: Input, character: Character?) {
        let input = context.withoutLineFeed(next)
        return (input, character(of: input, in: context))
    }

    /// The character of an input that is text for the open panel.
    func character(of input: Input, in context: InputContext) -> Character? {
        guard prefix == nil, !isLost, case .key(.character(let character)) = input, context.takesText,
            !mustHold(input, in: context)
        else { return nil }
        return character
    }

    func fate(of input: Input, in context: InputContext) -> Fate {
        if isLost, !isAtOnce(input, in: context) { return .dropped }
        return mustHold(input, in: context) ? .held : .used
    }

    /// Holds an input for later. A press of the mouse is meant for the current screen, so it cannot be held.
    mutating func hold(_ input: Input, in context: InputContext) -> [Outcome] {
        if case .mouse(let mouse) = input {
            switch mouse.action {
            case .wheelUp, .wheelDown: break
            case .press(let clicks):
                guard clicks == 1, let place = context.awaitedPlace(held.first) else { return [] }
                return [.tell("\(place) is on its way; click when it is here")]
            case .drag, .release: return []
            }
        }
        guard held.count < InputState.mostHeld else { return [.warn("too many keys wait; this one was dropped")] }
        held.append(input)
        return []
    }

    /// Holds a step that leads beyond the loaded messages. Meanwhile it goes to the last one of them.
    mutating func holdStep(_ input: Input, in context: InputContext) -> [Outcome] {
        guard context.awaitsPage(input) else { return [] }
        let pane = context.pane
        stance = pane.timeline.stance.map { (pane: pane.number, before: $0) }
        return hold(input, in: context)
    }

    /// True if an input has to be held.
    private func mustHold(_ input: Input, in context: InputContext) -> Bool {
        if context.hasHelp || isAtOnce(input, in: context) { return false }
        if !held.isEmpty || context.awaitedJump?.isWaiting == false && context.leavesText(input) { return true }
        if context.awaitsText(input) { return true }
        return context.awaitedPlace(held.first) != nil && !context.leadsOn(input)
    }

    /// True if an input acts at once, even during a load, because it does not depend on the place.
    private func isAtOnce(_ input: Input, in context: InputContext) -> Bool {
        guard case .key(let key) = input else { return false }
        switch context.action(for: key) {
        case .interrupt, .suspend, .redraw: return true
        // A letter may be part of the text for a line that a held key opens.
        case .help, .quit:
            return context.keymap.action(for: key, in: .typing) != nil || !held.contains(where: context.opensLine)
        default: return false
        }
    }

    /// The thing that the next key waits for, in words for the user; nil when it need not wait.
    private func awaited(in context: InputContext) -> String? {
        context.awaitedPlace(held.first) ?? context.awaitedInPanel
    }

    /// True if the place or the list for which input waits has arrived.
    func isReady(in context: InputContext) -> Bool {
        guard let first = held.first else { return false }
        return !context.hasHelp && awaited(in: context) == nil && !context.awaitsText(first)
    }

    /// True if the first held input is a step whose page is still loading.
    func awaitsPage(in context: InputContext) -> Bool {
        held.first.map { context.awaitsPage($0, orRetry: true) } ?? false
    }

    /// The held input, which is held no longer.
    mutating func release() -> [Input] {
        defer { (held, stance) = ([], nil) }
        return held
    }

    /// Drops the held input and the rest of the current input, because the requested place cannot be reached.
    /// - Parameter notice: the reason.
    mutating func lose(_ notice: Notice?) -> [Outcome] {
        isLost = true
        return InputState.dropped(release(), notice)
    }

    /// Says which input was dropped.
    static func dropped(_ inputs: [Input], _ notice: Notice?) -> [Outcome] {
        guard !inputs.isEmpty else { return [] }
        let text = "not carried out: \(words(for: inputs))"
        guard let notice else { return [.warn(text)] }
        // The text about the dropped keys comes first, since a narrow screen cuts the rest.
        return [.warn("\(text) · \(notice.text)", about: notice.subject)]
    }

    /// Drops steps that wait for a page when other keys come, unless those need the message that the steps lead to. Enter at a page
    /// that could not be loaded requests that again.
    mutating func giveUpSteps(for inputs: [Input], in context: InputContext) {
        guard let first = held.first, awaited(in: context) == nil, held.allSatisfy(context.isStep) else { return }
        let hasFailed = !context.awaitsPage(first)
        let givesUp = { [self] (input: Input) -> Bool in
            if hasFailed, case .key(let key) = input, context.action(for: key) == .activate { return true }
            return !context.isStep(input) && !context.isAboutMessage(input) && !isAtOnce(input, in: context)
        }
        if inputs.contains(where: givesUp) { _ = release() }
    }

    // MARK: - In words

    /// `"r" waits for the beginning… Esc gives up`
    func notice(in context: InputContext) -> Span? {
        guard let first = held.first else { return nil }
        var place = awaited(in: context)
        if place == nil, context.awaitsPage(first, orRetry: true) { place = "more messages" }
        if place == nil, context.awaitsText(first) { place = context.pane.selectedText.name }
        guard let place else { return nil }
        // A list that may come in a moment is not announced.
        let main = context.panes.main
        let isSlow = main.isSlow || context.panes.thread?.isSlow == true
        if context.awaitedJump != nil, main.opening == .shown, !isSlow, context.panel == nil { return nil }
        let count = held.count
        let isSteps = held.allSatisfy(context.isStep)
        let keys = isSteps ? "\(count.grouped) \(count == 1 ? "step" : "steps")" : InputState.words(for: held)
        let waits = "\(keys) \(count == 1 ? "waits" : "wait") for \(place)…"
        if case .list(_, let failure?)? = context.notice?.subject {
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
