import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Input is bound to the place that the user has asked for, however slow the store is and however the input is read.
struct HeldInputTests {
    private static let there = Conversation(id: ConversationID("there"), title: "There", topic: nil)
    private static let ana = PersonID("ana")

    private static func open(
        _ count: Int = 400, at id: String? = nil, rows: Int = 14, columns: Int = 72
    ) -> Stage {
        var other = Script("2025-02-01T00:00:00Z")
        for index in 0..<60 {
            other.add("message over there \(index)", from: index % 2 == 0 ? "Ana" : "Ben", id: "t-\(index)")
        }
        var stage = Stage.open(
            Script.long(count), at: id, columns: columns, rows: rows, beside: [(there, other.messages)], me: ana)
        stage.change { store in
            store.bookmarks = [
                Bookmark("a", conversation: Stage.general.id, message: MessageID("m-50")),
                Bookmark("A", conversation: Stage.general.id, message: MessageID("m-60")),
            ].compactMap(\.self)
        }
        stage.settle()
        return stage
    }

    // MARK: - Keys after a jump

    /// Keys that ask for a place, and the message that is selected there.
    static let jumps: [(keys: [Key], selected: String)] = [
        ([.character("g")], "m-0"),
        (keys("5%"), "m-20"),
        (keys("/message 101") + [.enter], "m-101"),
        (keys("d2025-03-01") + [.enter], "m-0"),
        (keys("'a"), "m-50"),
        (keys("s\"message 77\"") + [.enter], "m-77"),
        ([.control("k")] + keys("There") + [.enter], "t-59"),
        (keys("g") + [.end, .control("o")], "m-0"),
    ]

    @Test(arguments: jumps, [true, false])
    func `A reply after a jump is to the message to which the jump leads`(
        _ jump: (keys: [Key], selected: String), isOneRead: Bool
    ) {
        var stage = Self.open()
        stage.take(jump.keys + [.character("r")], inOneRead: isOneRead)
        #expect(stage.model.panel != .composer, "\(stage.screen)")
        stage.settle()
        #expect(stage.model.composer?.target?.rawValue == jump.selected, "\(stage.screen)")
    }

    @Test(arguments: jumps, [true, false])
    func `A deletion after a jump is of the message to which the jump leads, if it is the user's own`(
        _ jump: (keys: [Key], selected: String), isOneRead: Bool
    ) {
        var stage = Self.open()
        stage.take(jump.keys + keys("xy"), inOneRead: isOneRead)
        stage.settle()
        let deleted = stage.sent.map {
            if case .deletion(let id) = $0.content { id.rawValue } else { "something else" }
        }
        let isOwn = Int(jump.selected.dropFirst(2)).map { $0 % 2 == 0 } ?? false
        #expect(deleted == (isOwn ? [jump.selected] : []))
    }

    @Test func `A text that is typed while a conversation is being opened is written there`() {
        var stage = Self.open()
        for key in [Key.control("k")] + keys("There") + [.enter] + keys("izebra") + [.enter] { stage.press(key) }
        #expect(stage.sent.isEmpty)
        stage.settle()
        #expect(stage.model.writing.outbox.keys.map(\.rawValue) == ["there"])
        #expect(stage.sent.map(\.content) == [.message(text: "zebra", replyTo: nil, thread: nil)])
    }

    @Test func `A text that is typed while the program opens its first conversation is written there`() {
        var stage = Stage(Script.long(100), me: Self.ana)
        stage.start(at: .latest)
        stage.press(.character("i"))
        stage.type("quick")
        #expect(stage.screen.contains("\"iquick\" wait for General… Esc gives up"), "\(stage.screen)")
        stage.answerAll()
        #expect(stage.model.panel == .composer)
        #expect(stage.model.composer?.area.text == "quick")
    }

    @Test func `Steps after a jump lead on from where it ends`() {
        var stage = Self.open()
        stage.press(.character("g"), .down, .down, .down)
        #expect(stage.selection == "m-399", "the place that is being left does not move")
        stage.settle()
        #expect(stage.selection == "m-3")
    }

