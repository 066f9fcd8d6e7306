package import Display
import Search

/// The table of keys. Help and status line are made from it.
package struct Keymap: Hashable, Sendable {
    /// A key may have a different meaning in each context.
    package enum Context: Hashable, Sendable, CaseIterable {
        case conversation
        /// A line of text, where letters are text.
        case typing
        /// The composer.
        case composing

        /// The table of the settings with its keys.
        package var table: String {
            switch self {
            case .conversation: "keys"
            case .typing: "keys.prompts"
            case .composing: "keys.writing"
            }
        }
    }

    package struct Section: Hashable, Sendable {
        package let title: String
        package var context = Context.conversation
        package let bindings: [Binding]
    }

    /// A key in its context.
    struct Stroke: Hashable, Sendable {
        let key: Key
        let context: Context
    }

    package let sections: [Section]
    private let actions: [Stroke: Action]
    /// The first keys of sequences.
    private let prefixes: Set<Stroke>

    init(sections: [Section]) {
        self.sections = sections
        let pairs = sections.flatMap { section in
            section.bindings.flatMap { binding in
                binding.keys.map { (Stroke(key: $0, context: section.context), binding.action) }
            }
        }
        actions = Dictionary(pairs) { first, _ in first }
        prefixes = Set(
            pairs.compactMap { stroke, _ in
                stroke.key.first.map { Stroke(key: $0, context: stroke.context) }
            })
    }

    package func action(for key: Key, in context: Context = .conversation) -> Action? {
        actions[Stroke(key: key, context: context)]
    }

    /// True if a key begins a sequence in this context.
    func isPrefix(_ key: Key, in context: Context) -> Bool {
        prefixes.contains(Stroke(key: key, context: context))
    }

    /// The number of a key among the keys of its command, counted from 0.
    func number(of key: Key) -> Int? {
        let action = action(for: key)
        return bindings(in: .conversation).first { $0.action == action }?.keys.firstIndex(of: key)
    }

    /// The first key for an action, as texts name it: `r`; without a key the typed command: `:reply`.
    func keyName(_ action: Action, in context: Context = .conversation) -> String {
        let binding = bindings(in: context).first { $0.action == action }
        return binding?.keys.first?.description ?? ":\(binding?.name ?? action.name)"
    }

    /// The first key for an action; nil when it has none. For screens without the list of commands, where `keyName` would
    /// mislead.
    func key(_ action: Action, in context: Context = .conversation) -> Key? {
        bindings(in: context).first { $0.action == action }?.keys.first
    }

    package func bindings(in context: Context) -> [Binding] {
        sections.filter { $0.context == context }.flatMap(\.bindings)
    }
}

extension Keymap {
    package static let standard = Keymap(sections: [moving, searching, acting, writing, program, typing, composing])

    private static let moving = Section(
        title: "Moving",
        bindings: [
            Binding([.up, .character("k")], .up, "previous message (a long one row by row)"),
            Binding([.down, .character("j")], .down, "next message"),
            Binding([.control("y"), .held(.control, .up)], .rowUp, "row up"),
            Binding([.control("e"), .held(.control, .down)], .rowDown, "row down"),
            Binding([.pageUp, .character("b"), .control("b")], .pageUp, "screen up"),
            Binding([.pageDown, .character(" "), .control("f")], .pageDown, "screen down"),
            Binding([.control("u")], .halfUp, "half a screen up"),
            Binding([.control("d")], .halfDown, "half a screen down"),
            Binding([.home, .character("g")], .beginning, "beginning of the conversation"),
            Binding(
                [.end, .character("G")], .end, "end of the conversation; looks for newer messages", hint: "newest",
                rank: 8),
        ])

