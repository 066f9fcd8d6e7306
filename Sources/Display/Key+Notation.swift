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

    /// As settings write it.
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
