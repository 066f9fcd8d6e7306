import Display
import Messages
import Timeline

/// The values that decide what input means now: the panel that has the keys, and what is on its way.
struct InputContext {
    let keymap: Keymap
    /// The time of the last event.
    let now: Timestamp
    let panel: Panel?
    /// True if the help is open.
    let hasHelp: Bool
    /// False while a question takes single keys as its answer; nil without a question.
    let promptTakesText: Bool?
    /// The conversation on the screen.
    let conversation: ConversationID?
    let panes: Panes
    /// True while a step of the search waits for its match.
    let isSeeking: Bool
    let nameOfMatch: String
    /// The name of a conversation that can be requested only when something else is known.
    let awaitedElsewhere: String?
    /// The name of the conversation that the switcher makes or joins.
    let awaitedInSwitcher: String?
    /// The thing that the list on the screen waits for before a key can choose from it.
    let awaitedRows: String?
    /// The columns in which the mouse is for the list at the left.
    let sidebarColumns: Int
    let notice: Notice?

    /// The pane that has the keys.
    var pane: Pane { panes.focused }

    /// The context of the keys.
    var keys: Keymap.Context { hasHelp ? .typing : panel?.keys ?? .conversation }

    /// True if letters are text.
    var takesText: Bool { hasHelp || panel != nil && panel != .picture && promptTakesText != false }

    func action(for key: Key) -> Action? { keymap.action(for: key, in: keys) }

    /// The thing that the open panel waits for before a key can choose from it.
    var awaitedInPanel: String? {
        switch panel {
        case .find: isSeeking || awaitedJump != nil ? nameOfMatch : nil
        case .search, .switcher, .sheet: awaitedRows
        case nil, .composer, .prompt, .picture: nil
        }
    }

    /// The requested list of messages, in any pane. A reload does not count: its place is on the screen already.
    var awaitedJump: ListRequest? {
        let jumps = [panes.main.pending, panes.thread?.pending].compactMap(\.self)
        return jumps.first { $0.leaving != .reload }
    }

    /// The name of the requested place that is not on the screen yet.
    /// - Parameter first: the first input that waits for it.
    func awaitedPlace(_ first: Input?) -> String? {
        switch panel {
        case nil:
            if let awaitedJump { return name(of: awaitedJump) }
            return isSeeking ? nameOfMatch : awaitedElsewhere
        // A text belongs to its conversation, so input waits only for another conversation, or behind a key that leaves the text.
        case .composer:
            let isLeaving = first.map(leavesText) ?? false
            if let awaitedJump, isLeaving && !awaitedJump.isWaiting || awaitedJump.conversation.id != conversation {
                return name(of: awaitedJump)
            }
            return awaitedElsewhere
        case .switcher: return awaitedInSwitcher
        case .find, .search, .prompt, .sheet, .picture: return nil
        }
    }

