import Display
import Messages
import Timeline

/// Keys and pasted text.
extension Model {
    /// - Parameter areHeld: true if the input has waited for a place that is on the screen now.
    mutating func take(_ inputs: [Input], areHeld: Bool = false) -> [Effect] {
        var effects: [Effect] = []
        var typed: [Character] = []
        var dropped: [Input] = []
        inputState.isLost = false
        if !inputs.isEmpty { rooms.membership.justMoved = nil }
        if !areHeld { inputState.giveUpSteps(for: inputs, in: inputContext) }
        for next in areHeld ? inputs : inputState.linesAsPaste(inputs, in: inputContext) {
            let (input, character) = inputState.read(next, in: inputContext)
            if let character {
                typed.append(character)
                continue
            }
            effects += insert(typed)
            typed = []
            if inputContext.isCancel(input), giveUpAwaited() { continue }
            switch inputState.fate(of: input, in: inputContext) {
            case .dropped: dropped.append(input)
            case .held: effects += inInput { $0.hold(input, in: $1) }
            case .used: effects += use(input)
            }
        }
        effects += insert(typed) + carryOut(InputState.dropped(dropped, notice))
        return effects + finishTyping()
    }

    /// Uses the held input when its place or list has arrived.
    mutating func takeHeld() -> [Effect] {
        guard inputState.isReady(in: inputContext) else { return [] }
        if let stance = inputState.stance, stance.pane == pane.number {
            let shown = pane.timeline
            reader.pane.timeline.resume(stance.before)
            guard !inputState.awaitsPage(in: inputContext) else {
                reader.pane.timeline = shown
                return []
            }
        }
        return take(inputState.release(), areHeld: true)
    }

    /// Esc cancels the requested place, and the input that waits for it.
    /// - Returns: false if nothing was cancelled.
    private mutating func giveUpAwaited() -> Bool {
        let hasHeld = !inputState.release().isEmpty
        // A request that restores the earlier screen is not cancelled: Esc is easily pressed twice.
        guard inputContext.awaitedPlace(nil) != nil, inputContext.awaitedJump?.isRestoring != true else {
            return hasHeld && (panel == nil || panel == .composer)
        }
        _ = carryOut([.notice(nil), .stayHere])
        return hasHeld || inputContext.awaitedPlace(nil) == nil
    }

    private mutating func use(_ input: Input) -> [Effect] {
        let (panel, hasThread) = (panel, openThread != nil)
        var effects: [Effect]
        if case .key = input {} else { inputState.prefix = nil }
        switch input {
        case .key(let key): effects = press(key)
        case .mouse(let mouse): effects = use(mouse)
        case .paste(let text): effects = paste(text)
        }
        // The panes get their new height first, since the next key may scroll by a screen.
        if panel != self.panel || hasThread != (openThread != nil) { effects += fitPanes() }
        return effects
    }

    /// Pasted characters are text, never keys.
    private mutating func paste(_ text: String) -> [Effect] {
        guard layers.help == nil, panel != .picture else { return [] }
        let effects = inWriting { $0.goOn(in: $1) }
        guard inputContext.takesText else {
            return effects + carryOut([.tell("press \(keymap.keyName(.compose)) to write, then paste")])
        }
        guard panel?.keys == .composing else {
            return effects + insert(TextArea.clean(text).map { $0.isWhitespace ? " " : $0 })
        }
        guard text.utf8.count <= TextArea.longestPaste else { return effects + carryOut([.warn(Composer.tooLong)]) }
        return effects + insert(TextArea.clean(text))
    }

    private mutating func insert(_ characters: [Character]) -> [Effect] {
        guard !characters.isEmpty else { return [] }
        notice = nil
        return layers.help == nil ? carryOut(handle(.text(characters))) : inHelp(.text(characters))
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

    private mutating func press(_ key: Key) -> [Effect] {
        notice = nil
        writing.left = nil
        let (meaning, outcomes) = inputState.meaning(of: key, in: inputContext)
        switch meaning {
        case .part: return carryOut(outcomes)
        case .alone: return take([.key(key)])
        case .sequence(let whole): return press(whole)
        case .answer: return carryOut(handle(.key(key)))
        case .action(let action):
            defer { inputState.digits = "" }
            reader.pane.mouse.isDragging = false
            return use(action, of: key)
        }
    }

    private mutating func use(_ action: Action?, of key: Key) -> [Effect] {
        if let action, [.interrupt, .suspend, .redraw].contains(action) { return act(action) }
        if layers.help != nil { return action.map { inHelp(.action($0)) } ?? [] }
        if action == .help { return act(.help) }
        if panel?.isBesideMessages != false, let step = Sidebar.Step(action, key, keymap) {
            return inRooms { $0.step(step, in: $1) }
        }
        let held = inInput { $0.holdStep(.key(key), in: $1) }
        guard let action else { return held + (panel == nil ? inInput { $0.tellOfUnknownKey($1.keymap) } : []) }
        if panel == nil { return held + act(action) }
        // Not for an action that edits no text, nor for Backspace in an empty text, which closes it.
        if handle(.edit(action)).contains(where: \.isTyped) {
            inputState.isTyping = true
            return []
        }
        let effects = finishTyping()
        // ↑ and ↓ need not wait: they replace the words whose match is awaited.
        let bringsWords = panel == .find && [.up, .down].contains(action)
        if inputContext.awaitedInPanel != nil, action != .cancel, action != .fieldBackspace, !bringsWords {
            return effects + inInput { $0.hold(.key(key), in: $1) }
        }
        return effects + carryOut(handle(.action(action)))
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
        let rows = rows
        let row = mouse.position.row - rows.title
        if let outcomes = rooms.use(mouse, row: row, height: rows.list, in: context) { return carryOut(outcomes) }
        guard opening == .shown, let number = reader.pane(taking: mouse, outside) else { return [] }
        let isFocused = number == pane.number
        return (isFocused ? inInput { $0.holdStep(.mouse(mouse), in: $1) } : [])
            + inReader { $0.use(mouse, in: number, rows, $1) }
    }

    /// A press on the text that is being written places the cursor.
    private mutating func placeCursor(_ position: ScreenPosition) -> [Effect]? {
        let (rows, context) = (rows, context)
        let place = ScreenPosition(row: position.row - rows.title - rows.day - rows.messages, column: position.column)
        return writing.placeCursor(at: place, rows: rows.composer, in: context).map { carryOut($0) }
    }
}
