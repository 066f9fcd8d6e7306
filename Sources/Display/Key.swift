/// A key or a combination of keys that a terminal can distinguish from others.
package enum Key: Hashable, Sendable {
    case character(Character)
    /// A lower-case letter, or one of `@[\]^_`. Combinations that terminals use for keys come as those keys: ^I is
    /// `tab`, ^M `enter`, ^[ `escape`, ^? `backspace`.
    case control(Character)
    /// A key with Alt held, or after Esc. Alt-Enter is `altEnter`.
    case alt(Character)
    case enter, escape, tab, backTab, backspace, delete, insert
    case up, down, left, right, pageUp, pageDown, home, end
    case function(Int)
    /// A key for moving or deleting with modifiers held: Ctrl-←, Alt-↑, Ctrl-Del.
    indirect case held(Modifiers, Key)
    /// Two keys one after the other, as in ^X ^E. A terminal never sends it.
    indirect case sequence(Key, Key)

    package static let altEnter = Key.alt("\n")
    package static let altUp = Key.held(.alt, .up)
    package static let altDown = Key.held(.alt, .down)

    package struct Modifiers: OptionSet, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)

        /// Their names, in the order in which people write them.
        static let names: [(name: String, modifier: Modifiers)] = [("Ctrl", control), ("Alt", alt), ("Shift", shift)]
    }

    /// The first key of a sequence; nil for a single key.
    package var first: Key? { if case .sequence(let first, _) = self { first } else { nil } }
}

extension Key: CustomStringConvertible {
    /// The name of the key, as the help shows it: "↑", "PgUp", "^E", "Alt-a", "F1", "Space", "^←".
    package var description: String {
        switch self {
        case .character(let character): Self.name(of: character)
        case .control("@"): "^Space"
        case .control(let character): "^" + character.uppercased()
        case .alt(let character): "Alt-" + Self.name(of: character)
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .insert: "Ins"
        case .up: "↑"
        case .down: "↓"
        case .left: "←"
        case .right: "→"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .function(let number): "F\(number)"
        case .held(let modifiers, let key):
            (modifiers.contains(.control) ? "^" : "")
                + Modifiers.names.dropFirst().filter { modifiers.contains($0.modifier) }.map { $0.name + "-" }.joined()
                + "\(key)"
        case .sequence(let first, let second): "\(first) \(second)"
        }
    }

    private static func name(of character: Character) -> String {
        switch character {
        case " ": "Space"
        case "\n": "Enter"
        case "\t": "Tab"
        case "\u{7F}": "Backspace"
        default: String(character)
        }
    }
}

/// Keys as settings write them: `r`, `ctrl-k`, `alt-1`, `pageup`, `f1`, `space`, and two in a row: `ctrl-x ctrl-e`.
extension Key {
    /// The names of keys; the first of several for the same key is the one to show.
    private static let named: [(name: String, key: Key)] = [
        ("space", .character(" ")), ("enter", .enter), ("return", .enter), ("escape", .escape), ("esc", .escape),
        ("tab", .tab), ("shift-tab", .backTab), ("backspace", .backspace), ("delete", .delete), ("del", .delete),
        ("insert", .insert), ("ins", .insert), ("up", .up), ("down", .down), ("left", .left), ("right", .right),
        ("pageup", .pageUp), ("pgup", .pageUp), ("pagedown", .pageDown), ("pgdn", .pageDown), ("home", .home),
        ("end", .end), ("alt-enter", .altEnter),
        ("alt-backspace", .alt("\u{7F}")), ("alt-tab", .alt("\t")), ("alt-space", .alt(" ")),
        ("ctrl-space", .control("@")),
    ]

    /// The combinations that a terminal sends as another key.
    private static let sameAs: [Character: Key] = [
        "i": .tab, "m": .enter, "[": .escape, "?": .backspace, "h": .backspace, "/": .control("_"),
    ]

    /// - Parameter text: names of keys in any case, `^k` for `ctrl-k`, two keys with a blank between.
    package init?(notation text: String) {
        let parts = text.split(separator: " ")
        if parts.count == 2, let first = Key(notation: String(parts[0])), let second = Key(notation: String(parts[1])) {
            self = .sequence(first, second)
            return
        }
        let lower = text.lowercased()
        if let named = Key.named.first(where: { $0.name == lower }) {
            self = named.key
        } else if text.count == 1, let character = text.first, !Key.isControl(character) {
            self = .character(character)
        } else if let key = Key.control(lower) ?? Key.alt(text, lower) ?? Key.function(lower) ?? Key.held(lower) {
            self = key
        } else {
            return nil
        }
    }

    private static func control(_ text: String) -> Key? {
        let rest = text.hasPrefix("ctrl-") ? text.dropFirst(5) : text.hasPrefix("^") ? text.dropFirst(1) : ""
        guard rest.count == 1, let character = rest.first else { return nil }
        if let key = sameAs[character] { return key }
        return "a"..."z" ~= character || "@\\]^_".contains(character) ? .control(character) : nil
    }

    private static func alt(_ text: String, _ lower: String) -> Key? {
        let rest = text.dropFirst(4)
        guard lower.hasPrefix("alt-"), rest.count == 1, let character = rest.first, !isControl(character) else {
            return nil
        }
        return .alt(character)
    }

    private static func function(_ text: String) -> Key? {
        guard text.hasPrefix("f"), let number = Int(text.dropFirst()), (1...24).contains(number) else { return nil }
        return text == "f\(number)" ? .function(number) : nil
    }

    /// The keys that terminals report with modifiers.
    private static let holdable: [Key] = [
        .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .insert, .delete, .backspace,
    ]

    /// `ctrl-left`, `ctrl-shift-delete`, with the modifiers in any order.
    private static func held(_ text: String) -> Key? {
        var (rest, modifiers) = (text[...], Modifiers())
        while let next = Modifiers.names.first(where: { rest.hasPrefix($0.name.lowercased() + "-") }) {
            rest = rest.dropFirst(next.name.count + 1)
            guard modifiers.insert(next.modifier).inserted else { return nil }
        }
        guard !modifiers.isEmpty, let key = named.first(where: { $0.name == rest })?.key, holdable.contains(key) else {
            return nil
        }
        return .held(modifiers, key)
    }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The name of the key as settings write it.
    package var notation: String {
        if let named = Key.named.first(where: { $0.key == self }) { return named.name }
        return switch self {
        case .character(let character): String(character)
        case .control(let character): "ctrl-\(character)"
        case .alt(let character): "alt-\(character)"
        case .function(let number): "f\(number)"
        case .held(let modifiers, let key):
            Modifiers.names.filter { modifiers.contains($0.modifier) }.map { $0.name.lowercased() + "-" }.joined()
                + key.notation
        case .sequence(let first, let second): "\(first.notation) \(second.notation)"
        default: description
        }
    }
}

/// An action of the user, by keyboard or mouse.
package enum Input: Hashable, Sendable {
    case key(Key)
    case mouse(Mouse)
    /// Text that was pasted from the terminal's clipboard. It may hold anything.
    case paste(String)
}

/// An action of the mouse over a cell of the screen. Only the left button counts.
package struct Mouse: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// The button went down; 2 clicks for the second press in quick succession on the same cell.
        case press(clicks: Int)
        /// The mouse moved with the button down.
        case drag
        case release
        case wheelUp
        case wheelDown
    }

    package let action: Action
    package let position: ScreenPosition

    package init(_ action: Action, at position: ScreenPosition) {
        self.action = action
        self.position = position
    }
}