    private static let searching = Section(
        title: "Searching and jumping",
        bindings: [
            Binding(
                [.character("/")], .find, "search forward (the last word may be incomplete)", hint: "search",
                rank: 2),
            Binding([.character("?")], .findBackward, "search backward"),
            Binding([.character("n")], .findNext, "next match", hint: "next", rank: 1),
            Binding([.character("N")], .findPrevious, "previous match", hint: "previous", rank: 3),
            Binding([.character("s")], .searchEverywhere, "search everywhere", hint: "everywhere", rank: 5),
            Binding(
                [.character("d")], .date, "go to a date: 2024-03-01, 1 march, 3 weeks ago, 12:30, 50%", hint: "date",
                rank: 7
            ),
            Binding([.character("%")], .share, "after a number: go to that point, as in 50%"),
            Binding([.character("u")], .firstUnread, "first unread message"),
            Binding([.character("@")], .mentions, "all mentions of you and replies to you"),
            Binding([.character("#")], .threads, "all threads in which you take part"),
            Binding([.alt("a")], .nextUnread, "next conversation with something new"),
            Binding([.character("A"), .alt("r")], .markRead, "mark the conversation as read"),
            Binding([.character("U"), .alt("u")], .markUnread, "mark as unread, from this message on"),
            Binding([.alt("m")], .mute, "mute the conversation (only mentions count), or unmute"),
            Binding([.control("k")], .switcher, "go to another conversation", hint: "switch", rank: 6),
            Binding(
                (1...9).map { .alt(Character("\($0)")) }, .conversationByNumber, "the conversation with this number"),
            Binding([.altUp], .previousConversation, "the conversation above in the list"),
            Binding([.altDown], .nextConversation, "the conversation below in the list"),
            Binding([.character("L")], .leave, "leave the room on its server; messages stay here"),
            Binding([.character("c")], .list, "show or hide the list of conversations (from 120 columns)"),
            Binding(
                [.character("t")], .thread, "open the thread of the message; again closes it", hint: "thread", rank: 4),
            Binding([.left], .leftPane, "from the thread to the conversation"),
            Binding([.right], .rightPane, "from the conversation to the thread"),
            Binding([.control("o")], .back, "back to where the last jump started", hint: "back", rank: 4),
            Binding([.tab], .forward, "forward again"),
            Binding(
                [.character("m")], .bookmark, "and a letter: a bookmark here (a capital: from everywhere)"
            ),
            Binding(
                [.character("'")], .goToBookmark, "and a letter: go to that bookmark; '' goes back"),
            Binding([.character("M")], .bookmarks, "the list of bookmarks; Del removes one"),
        ])

    private static let acting = Section(
        title: "Acting",
        bindings: [
            Binding(
                [.enter], .activate, "go to the quoted message or the thread; unfold; retry",
                hint: "quoted", rank: 3),
            Binding([.character("v")], .select, "select several messages, from here to the cursor"),
            Binding([.character("y")], .copyText, "copy the text of the message, or all selected ones"),
            Binding([.character("S")], .writeFile, "write the selected messages to a file"),
            Binding([.character("Y")], .copyLink, "copy the link to the message"),
            Binding([.character("l")], .copyAddress, "copy the address of a link in the message"),
            Binding(
                [.character("o")], .openLink, "open a link or a file of the message",
                hint: "open link",
                rank: 3),
            Binding([.character("p")], .picture, "show the picture of the message", hint: "picture", rank: 2),
            Binding([.character("W")], .reactions, "who has reacted to the message, or read it"),
            Binding([.character("E")], .versions, "the earlier texts of an edited message"),
            Binding([.character("w")], .members, "the members and the topic of the conversation"),
            Binding(
                [.character("z")], .fold, "fold a long message, or unfold it; open a spoiler", hint: "fold", rank: 4),
            Binding([.character("T")], .exactTimes, "show seconds, the full date and the zone"),
            Binding(
                [.escape], .cancel, "cancel a jump, end the search, close the thread",
                hint: "end", rank: 2),
        ])

    private static let writing = Section(
        title: "Writing",
        bindings: [
            Binding([.character("i")], .compose, "write a message", hint: "write", rank: 2),
            Binding([.character("r")], .reply, "reply to the message", hint: "reply", rank: 6),
            Binding([.character("e")], .edit, "edit your own message"),
            Binding([.character("x")], .delete, "delete your own message (asks first)"),
            Binding([.character("+")], .react, "react with an emoji; again removes it"),
            Binding([.character("R")], .resend, "retry the messages that were not sent"),
        ])

    private static let program = Section(
        title: "Program",
        bindings: [
            Binding([.character("h"), .function(1)], .help, "this help", hint: "help", rank: 0),
            Binding([.character(":")], .commands, "all commands by name"),
            Binding([.control("l")], .redraw, "redraw the screen"),
            Binding([.control("z")], .suspend, "suspend (fg resumes)"),
            Binding([.character("q")], .quit, "quit", hint: "quit", rank: 1),
            Binding([.control("c")], .interrupt, "quit with exit status 130"),
        ])

