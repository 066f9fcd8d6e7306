import Display
import Messages
import Timeline

/// Input that is not complete yet.
struct InputState: Sendable {
    /// True if a text has changed and still has to be processed as a whole.
    var isTyping = false
    /// The digits of a number before `%`.
    var digits = ""
    /// True if the user was told that a key does nothing. This is told once.
    var hasToldOfKey = false
    /// The first key of a sequence.
    var prefix: Key?
    /// The time when several lines last came in one read; nil if they never did.
    var linesCame: Timestamp?
    /// Input that waits for the requested place, in order.
    var held: [Input] = []
    /// The pane in which the first held input is a step, and its screen before the step. The step went only to the end of the
    /// window, so it is repeated from that screen when more messages have come.
    var stance: (pane: Int, before: Timeline<MessageRuler>.Stance)?
    /// True if the current input has requested a place that cannot be reached.
    var isLost = false
}

/// Keys and pasted text.
extension Model {
    /// - Parameter areHeld: true if the input has waited for a place that is on the screen now.
    mutating func take(_ inputs: [Input], areHeld: Bool = false) -> [Effect] {
        var effects: [Effect] = []
        var typed: [Character] = []
        var dropped: [Input] = []
        inputState.isLost = false
        if !inputs.isEmpty { rooms.membership.justMoved = nil }
        if !areHeld { giveUpSteps(for: inputs) }
        for next in areHeld ? inputs : linesAsPaste(inputs) {
            let input = withoutLineFeed(next)
            if takesText, inputState.prefix == nil, case .key(.character(let character)) = input, !mustHold(input),
                !inputState.isLost
            {
                typed.append(character)
                continue
            }
            effects += insert(typed)
            typed = []
            if case .key(let key) = input, layers.help == nil, keymap.action(for: key, in: keyContext) == .cancel,
                giveUpAwaited()
            {
                continue
            }
            if inputState.isLost, !isAtOnce(input) {
                dropped.append(input)
            } else if mustHold(input) {
                hold(input)
            } else {
                effects += use(input)
            }
        }
        effects += insert(typed)
        tellOfDropped(dropped)
        return effects + finishTyping()
    }

    /// Before Kedge has set up the terminal, that turns Enter into a line feed, which means nothing else outside a text.
    private func withoutLineFeed(_ input: Input) -> Input {
        let feed = Key.control("j")
        return input == .key(feed) && keymap.action(for: feed, in: keyContext) == nil ? .key(.enter) : input
    }

    private mutating func use(_ input: Input) -> [Effect] {
        let (panel, hasThread) = (panel, openThread != nil)
        var effects: [Effect]
        switch input {
        case .key(let key): effects = press(key)
        case .mouse(let mouse):
            inputState.prefix = nil
            effects = use(mouse)
        case .paste(let text):
            inputState.prefix = nil
            effects = paste(text)
        }
        // The panes get their new height first, since the next key may scroll by a screen.
        if panel != self.panel || hasThread != (openThread != nil) {
            effects += fitPanes()
        }
        return effects
    }

    /// True if letters are text.
    private var takesText: Bool {
        layers.help != nil || panel != nil && panel != .picture && layers.prompt?.takesText != false
    }

    /// Pasted characters are text, never keys.
    private mutating func paste(_ text: String) -> [Effect] {
        guard layers.help == nil, panel != .picture else { return [] }
        var effects: [Effect] = []
        // A slow connection may separate the Esc at the beginning of a paste from the rest. That Esc has closed the composer.
        if panel == nil, let left = writing.left, left.place == writingPlace,
            (0..<10_000).contains(now.milliseconds - left.at.milliseconds)
        {
            effects = inWriting { writing, context in writing.beginAgain(in: context) }
        }
        guard takesText else {
            tell("press \(keymap.keyName(.compose)) to write, then paste")
            return effects
        }
        if panel?.keys == .composing, text.utf8.count > TextArea.longestPaste {
            warn(Composer.tooLong)
            return effects
        }
        let characters = TextArea.clean(text)
        return effects + insert(panel?.keys == .composing ? characters : characters.map { $0.isWhitespace ? " " : $0 })
    }

    private mutating func insert(_ characters: [Character]) -> [Effect] {
        guard !characters.isEmpty else { return [] }
        notice = nil
        if layers.help != nil { return inHelp(.text(characters)) }
        return carryOut(handle(.text(characters)))
    }

    private mutating func inHelp(_ event: PanelEvent) -> [Effect] {
        let size = size
        if layers.help?.handle(event, in: size) == false { layers.help = nil }
        return []
    }

    /// Processes a text as a whole when no more input waits, or before another action, since a paste comes as thousands
    /// of keys.
    mutating func finishTyping() -> [Effect] {
        guard inputState.isTyping else { return [] }
        inputState.isTyping = false
        return carryOut(handle(.settled))
    }

