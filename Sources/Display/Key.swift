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
    case altUp, altDown
    case function(Int)
    /// Two keys one after the other, as in ^X ^E. A terminal never sends it.
    indirect case sequence(Key, Key)

    package static let altEnter = Key.alt("\n")

    /// The first key of a sequence; nil for a single key.
    package var first: Key? { if case .sequence(let first, _) = self { first } else { nil } }
}

extension Key: CustomStringConvertible {
    /// As the help shows it: "↑", "PgUp", "^E", "Alt-a", "F1", "Space".
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
        case .altUp: "Alt-↑"
        case .altDown: "Alt-↓"
        case .left: "←"
        case .right: "→"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .function(let number): "F\(number)"
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