    /// Bindings for every text.
    private static let editing = [
        Binding([.left, .control("b")], .fieldLeft, "left"),
        Binding([.right, .control("f")], .fieldRight, "right"),
        Binding([.home, .control("a")], .fieldStart, "start of the line"),
        Binding([.end, .control("e")], .fieldEnd, "end of the line"),
        Binding([.alt("b"), .held(.control, .left), .held(.alt, .left)], .fieldWordLeft, "word left"),
        Binding([.alt("f"), .held(.control, .right), .held(.alt, .right)], .fieldWordRight, "word right"),
        Binding([.backspace], .fieldBackspace, "delete the previous character"),
        Binding(
            [.delete, .control("d")], .fieldDelete,
            "delete the character at the cursor"),
        Binding(
            [.control("w"), .alt("\u{7F}"), .held(.control, .backspace)], .fieldDeleteWord, "delete the previous word"),
        Binding([.alt("d"), .held(.control, .delete)], .fieldDeleteNextWord, "delete the next word"),
    ]

    /// Bindings for every text and line.
    private static let always = [
        Binding([.function(1)], .help, "this help"),
        Binding([.control("l")], .redraw, "redraw the screen"),
        Binding([.control("z")], .suspend, "suspend (fg resumes)"),
        Binding([.control("c")], .interrupt, "quit with exit status 130"),
    ]

    private static let composing = Section(
        title: "While writing",
        context: .composing,
        bindings: [
            Binding([.enter], .activate, named: "send", "send", hint: "send", rank: 0),
            Binding([.altEnter, .control("j")], .fieldNewLine, "new line", hint: "new line", rank: 2),
            Binding(
                [.escape], .cancel, named: "leave", "leave; the text is kept as a draft", hint: "keep draft", rank: 1),
            Binding([.tab], .complete, "complete @name and :emoji:"),
            Binding(
                [.sequence(.control("x"), .control("e"))], .editor, "edit the text in your editor (VISUAL, else EDITOR)"
            ),
            Binding([.up, .control("p")], .up, "row up; in an empty text: the messages you sent"),
            Binding([.down, .control("n")], .down, "row down"),
            Binding([.pageUp], .pageUp, "scroll the conversation up a screen"),
            Binding([.pageDown], .pageDown, "scroll the conversation down a screen"),
            Binding([.altUp], .previousConversation, "the conversation above; the text is kept as a draft"),
            Binding([.altDown], .nextConversation, "the conversation below"),
        ] + editing + [
            Binding([.control("u")], .fieldDeleteToStart, "delete to the start of the line"),
            Binding([.control("k")], .fieldDeleteToEnd, "delete to the end of the line"),
            Binding([.control("y")], .fieldYank, "insert the text deleted last"),
            Binding([.control("_")], .fieldUndo, "undo"),
            Binding([.alt("_")], .fieldRedo, "redo"),
        ] + always)

    private static let typing = Section(
        title: "In prompts",
        context: .typing,
        bindings: [
            Binding(
                [.enter], .activate, named: "accept", "go there; in the list of commands: run it", hint: "go there"),
            Binding([.tab], .toggleScope, "after / or s: search the same here or everywhere", hint: "here"),
            Binding([.altEnter], .makeConversation, "after ^K: make a conversation with this title"),
            Binding([.alt("r")], .markRead, "after ^K: mark as read"),
            Binding([.alt("u")], .markUnread, "after ^K: mark the newest message as unread"),
            Binding([.alt("m")], .mute, "after ^K: mute or unmute"),
            Binding([.escape], .cancel, "cancel", hint: "back"),
            Binding([.up, .control("p")], .up, "row up; after / or ?: the words of earlier searches"),
            Binding([.down, .control("n")], .down, "row down"),
            Binding([.pageUp], .pageUp, "page up"),
            Binding([.pageDown], .pageDown, "page down"),
            Binding([.held(.control, .home)], .beginning, "first entry of a list"),
            Binding([.held(.control, .end)], .end, "last entry"),
        ] + editing + [
            Binding([.control("u")], .fieldDeleteToStart, "delete to the start"),
            Binding([.control("k")], .fieldDeleteToEnd, "delete to the end"),
        ] + always)
}

