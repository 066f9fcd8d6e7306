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
    /// As the help shows it: "↑", "PgUp", "^E", "Alt-a", "F1", "Space", "^←".
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