    @Test func `In a text, another conversation is waited for, and not the end of this one`() {
        var stage = Self.open(at: "m-100")
        stage.press(.character("i"))
        stage.type("one")
        stage.press(.enter)
        stage.type("two")
        #expect(stage.model.composer?.area.text == "two", "the newest messages are on their way")
        stage.settle()
        #expect(stage.model.composer?.area.text == "two")
        stage.press(.altDown)
        stage.answer { if case .ask(.conversations, _) = $0 { true } else { false } }
        stage.type("itext")
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.writing.outbox[Self.there.id]?.count == 1)
        #expect(stage.model.writing.composers[WritingPlace(conversation: Stage.general.id)]?.area.text == "two")
    }

    @Test func `The composer closes as soon as another conversation is asked for, and its text is kept`() {
        var stage = Self.open(at: "m-100")
        stage.press(.character("i"))
        stage.type("abc")
        stage.press(.altDown)
        #expect(stage.model.panel == nil, "\(stage.screen)")
        stage.settle()
        #expect(stage.model.conversation == Self.there)
        #expect(stage.model.writing.composers[WritingPlace(conversation: Stage.general.id)]?.area.text == "abc")
    }

    @Test func `A line feed is Enter where it means nothing else`() {
        var stage = Self.open()
        stage.press(.control("k"))
        stage.type("There")
        stage.press(.control("j"))
        stage.settle()
        #expect(stage.model.conversation?.id == Self.there.id)
        stage.type("/message 3")
        stage.press(.control("j"))
        stage.settle()
        #expect(stage.model.panel == nil)
    }

    @Test func `The status line says what waits, and for what`() {
        var stage = Self.open()
        stage.press(.character("g"), .character("r"))
        stage.passTime()
        #expect(stage.rows.last?.contains("\"r\" waits for the beginning… Esc gives up") == true, "\(stage.screen)")
        stage.press(.escape)
        stage.settle()
        #expect(stage.selection == "m-399")
        #expect(stage.model.panel == nil)
    }

    @Test func `What was typed for a place that cannot be reached is not carried out, and is told`() {
        var stage = Self.open(at: "m-100")
        stage.press(.character("g"))
        stage.type("xy")
        stage.failAll(with: .unreadable("the disk is gone"))
        stage.settle()
        #expect(stage.sent.isEmpty)
        #expect(stage.model.panel == nil)
        #expect(stage.screen.contains("not loaded: the disk is gone"), "\(stage.screen)")
        #expect(stage.screen.contains("not carried out: \"xy\""), "\(stage.screen)")
    }

    @Test(arguments: [
        keys("g"), [.control("k")] + keys("There") + [.enter], keys("5%"), keys("/message 101") + [.enter],
    ])
    func `What was typed for a place that did not load waits for the next try`(_ jump: [Key]) {
        var stage = Self.open()
        stage.press(.up)
        stage.take(jump, inOneRead: true)
        stage.answer { if case .ask(_, .list) = $0 { false } else { true } }
        let before = stage.rows.dropLast()
        stage.failAll("the disk sleeps")
        stage.passTime()
        stage.failAll("the disk sleeps")
        if stage.model.panel == nil { #expect(stage.rows.dropLast() == before) }
        stage.take(keys("r"), inOneRead: false)
        #expect(stage.screen.contains("\(stage.model.panel == .find ? " Enter r" : "r")"), "\(stage.screen)")
        #expect(stage.screen.contains("next try in"), "\(stage.screen)")
        stage.settle()
        let jumped = Self.jumps.first { $0.keys == jump }
        #expect(stage.model.panel == .composer)
        #expect(stage.model.composer?.target?.rawValue == jumped?.selected, "\(stage.screen)")
    }

    @Test(arguments: [true, false])
    func `After words that are found nowhere, the keys typed with them are not carried out`(isOneRead: Bool) {
        var stage = Self.open()
        stage.press(.up)
        stage.take(keys("/nowhere") + [.enter] + keys("xy"), inOneRead: isOneRead)
        stage.settle()
        #expect(stage.sent.isEmpty)
        #expect(stage.model.panel == nil)
        #expect(stage.screen.contains("no match for \"nowhere\""), "\(stage.screen)")
    }

    @Test func `Quitting, help and redrawing do not wait, but a letter of a text does`() {
        var stage = Self.open()
        stage.press(.character("g"), .control("l"), .character("q"))
        #expect(stage.others.contains { if case .redraw = $0 { true } else { false } })
        #expect(stage.others.contains { if case .quit(.done) = $0 { true } else { false } })

        stage = Self.open()
        stage.press(.character("g"), .function(1))
        #expect(stage.model.layers.help != nil)
        stage.press(.escape, .character("i"))
        stage.type("qh")
        #expect(stage.model.layers.help == nil)
        stage.settle()
        #expect(stage.model.composer?.area.text == "qh")
        #expect(!stage.others.contains { if case .quit = $0 { true } else { false } })
        #expect(stage.selection == "m-0", "a closed help gives up nothing")
    }

    @Test func `A click during a jump touches nothing of the place that is being left`() {
        var stage = Self.open(at: "m-100")
        let before = stage.selection
        stage.press(.character("g"))
        stage.mouse(.press(clicks: 1), row: 4)
        #expect(stage.selection == before)
        #expect(stage.screen.contains("the beginning is on its way; click when it is here"), "\(stage.screen)")
        stage.settle()
        #expect(stage.selection == "m-0")
    }

    @Test func `A paste for a composer that is not open yet lands in it`() {
        var stage = Self.open()
        stage.press(.character("g"), .character("i"))
        stage.send(.input([.paste("two\nlines")]))
        stage.settle()
        #expect(stage.model.composer?.area.text == "two\nlines")
        #expect(stage.sent.isEmpty)
    }

    // MARK: - Bursts

    @Test(arguments: [Key.character("k"), .up])
    func `400 steps in one read move by 400 messages`(_ key: Key) {
        var stage = Self.open(1_000)
        stage.send(.input(Array(repeating: .key(key), count: 400)))
        stage.settle()
        #expect(stage.selection == "m-599")
        stage.send(.input(Array(repeating: .key(.down), count: 399)))
        stage.settle()
        #expect(stage.selection == "m-998")
    }

    @Test func `Steps of the wheel in one read go as far as in many`() {
        var (stage, other) = (Self.open(1_000), Self.open(1_000))
        let wheel = Input.mouse(Mouse(.wheelUp, at: ScreenPosition(row: 5, column: 20)))
        stage.send(.input(Array(repeating: wheel, count: 200)))
        stage.settle()
        for _ in 0..<20 {
            other.send(.input(Array(repeating: wheel, count: 10)))
            other.settle()
        }
        #expect(stage.model.place == other.model.place)
        #expect(stage.screen == other.screen)
    }

    @Test func `Steps wait for the next try of a page that has failed`() {
        var stage = Self.open(1_000)
        stage.send(.input(Array(repeating: .key(.up), count: 400)))
        stage.failAll("the disk sleeps")
        #expect(stage.screen.contains("wait for more messages… "), "\(stage.screen)")
        stage.settle()
        #expect(stage.selection == "m-599")
        // Another key gives them up.
        stage = Self.open(1_000)
        stage.send(.input(Array(repeating: .key(.up), count: 400)))
        let edge = stage.selection
        stage.failAll("the disk sleeps")
        stage.press(.character("i"))
        stage.settle()
        #expect(stage.selection == edge)
    }

    @Test(arguments: [UInt64](0..<20))
    func `As many screens down as up lead back to the same screen, at any speed of the store`(_ seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var stage = Self.open(
            1_500, at: "m-\(Int.random(in: 700..<800, using: &chance))",
            rows: [8, 14, 30].randomElement(using: &chance) ?? 14)
        // A screen that follows the end, or that shows a row of an edge, may not come back.
        stage.press(.down, .pageUp)
        stage.settle()
        let before = (stage.model.place, stage.screen)
        let (there, back) = Bool.random(using: &chance) ? (Key.pageUp, Key.pageDown) : (.pageDown, .pageUp)
        let count = Int.random(in: 1...20, using: &chance)
        for key in Array(repeating: there, count: count) + Array(repeating: back, count: count) {
            stage.press(key)
            if Int.random(in: 0..<8, using: &chance) == 0 { stage.answerAll() }
        }
        stage.settle()
        #expect(stage.model.place == before.0, "seed \(seed)")
        #expect(stage.screen == before.1, "seed \(seed)\n\(stage.screen)")
    }

    @Test func `Steps that wait for a page are given up by another key, but not by one that needs their message`() {
        var stage = Self.open(1_000)
        stage.send(.input(Array(repeating: .key(.up), count: 400)))
        let edge = stage.selection
        stage.press(.character("i"))
        #expect(stage.model.panel == .composer)
        stage.settle()
        #expect(stage.selection == edge)

        stage = Self.open(1_000)
        stage.send(.input(Array(repeating: .key(.up), count: 400)))
        stage.press(.character("r"))
        #expect(stage.model.panel == nil)
        stage.settle()
        #expect(stage.model.composer?.target?.rawValue == "m-599")

        // Keys that copy or open something of the message do.
        for key in ["y", "Y", "l", "o"] as [Character] {
            stage = Self.open(1_000)
            stage.send(.input(Array(repeating: .key(.up), count: 400)))
            stage.press(.character(key))
            stage.settle()
            #expect(stage.selection == "m-599", "\(key): \(stage.screen)")
        }
    }

    // MARK: - Any script

    /// What a script has brought about.
    private struct Effects: Equatable {
        var posts: [ConversationID: [Post.Content]]
        var texts: [WritingPlace: String]
        var copies: [String]
        var bookmarks: [Bookmark]
        var place: ScreenPlace?
        var thread: ScreenPlace?
        var panel: Panel?

        init(_ stage: Stage) {
            posts = stage.model.writing.outbox.mapValues { $0.map(\.post.content) }
            texts = stage.model.writing.composers.mapValues(\.area.text).filter { !$0.value.isEmpty }
            copies = stage.copies
            bookmarks = stage.store.bookmarks
            (place, thread, panel) = (stage.model.main.place, stage.model.openThread?.place, stage.model.panel)
        }

        /// The fields in which two differ.
        func differences(from other: Effects) -> [String] {
            func text(_ value: Any) -> String {
                let fields =
                    (value as? [ConversationID: [Post.Content]])?.map { "\($0.key): \($0.value)" }
                    ?? (value as? [WritingPlace: String])?.map { "\($0.key): \($0.value)" }
                return fields?.sorted().joined(separator: ", ") ?? String("\(value)".prefix(300))
            }
            return zip(Mirror(reflecting: self).children, Mirror(reflecting: other).children).compactMap {
                mine, others in
                let (label, mine, others) = (mine.label ?? "", text(mine.value), text(others.value))
                return mine == others ? nil : "\(label): \(mine), not \(others)"
            }
        }
    }

    private enum Speed: CaseIterable { case oneRead, manyReads, random }

    /// Input of a user who never waits. Each word of a text is harmless as a command.
    private static func script(_ chance: inout SeededGenerator) -> [Input] {
        let word = ["TT", "TzT", "zTz"]
        func text() -> [Key] { keys(word.randomElement(using: &chance) ?? "") }
        let all: [[Key]] = [
            keys("g"), keys("G"), keys("5%"), keys("50%"), keys("/message 10") + [.enter],
            keys("?message 2") + [.enter],
            keys("n"), keys("N"), keys("d2025-01-01") + [.enter], keys("mA"), keys("'A"), [.control("o")], [.tab],
            [.control("k")] + keys("There") + [.enter], [.control("k")] + keys("General") + [.enter],
            keys("s\"message 7\"") + [.enter], [.altDown], keys("tt"), keys("tr") + text() + [.enter, .altDown],
            [.enter], keys("y"), keys("Y"),
            keys("i") + text() + [.enter, .altUp], keys("r") + text() + [.enter, .altDown],
            keys("r") + text() + [.altDown],
            keys("e") + text() + [.enter], keys("xy"), keys("+heart") + [.enter], keys("jjj"), keys("kk"),
            [.down, .up],
            [.control("u")], [.control("e")], [.control("y")],
            // Lists to choose from, commands by their names, a selection of several, and what leads on from each.
            keys("@") + [.enter], keys("#") + [.enter], keys("M") + [.enter], keys("M") + [.down, .enter],
            keys(":reply") + [.enter] + text() + [.enter, .altUp], keys(":beginning") + [.enter],
            keys("vky"), keys("vjjy"), keys("u"), keys("l"), keys("A"), keys("Z"),
            keys("s\"there 4\"") + [.enter], keys("/message 10") + [.enter] + keys("nN"),
        ]
        let count = Int.random(in: 2...9, using: &chance)
        var script: [Input] = []
        for _ in 0..<count {
            let keys = all.randomElement(using: &chance) ?? []
            let isPasted = Int.random(in: 0..<8, using: &chance) == 0
            script += keys.map { .key($0) }
            if isPasted { script += [.key(.character("i")), .paste("a b\nc"), .key(.enter), .key(.altUp)] }
        }
        return script
    }

    @Test(arguments: [UInt64](0..<300))
    func `A script of keys has the same effects at any speed of the store, in one read or in many`(_ seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var script = Self.script(&chance)
        var calm = Self.open()
        for (index, input) in script.enumerated() {
            calm.send(.input([input]))
            calm.settle()
            // What is typed with a jump that leads nowhere is not carried out.
            if calm.model.inputState.isLost { script = Array(script[...index]) }
            if script.count == index + 1 { break }
        }
        for speed in Speed.allCases {
            var stage = Self.open()
            switch speed {
            case .oneRead: stage.send(.input(script))
            case .manyReads: for input in script { stage.send(.input([input])) }
            case .random:
                for input in script {
                    stage.send(.input([input]))
                    if Int.random(in: 0..<6, using: &chance) == 0 { stage.answerFirst() }
                }
            }
            stage.settle()
            let differences = Effects(stage).differences(from: Effects(calm))
            let text = script.map { "\($0)" }.joined(separator: " ")
            #expect(
                differences.isEmpty && Effects(stage) == Effects(calm),
                "\(differences) seed \(seed), \(speed): \(text)\n\(calm.screen)\n\(stage.screen)")
        }
    }
}

private func keys(_ text: String) -> [Key] { text.map { .character($0) } }

extension Stage {
    fileprivate mutating func take(_ keys: [Key], inOneRead: Bool) {
        if inOneRead {
            send(.input(keys.map { .key($0) }))
        } else {
            for key in keys { press(key) }
        }
    }
}