/// Applies the user's keys to the table.
extension Keymap {
    /// Keys that always get the user out. They belong to one action in every context.
    private static let reserved: [(key: Key, action: Action)] = [
        (.escape, .cancel), (.control("c"), .interrupt),
    ]

    /// Commands that mean the same everywhere: their conversation keys also work in text fields.
    static let everywhere: [Action] = [.help, .redraw, .suspend, .interrupt]

    /// The table after some changes. A reassigned key is removed from its previous command.
    /// - Parameter changes: in the order of the settings. Of two changes with the same key, the first counts.
    /// - Returns: the table, and the errors, one line each.
    package func changed(by changes: [KeyChange]) -> (keymap: Keymap, problems: [String]) {
        var problems: [String] = []
        var wanted: [Context: [String: [Key]]] = [:]
        var owners: [Stroke: KeyChange] = [:]
        for change in changes {
            guard let binding = bindings(in: change.context).first(where: { $0.name == change.name }) else {
                problems.append(unknown(change))
                continue
            }
            var keys: [Key] = []
            for key in change.keys where !keys.contains(key) {
                if let reason = refusal(of: key, for: binding, in: change.context)
                    ?? owners[Stroke(key: key, context: change.context)].map(Keymap.isOf)
                {
                    problems.append("\(change.place): \(change.fullName): \"\(key.notation)\" \(reason); ignored")
                } else {
                    owners[Stroke(key: key, context: change.context)] = change
                    keys.append(key)
                }
            }
            // A command that gets none of its new keys keeps its old ones.
            if keys.isEmpty, !change.keys.isEmpty { continue }
            wanted[change.context, default: [:]][change.name] = keys
        }
        let (keymap, refused) = settled(wanted, owners)
        return (keymap, problems + refused)
    }

    /// The table with the requested keys. A sequence is refused if its first key alone has a command; a command that
    /// gets none of its new keys keeps its old ones.
    /// - Parameter owners: the changes by the keys that they reassign.
    private func settled(
        _ wanted: [Context: [String: [Key]]], _ owners: [Stroke: KeyChange]
    ) -> (keymap: Keymap, problems: [String]) {
        var (wanted, owners) = (wanted, owners)
        var problems: [String] = []
        while true {
            let (keymap, hidden) = with(wanted, taken: Set(owners.keys)).withoutHiddenSequences
            let known = problems.count
            for (stroke, name) in hidden {
                guard let change = owners.removeValue(forKey: stroke) else { continue }
                let (key, other) = (stroke.key.notation, "\(stroke.context.table).\(name)")
                problems.append(
                    "\(change.place): \(change.fullName): \"\(key)\" begins with the key of \(other); ignored")
                let others = wanted[change.context]?[change.name]?.filter { $0 != stroke.key } ?? []
                wanted[change.context]?[change.name] = others.isEmpty ? nil : others
            }
            if problems.count == known { return (keymap, problems) }
        }
    }

    /// The table without sequences whose first key alone has a command; and those sequences, with the names of the commands.
    private var withoutHiddenSequences: (keymap: Keymap, hidden: [(Stroke, name: String)]) {
        var hidden: [(Stroke, name: String)] = []
        let kept = sections.map { section in
            Section(
                title: section.title, context: section.context,
                bindings: section.bindings.map { binding in
                    binding.with(
                        binding.keys.filter { key in
                            guard let first = key.first, let taken = action(for: first, in: section.context) else {
                                return true
                            }
                            let name = bindings(in: section.context).first { $0.action == taken }?.name ?? taken.name
                            hidden.append((Stroke(key: key, context: section.context), name))
                            return false
                        })
                })
        }
        return (Keymap(sections: kept), hidden)
    }

    private static func isOf(_ other: KeyChange) -> String { "is the key of \(other.fullName) (\(other.place))" }

    private func unknown(_ change: KeyChange) -> String {
        let names = bindings(in: change.context).map(\.name)
        let advice =
            Spelling.nearest(to: change.name, among: names).map { "did you mean \(change.context.table).\($0)?" }
            ?? "`kedge config --keys` lists them"
        return "\(change.place): unknown command \(change.fullName.shortened(to: 60)); ignored (\(advice))"
    }