    mutating func press(_ key: Key) -> [Effect] {
        notice = nil
        writing.left = nil
        if let prefix = inputState.prefix {
            inputState.prefix = nil
            let whole = Key.sequence(prefix, key)
            // A key that continues no sequence has its own meaning.
            return keymap.action(for: whole, in: keyContext) == nil ? take([.key(key)]) : press(whole)
        }
        if layers.prompt?.takesText != false, layers.help == nil, keymap.action(for: key, in: keyContext) == nil,
            keymap.isPrefix(key, in: keyContext)
        {
            inputState.prefix = key
            tell("\(key) …")
            return []
        }
        if layers.prompt?.takesText == false, layers.help == nil, keymap.action(for: key, in: .typing) != .help {
            return carryOut(handle(.key(key)))
        }
        if panel == nil, layers.help == nil, takeDigit(key) { return [] }
        defer { inputState.digits = "" }
        reader.pane.mouse.isDragging = false
        let action = keymap.action(for: key, in: keyContext)
        if let action, [.interrupt, .suspend, .redraw].contains(action) { return act(action) }
        if layers.help != nil { return action.map { inHelp(.action($0)) } ?? [] }
        if action == .help { return act(.help) }
        if let step = step(of: action, key), panel?.isBesideMessages != false { return self.step(step) }
        holdStep(.key(key))
        if panel == nil {
            guard let action else {
                tellOfUnknownKey()
                return []
            }
            return act(action)
        }
        guard let action else { return [] }
        // Not for an action that edits no text, nor for Backspace in an empty text, which closes it.
        if handle(.edit(action)).contains(where: \.isTyped) {
            inputState.isTyping = true
            return []
        }
        let effects = finishTyping()
        // ↑ and ↓ need not wait: they replace the words whose match is awaited.
        let bringsWords = panel == .find && [.up, .down].contains(action)
        if awaitedInPanel != nil, action != .cancel, action != .fieldBackspace, !bringsWords {
            hold(.key(key))
            return effects
        }
        return effects + carryOut(handle(.action(action)))
    }

    /// Keeps digits until `%` is pressed: `50%` jumps to a percentage of the conversation.
    private mutating func takeDigit(_ key: Key) -> Bool {
        guard opening == .shown, case .character(let character) = key, character.isASCII, character.isNumber,
            inputState.digits.count < 3, keymap.action(for: key) == nil
        else { return false }
        inputState.digits.append(character)
        return true
    }

    private mutating func tellOfUnknownKey() {
        guard !inputState.hasToldOfKey else { return }
        inputState.hasToldOfKey = true
        tell("this key does nothing; \(keymap.keyName(.help)) shows all keys")
    }

    /// The current context of the keys.
    var keyContext: Keymap.Context { layers.help == nil ? panel?.keys ?? .conversation : .typing }

    /// The step to another conversation that a key stands for.
    private func step(of action: Action?, _ key: Key) -> Sidebar.Step? {
        switch (action, key) {
        case (.previousConversation, _): .by(-1)
        case (.nextConversation, _): .by(1)
        case (.conversationByNumber, let key): keymap.number(of: key).map { .row($0) }
        default: nil
        }
    }

    /// Performs an action, from a key or from the list of commands. Actions that lead elsewhere are handled here, the others in
    /// the pane.
    mutating func act(_ action: Action) -> [Effect] {
        switch action {
        case .interrupt: return [.quit(.interrupted)]
        case .suspend: return [.suspend]
        case .redraw: return [.redraw]
        case .help: layers.help = Help(keymap, in: keyContext)
        case .quit: return [.quit(.done)]
        case .switcher: return openSwitcher()
        case .list: toggleSidebar()
        case .previousConversation: return step(.by(-1))
        case .nextConversation: return step(.by(1))
        case .searchEverywhere: return carryOut([.search(.everywhere(words: nil))])
        // The summaries say where something is unread.
        case .nextUnread:
            reader.trail.seeksUnread = true
            return [loadSummaries()]
        case .commands, .bookmarks, .mentions, .threads: return carryOut(layers.act(action, in: context))
        case .cancel: return cancel()
        default: return opening == .shown ? actInConversation(action) : actInPane(action)
        }
        return []
    }