    private func name(of request: ListRequest) -> String {
        request.conversation.id == conversation ? request.name : request.conversation.title
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

    /// True if an input needs the whole text of the selected message, but only the beginning is loaded.
    func awaitsText(_ input: Input) -> Bool {
        guard panel == nil, case .key(let key) = input, let message = pane.selectedMessage, message.omitted > 0 else {
            return false
        }
        return isAboutMessage(input) || [.findNext, .findPrevious].contains(action(for: key))
    }
}

/// Kinds of input.
extension InputContext {
    /// True if an input continues from the loading place, or leads to another one instead.
    func leadsOn(_ input: Input) -> Bool {
        let jump = awaitedJump
        switch input {
        case .paste: return false
        case .mouse(let mouse):
            if mouse.position.column < sidebarColumns { return true }
            return pane.mouse.isDragging && mouse.wheelRows == nil
        case .key(let key):
            let isOpening = panes.main.opening != .shown && awaitedElsewhere == nil
            switch action(for: key) {
            case .findNext, .findPrevious:
                if case .hit? = panes.main.pending?.destination { return true }
                return isSeeking
            case .back: if case .back? = jump?.leaving { return true }
            case .forward: if case .forward? = jump?.leaving { return true }
            case .end: return jump?.isWaiting == true && jump?.position == .latest
            case .beginning: return jump?.isWaiting == true && jump?.position == .earliest
            case .previousConversation, .nextConversation, .conversationByNumber:
                if isOpening { return true }
                // A loading hit of a search is reached first, since the user may want to go back to it.
                guard let jump, awaitedElsewhere == nil, jump.conversation.id != conversation else { return false }
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
    func leavesText(_ input: Input) -> Bool {
        guard panel == .composer, case .key(let key) = input else { return false }
        switch action(for: key) {
        case .previousConversation, .nextConversation, .conversationByNumber: return true
        default: return false
        }
    }

    func isStep(_ input: Input) -> Bool {
        switch input {
        case .key(let key): action(for: key).map(Pane.steps.contains) ?? false
        case .mouse(let mouse): mouse.wheelRows != nil
        case .paste: false
        }
    }

    func isAboutMessage(_ input: Input) -> Bool {
        guard panel == nil, case .key(let key) = input else { return false }
        return action(for: key)?.isAboutMessage ?? false
    }

    /// True if a key opens a panel or a line that takes the next keys.
    func opensLine(_ input: Input) -> Bool {
        guard panel == nil, case .key(let key) = input else { return true }
        return action(for: key)?.opensInput ?? false
    }

    func isCancel(_ input: Input) -> Bool {
        guard case .key(let key) = input, !hasHelp else { return false }
        return action(for: key) == .cancel
    }

    /// Before Kedge has set up the terminal, that turns Enter into a line feed, which means nothing else outside a text.
    func withoutLineFeed(_ input: Input) -> Input {
        let feed = Key.control("j")
        return input == .key(feed) && action(for: feed) == nil ? .key(.enter) : input
    }
}

/// Input that is not complete yet, or that waits.
struct InputState: Sendable {
    /// True if a text has changed and still has to be processed as a whole.
    var isTyping = false
    /// The digits of a number before `%`.
    var digits = ""
    /// True if the user was told that a key does nothing. This is told once.
    private var hasToldOfKey = false
    /// The first key of a sequence.
    var prefix: Key?
    /// The time when several lines last came in one read; nil if they never did.
    private var linesCame: Timestamp?
    /// Input that waits for the requested place, in order.
    var held: [Input] = []
    /// The pane in which the first held input is a step, and its screen before the step. The step went only to the end of the
    /// window, so it is repeated from that screen when more messages have come.
    var stance: (pane: Int, before: Timeline<MessageRuler>.Stance)?
    /// True if the current input has requested a place that cannot be reached.
    var isLost = false

    /// The meaning of a key.
    enum Meaning {
        /// The key is a part of a sequence or of a number.
        case part
        /// The key continues no sequence, and has its own meaning.
        case alone
        /// The key ends a sequence.
        case sequence(Key)
        /// The key is the answer to a question.
        case answer
        case action(Action?)
    }

    mutating func meaning(of key: Key, in context: InputContext) -> (Meaning, [Outcome]) {
        if let prefix {
            self.prefix = nil
            let whole = Key.sequence(prefix, key)
            return (context.action(for: whole) == nil ? .alone : .sequence(whole), [])
        }
        let asksForKey = context.promptTakesText == false && !context.hasHelp
        if context.promptTakesText != false, !context.hasHelp, context.action(for: key) == nil,
            context.keymap.isPrefix(key, in: context.keys)
        {
            prefix = key
            return (.part, [.tell("\(key) …")])
        }
        if asksForKey, context.keymap.action(for: key, in: .typing) != .help { return (.answer, []) }
        if context.panel == nil, !context.hasHelp, takeDigit(key, in: context) { return (.part, []) }
        return (.action(context.action(for: key)), [])
    }

    /// Keeps digits until `%` is pressed.
    private mutating func takeDigit(_ key: Key, in context: InputContext) -> Bool {
        guard context.pane.opening == .shown, case .character(let character) = key, character.isASCII,
            character.isNumber, digits.count < 3, context.keymap.action(for: key) == nil
        else { return false }
        digits.append(character)
        return true
    }

    /// `%`: goes to this percentage of the conversation.
    func goToShare() -> [Outcome] {
        guard let percent = Int(digits) else {
            return [.tell("type a number first: 50% is the middle of the conversation")]
        }
        return [.go(.position(PageRequest.Position(percentage: "\(min(percent, 100))%") ?? .latest))]
    }

    mutating func tellOfUnknownKey(_ keymap: Keymap) -> [Outcome] {
        guard !hasToldOfKey else { return [] }
        hasToldOfKey = true
        return [.tell("this key does nothing; \(keymap.keyName(.help)) shows all keys")]
    }

    /// A terminal that does not mark a paste sends it as keys, with several lines in one read. These are text, so an Enter among
    /// them sends nothing. The rest of such a paste may come a little later. The key that opens the composer may still wait for a
    /// place.
    mutating func linesAsPaste(_ inputs: [Input], in context: InputContext) -> [Input] {
        guard context.panel == .composer || willCompose(in: context), !context.hasHelp, prefix == nil else {
            return inputs
        }
        let typed = inputs.lazy.map(\.typedCharacter).prefix { $0 != nil }.compactMap(\.self)
        let hasLines = typed.lastIndex { !$0.isNewline }.map { typed[..<$0].contains(where: \.isNewline) } ?? false
        // A single Enter soon counts as a key again: the user may send the pasted text.
        let limit: Int64 = typed.count > 1 ? 1_000 : 100
        let goesOn = linesCame.map { (0..<limit).contains(context.now.milliseconds - $0.milliseconds) } ?? false
        if hasLines || goesOn && typed.count > 1 { linesCame = context.now }
        guard hasLines || goesOn && typed.contains(where: \.isNewline) else { return inputs }
        return [.paste(String(typed))] + inputs.dropFirst(typed.count)
    }

    /// True if the first held key that opens a panel or a line opens the composer.
    private func willCompose(in context: InputContext) -> Bool {
        guard context.panel == nil, case .key(let key)? = held.first(where: context.opensLine),
            let action = context.action(for: key)
        else { return false }
        return [.compose, .reply, .edit].contains(action)
    }
}

extension Input {
    /// The character for a key that was pasted, not typed.
    fileprivate var typedCharacter: Character? {
        switch self {
        case .key(.character(let character)): character
        case .key(.enter): "\r"
        case .key(.control("j")): "\n"
        case .key(.tab): "\t"
        case .key, .mouse, .paste: nil
        }
    }
}
