package import Display

/// What the user can ask for.
package enum Action: Hashable, Sendable, CaseIterable {
    case up, down, rowUp, rowDown, pageUp, pageDown, halfUp, halfDown, beginning, end
    case activate, redraw, suspend, help, cancel, interrupt, quit
}

/// A key, what it does and how the help names it, in one place.
package struct Binding: Hashable, Sendable {
    package let keys: [Key]
    package let action: Action
    let help: String
    /// A word for the status line, where the key is worth being seen there.
    let hint: String?

    init(_ keys: [Key], _ action: Action, _ help: String, hint: String? = nil) {
        (self.keys, self.action, self.help, self.hint) = (keys, action, help, hint)
    }
}

/// The table of keys. Help and status line are made from it.
package struct Keymap: Hashable, Sendable {
    package struct Section: Hashable, Sendable {
        let title: String
        let bindings: [Binding]
    }

    package let sections: [Section]
    private let actions: [Key: Action]

    init(sections: [Section]) {
        self.sections = sections
        let pairs = sections.flatMap(\.bindings).flatMap { binding in binding.keys.map { ($0, binding.action) } }
        actions = Dictionary(pairs) { first, _ in first }
    }

    package func action(for key: Key) -> Action? { actions[key] }

    package var bindings: [Binding] { sections.flatMap(\.bindings) }
}

extension Keymap {
    package static let standard = Keymap(sections: [
        Section(
            title: "Moving",
            bindings: [
                Binding([.up, .character("k")], .up, "message up (a long one by rows)"),
                Binding([.down, .character("j")], .down, "message down", hint: "message"),
                Binding([.control("y")], .rowUp, "row up"),
                Binding([.control("e")], .rowDown, "row down"),
                Binding([.pageUp, .character("b"), .control("b")], .pageUp, "screen up"),
                Binding([.pageDown, .character(" "), .control("f")], .pageDown, "screen down", hint: "screen"),
                Binding([.control("u")], .halfUp, "half a screen up"),
                Binding([.control("d")], .halfDown, "half a screen down"),
                Binding([.home, .character("g")], .beginning, "beginning of the conversation"),
                Binding(
                    [.end, .character("G")], .end, "end of the conversation; looks for newer messages", hint: "newest"),
            ]),
        Section(
            title: "Acting",
            bindings: [
                Binding([.enter], .activate, "on the row of a failed load: try again now"),
                Binding([.escape], .cancel, "give up what is being loaded; leave the help"),
            ]),
        Section(
            title: "Program",
            bindings: [
                Binding([.character("h"), .function(1)], .help, "this help", hint: "help"),
                Binding([.control("l")], .redraw, "draw the screen anew"),
                Binding([.control("z")], .suspend, "suspend (fg comes back)"),
                Binding([.character("q")], .quit, "quit", hint: "quit"),
                Binding([.control("c")], .interrupt, "quit as an interrupted command"),
            ]),
    ])
}