    private mutating func actInConversation(_ action: Action) -> [Effect] {
        if let refusal = pane.refusal(of: action, keymap) { return carryOut([refusal]) }
        switch action {
        case .find: return inReader { $0.openFind(towards: .newer, $1) }
        case .findBackward: return inReader { $0.openFind(towards: .older, $1) }
        case .findNext: return inFind { $0.step(again: true, in: $1) }
        case .findPrevious: return inFind { $0.step(again: false, in: $1) }
        case .back: return inReader { $0.goBack($1) }
        case .forward: return inReader { $0.walk(by: 1, $1) }
        case .date:
            reader.dropPending()
            layers.ask(DatePrompt())
        case .firstUnread: return inReader { $0.goToFirstUnread($1) }
        case .share:
            guard let percent = Int(inputState.digits) else {
                tell("type a number first: 50% is the middle of the conversation")
                return []
            }
            return carryOut([.go(.position(PageRequest.Position(percentage: "\(min(percent, 100))%") ?? .latest))])
        case .compose, .reply, .edit, .delete, .react, .resend: return inWriting { $0.act(action, in: $1) ?? [] }
        case .reactions, .versions, .members, .writeFile, .bookmark, .goToBookmark:
            return carryOut(layers.act(action, in: context))
        case .thread: return inReader { $0.toggleThread($1) }
        case .markRead: return conversation.map { carryOut([.list(.mark(.read, $0.id))]) } ?? []
        case .markUnread: return inReader { $0.markUnreadFromSelected($1) }
        case .mute: return conversation.map { carryOut([.list(.mute($0.id))]) } ?? []
        case .leave: askToLeave()
        case .exactTimes: screen.clockStyle.toggle()
        case .leftPane: reader.panes.focus(main.number)
        case .rightPane: if let thread = openThread { reader.panes.focus(thread.number) }
        default: return actInPane(action)
        }
        return []
    }

    private mutating func actInPane(_ action: Action) -> [Effect] {
        inPane(pane.number) { $0.handle(.action(action), in: $1) }
    }

    /// Esc cancels the loading place, else the tasks in the status line, else the selection of several messages, else
    /// the search, else it closes the thread.
    private mutating func cancel() -> [Effect] {
        if tasks.areShown {
            tasks.giveUp()
            return []
        }
        return carryOut(reader.cancel())
    }
}

extension Model {
    // MARK: - Lines without marks

    /// A terminal that does not mark a paste sends it as keys, with several lines in one read. These are text, so an Enter among
    /// them sends nothing. The rest of such a paste may come a little later. The key that opens the composer may still wait for a
    /// place.
    mutating func linesAsPaste(_ inputs: [Input]) -> [Input] {
        guard panel == .composer || willCompose, layers.help == nil, inputState.prefix == nil else { return inputs }
        let typed = inputs.lazy.map(\.typedCharacter).prefix { $0 != nil }.compactMap(\.self)
        let hasLines = typed.lastIndex { !$0.isNewline }.map { typed[..<$0].contains(where: \.isNewline) } ?? false
        // A single Enter soon counts as a key again: the user may send the pasted text.
        let limit: Int64 = typed.count > 1 ? 1_000 : 100
        let goesOn = inputState.linesCame.map { (0..<limit).contains(now.milliseconds - $0.milliseconds) } ?? false
        if hasLines || goesOn && typed.count > 1 { inputState.linesCame = now }
        guard hasLines || goesOn && typed.contains(where: \.isNewline) else { return inputs }
        return [.paste(String(typed))] + inputs.dropFirst(typed.count)
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

/// The actions of the mouse.
extension Model {
    mutating func use(_ mouse: Mouse) -> [Effect] {
        if case .press = mouse.action { notice = nil }
        if layers.help != nil { return inHelp(.mouse(mouse)) }
        if let panel, !panel.isBesideMessages { return carryOut(handle(.mouse(mouse))) }
        if case .press = mouse.action, panel == .composer, let effects = placeCursor(mouse.position) {
            return effects
        }
        if let effects = useSidebar(mouse) { return effects }
        return opening == .shown ? useInPanes(mouse) : []
    }

    /// A press on the text that is being written places the cursor.
    private mutating func placeCursor(_ position: ScreenPosition) -> [Effect]? {
        let (rows, context) = (rows, context)
        let place = ScreenPosition(row: position.row - rows.title - rows.day - rows.messages, column: position.column)
        return writing.placeCursor(at: place, rows: rows.composer, in: context).map { carryOut($0) }
    }

    /// The wheel scrolls the pane under the mouse. A press gives that pane the keys. A drag stays with the pane where it
    /// began.
    private mutating func useInPanes(_ mouse: Mouse) -> [Effect] {
        let under = paneUnder(mouse)
        switch mouse.action {
        case .wheelUp, .wheelDown: return use(mouse, in: under)
        case .press:
            // A text that is being written belongs to the pane that has the keys.
            if panel == nil { reader.panes.focus(under) }
            return pane.number == under ? use(mouse, in: under) : []
        case .drag, .release: return use(mouse, in: pane.number)
        }
    }

    private mutating func use(_ mouse: Mouse, in number: Int) -> [Effect] {
        guard let pane = reader.panes[number] else { return [] }
        let position = ScreenPosition(
            row: mouse.position.row - rows.title - rows.day - headRows(of: pane),
            column: mouse.position.column - columns(of: pane).lowerBound)
        if number == self.pane.number { holdStep(.mouse(mouse)) }
        return inPane(number) { $0.handle(.mouse(Mouse(mouse.action, at: position)), in: $1) }
    }

    /// The number of the pane under the mouse.
    private func paneUnder(_ mouse: Mouse) -> Int {
        guard let thread = openThread, split.thread?.contains(mouse.position.column) == true else { return main.number }
        return thread.number
    }
}