    /// The reason why a command cannot have a key.
    private func refusal(of key: Key, for binding: Binding, in context: Context) -> String? {
        if let reserved = Keymap.reserved.first(where: { $0.key == key }), reserved.action != binding.action {
            return reserved.action == .cancel ? "always cancels" : "always quits"
        }
        if case .character = key.first ?? key, context != .conversation { return "is text there" }
        return nil
    }

    private func with(_ wanted: [Context: [String: [Key]]], taken: Set<Stroke>) -> Keymap {
        func keys(of binding: Binding, in context: Context) -> [Key] {
            let fixed = Keymap.reserved.filter { $0.action == binding.action }.map(\.key)
            if let keys = wanted[context]?[binding.name] { return keys + fixed.filter { !keys.contains($0) } }
            return binding.keys.filter { !taken.contains(Stroke(key: $0, context: context)) }
        }
        let common = sections.filter { $0.context == .conversation }.flatMap(\.bindings).filter { binding in
            Keymap.everywhere.contains(binding.action) && wanted[.conversation]?[binding.name] != nil
        }
        return Keymap(
            sections: sections.map { section in
                let context = section.context
                let used = Set(section.bindings.flatMap { keys(of: $0, in: context) })
                let bindings = section.bindings.map { binding in
                    guard context != .conversation, wanted[context]?[binding.name] == nil,
                        let other = common.first(where: { $0.action == binding.action })
                    else { return binding.with(keys(of: binding, in: context)) }
                    let own = binding.keys
                    return binding.with(
                        keys(of: other, in: .conversation).filter { key in
                            if case .character = key { return false }
                            return own.contains(key) || !used.contains(key)
                        })
                }
                return Section(title: section.title, context: context, bindings: bindings)
            })
    }
}

extension String {
    fileprivate func shortened(to count: Int) -> String { self.count > count ? prefix(count) + "…" : self }
}

/// Keys that the user gives to a command.
package struct KeyChange: Hashable, Sendable {
    let context: Keymap.Context
    /// The name of the command.
    let name: String
    let keys: [Key]
    /// The place in the settings: path and line.
    let place: String

    package init(_ name: String, _ keys: [Key], in context: Keymap.Context = .conversation, at place: String) {
        (self.context, self.name, self.keys, self.place) = (context, name, keys, place)
    }

    /// The name in the settings.
    var fullName: String { "\(context.table).\(name)" }
}

extension Keymap {
    /// Hints for the status line: for each binding with a word for it, its first key and that word. As many as fit. Hints that
    /// depend on the selected message are at the left, so that the others keep their places from step to step.
    /// - Parameters:
    ///   - isUseful: true if an action deserves a hint now.
    ///   - changes: true if the hint depends on the selected message.
    ///   - word: the word for a binding now.
    func hints(
        in context: Context = .conversation, columns: Int,
        isUseful: (Action) -> Bool = { _ in true }, changes: (Action) -> Bool = { _ in false },
        word: (Binding) -> String? = \.hint
    ) -> Line {
        let bindings = bindings(in: context)
        let fixed = bindings.filter { !changes($0.action) && isUseful($0.action) }
        let changing = bindings.filter { changes($0.action) && isUseful($0.action) }
        // On a line that is wide enough, some columns are kept for the hints that change.
        let kept = bindings.contains { changes($0.action) } && columns >= 32 ? min(24, columns / 3) : 0
        let right = Keymap.line(of: fixed, columns: columns - kept, word)
        return Keymap.line(of: changing, columns: columns - right.columns, word) + right
    }

    private static func line(of bindings: [Binding], columns: Int, _ word: (Binding) -> String?) -> Line {
        var hints: [(place: Int, line: Line)] = []
        var room = columns
        for (place, binding) in bindings.enumerated().sorted(by: { $0.element.rank < $1.element.rank }) {
            guard let hint = word(binding), let key = binding.keys.first else { continue }
            let line: Line = [
                Span(CleanText(key.description), Style(.standard, .bold)),
                Span(CleanText(" \(hint)  "), .dim),
            ]
            room -= line.columns
            guard room >= 0 else { break }
            hints.append((place, line))
        }
        return hints.sorted { $0.place < $1.place }.reduce(.empty) { $0 + $1.line }
    }
}
