import Display
import Messages
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// The choice of a conversation, and the mouse.
struct SwitcherTests {
    private static func stage(
        columns: Int = 72, rows: Int = 10, prefer: (inout Preferences) -> Void = { _ in }
    ) -> Stage {
        var harbour = Script("2025-03-10T08:00:00Z")
        harbour.add("Berth 7 is free", from: "Ben")
        var old = Script("2024-01-02T08:00:00Z")
        old.add("hello?", from: "Ana")
        return Stage.open(
            Script.long(400), at: "m-100", columns: columns, rows: rows,
            beside: [
                (
                    Conversation(
                        id: ConversationID("old"), title: "Old things", topic: "Archive of the tides",
                        members: [person("Søren Østergaard")]), old.messages
                ),
                (Conversation(id: ConversationID("harbour"), title: "Harbour", topic: "Berths"), harbour.messages),
                (Conversation(id: ConversationID("empty"), title: "Empty", topic: nil), []),
            ], prefer: prefer)
    }

    @Test func `Alt-Enter makes a conversation with the typed title, and opens it`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        stage.press(.altEnter)
        #expect(!stage.others.contains { if case .ask(.make, _) = $0 { true } else { false } })
        stage.type("Games night")
        #expect(stage.screen.contains("Alt-Enter makes the conversation \"Games night\""), "\(stage.screen)")
        stage.press(.enter)
        #expect(stage.model.panel == .switcher)
        stage.press(.altEnter)
        #expect(stage.others.contains { if case .ask(.make("Games night"), _) = $0 { true } else { false } })
        stage.send(
            .reply(
                .request(.make("Games night")),
                .conversation(.failure(.notSent("there is a conversation \"games-night\" already")))))
        #expect(stage.model.panel == .switcher && stage.screen.contains("there is a conversation"))
        let made = Conversation(id: ConversationID("games-night"), title: "Games night", topic: nil)
        stage.press(.altEnter)
        stage.send(.reply(.request(.make("Games night")), .conversation(.success(made))))
        #expect(stage.model.panel == nil)
        #expect((stage.model.pending?.conversation ?? stage.model.conversation)?.id == made.id)
    }

    @Test func `Where no conversation can be made, the reason stands in place of the offer`() {
        var stage = Self.stage { $0.obstacleToMaking = "exports are read-only" }
        stage.press(.control("k"))
        stage.settle()
        stage.type("Games night")
        #expect(stage.screen.contains("exports are read-only") && !stage.screen.contains("makes the conversation"))
        stage.press(.altEnter)
        #expect(!stage.others.contains { if case .ask(.make, _) = $0 { true } else { false } })
    }

    @Test func `The key that goes there is named only where there is an entry`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.last?.contains("Enter go there") == true)
        stage.typeAndWait("zzzz")
        #expect(stage.rows.last?.hasSuffix("Esc back") == true || stage.rows.last?.contains("Esc back  ") == true)
        #expect(stage.screen.contains("no match") && !stage.screen.contains("go there"), "\(stage.screen)")
        stage.press(.control("u"))
        stage.settle()
        #expect(stage.rows.last?.contains("Enter go there") == true)
        var empty = Stage([], columns: 72, rows: 10)
        empty.change { $0.talks = [] }
        empty.startInSwitcher()
        empty.settle()
        #expect(empty.screen.contains("no conversations yet") && !empty.screen.contains("go there"), "\(empty.screen)")
    }

    @Test func `A line of the system names its person once`() throws {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        let ana = Person(id: PersonID("ana"), name: "Ana")
        let joined = Message(
            id: MessageID("joined"), at: Timestamp(milliseconds: 1_741_000_000_000), sender: ana, kind: .system,
            text: "Ana joined",
            cursor: Cursor(token: ""))
        stage.send(.arrived([Arrival(conversation: ConversationID("harbour"), message: joined)]))
        let row = try #require(stage.rows.first { $0.contains("Ana joined") })
        #expect(!row.contains("Ana  Ana"), "\(row)")
    }

    @Test func `The latest conversation comes first, with its last message and time`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        expect(
            stage.screen,
            """
             Go to:                                                 4 conversations
            ▌Harbour             Ben  Berth 7 is free                         08:01
             General             Ben  message 399                       2 Mar 20:26
             Old things          Ana  hello?                             2 Jan 2024
             Empty




             Topic: Berths                                Enter go there  Esc back
            """)
    }

    @Test func `What is unread comes first, mentions before all`() {
        var stage = Stage.open(
            Script.long(400), at: "m-100", columns: 72, rows: 10,
            beside: ["One", "Two", "Three"].map { title in
                var script = Script("2025-03-0\(title.count)T08:00:00Z")
                script.add("hello", from: "Ben")
                return (Conversation(id: ConversationID(title), title: title, topic: nil), script.messages)
            }, me: PersonID("ana"))
        for (id, text) in [("One", "hello"), ("Two", "@ana, look")] {
            var script = Script("2025-03-01T12:00:00Z")
            script.add(text, from: "Ben", id: "new")
            stage.send(.arrived([Arrival(conversation: ConversationID(id), message: script.messages[0])]))
        }
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows[1...4].map { $0.dropFirst().prefix { $0 != " " } } == ["Two", "One", "Three", "General"])
    }

    @Test func `The user's own name has the accent, as in the messages`() throws {
        for (me, isOwn) in [("ben", true), ("ana", false)] {
            var script = Script("2025-03-01T08:00:00Z")
            script.add("hello", from: "Ben")
            var stage = Stage.open(
                Script.long(10), at: nil, columns: 72, rows: 10,
                beside: [(Conversation(id: ConversationID("dev"), title: "Dev", topic: nil), script.messages)],
                me: PersonID(me))
            stage.press(.control("k"))
            stage.settle()
            let line = try #require(stage.frame.lines.first { $0.text.contains("hello") })
            let name = line.spans.first { $0.text.string.contains("Ben") }
            #expect((name?.style.color == .accent) == isOwn)
        }
    }

    @Test func `Opening the switcher and Enter goes back and forth between two conversations`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        stage.type("old")
        stage.press(.enter)
        stage.answerAll()
        for title in ["General", "Old things", "General"] {
            stage.press(.control("k"))
            stage.settle()
            stage.press(.enter)
            stage.answerAll()
            #expect(stage.model.conversation?.title == title)
        }
    }

    @Test func `Where there is room, the end of the selected conversation is shown`() {
        for (columns, rows) in [(120, 12), (80, 24)] {
            var stage = Self.stage(columns: columns, rows: rows)
            stage.press(.control("k"))
            stage.settle()
            #expect(stage.rows.contains { $0.contains("Berth 7 is free") && !$0.contains("▌Harbour") })
            stage.type("gene")
            stage.settle()
            #expect(stage.screen.contains("message 398"))
            stage.type("zzz")
            stage.settle()
            #expect(!stage.screen.contains("message 398"))
        }
    }

    @Test func `A few letters of the title, the topic or a person suffice, and are marked`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.settle()
        for (letters, title, marked) in [
            ("hrb", "Harbour", "Hrb"), ("archive", "Old things", "Archive"), ("soren", "Old things", "Søren"),
        ] {
            stage.press(.control("u"))
            stage.type(letters)
            #expect(stage.rows[1].contains(title), "\(letters)")
            let spans = stage.frame.lines[1].spans.filter { $0.style.attributes.contains(.underline) }
            #expect(spans.map(\.text.string).joined() == marked)
        }
        stage.press(.control("u"))
        stage.type("qqq")
        #expect(stage.screen.contains("no match"))
        stage.press(.enter)
        #expect(stage.rows[0].contains("Go to:"))
    }

    @Test func `Esc leaves the conversation as it was, and choosing the same one loads nothing`() {
        var stage = Self.stage()
        let before = stage.frame
        stage.press(.control("k"))
        stage.settle()
        stage.press(.escape)
        #expect(stage.frame == before)
        stage.press(.control("k"))
        stage.settle()
        stage.type("general")
        stage.press(.enter)
        #expect(stage.requests.isEmpty)
        #expect(stage.frame == before)
    }

    @Test func `Without a conversation the program begins with the switcher, and Esc quits`() {
        var stage = Stage(Script.long(10))
        stage.startInSwitcher()
        #expect(stage.screen.contains("loading…"))
        stage.settle()
        stage.press(.enter)
        stage.settle()
        #expect(stage.screen.contains("message 9"))
        var other = Stage(Script.long(10))
        other.startInSwitcher()
        other.press(.escape)
        #expect(other.others.contains { if case .quit(.done) = $0 { true } else { false } })
    }

    @Test func `A store with slow summaries shows the names first`() {
        var stage = Self.stage()
        stage.press(.control("k"))
        stage.send(.reply(.conversations(epoch: 0), .conversations(.success(stage.store.talks.map(\.conversation)))))
        #expect(stage.screen.contains("loading…"))
        stage.passTime()
        #expect(stage.screen.contains("Harbour"))
        stage.answerAll()
        #expect(stage.rows[1].hasPrefix("▌Harbour") && stage.rows[1].contains("08:01"))
    }
}

/// A switcher with more conversations than the screen has rows.
struct LongSwitcherTests {
    private static let many: [(Conversation, [Message])] = (0..<60).map { number in
        var script = Script("2025-03-02T08:00:00Z")
        script.add("hello \(number)", from: "Mei", after: Int64(number * 60))
        return (Conversation(id: ConversationID("c\(number)"), title: "Channel \(number)", topic: nil), script.messages)
    }

    @Test func `A double click opens the clicked conversation, anywhere in the list`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010", beside: Self.many)
        stage.press(.control("k"))
        stage.settle()
        stage.press(.down, times: 30)
        let row = stage.rows[4]
        stage.mouse(.press(clicks: 1), row: 4)
        #expect(stage.rows[4].dropFirst() == row.dropFirst())
        stage.mouse(.press(clicks: 2), row: 4)
        stage.answerAll()
        #expect(row.contains(stage.model.conversation?.title ?? "?"))
    }

    @Test func `The selected conversation stays in place when the summaries come`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010", beside: Self.many)
        stage.press(.control("k"))
        let events = stage.waiting.flatMap(stage.store.answer)
        for event in events { if case .reply(_, .conversations) = event { stage.send(event) } }
        stage.passTime()
        stage.type("chan")
        stage.press(.down, times: 3)
        let chosen = stage.model.rooms.switcher.selectedConversation
        for event in events { if case .reply(_, .conversations) = event {} else { stage.send(event) } }
        #expect(stage.model.rooms.switcher.selectedConversation == chosen)
        #expect(stage.rows.contains { $0.hasPrefix("▌") && $0.contains(chosen?.title ?? "?") })
    }

    @Test func `Enter before the list has come opens the conversation as soon as it has, even by its ID`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010", beside: Self.many)
        stage.press(.control("k"))
        stage.type("c17")
        stage.press(.enter)
        #expect(stage.rows[0].contains("Go to: c17"))
        stage.settle()
        #expect(stage.model.conversation?.title == "Channel 17")
    }

    @Test func `A conversation whose remembered message is removed opens at the nearest survivor`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010", beside: Self.many)
        stage.press(.control("k"))
        stage.settle()
        stage.type("Channel 7")
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "Channel 7")
        stage.change { store in store.talks[0].messages.removeAll { $0.id == MessageID("m-1010") } }
        stage.press(.control("k"))
        stage.settle()
        stage.type("General")
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.model.conversation?.title == "General")
        #expect(stage.selection == "m-1011")
    }

    @Test func `A failed list shows the reason, retries by itself, and at once by Enter`() {
        var stage = Stage(FindTests.talk)
        stage.startInSwitcher()
        stage.send(.reply(.conversations(epoch: 0), .conversations(.failure(.unavailable("the line is down")))))
        #expect(stage.screen.contains("the line is down"))
        #expect(!stage.screen.contains("no conversations yet"))
        let delays = stage.others.compactMap {
            if case .wait(let delay, .retry(.conversations)) = $0 { delay } else { nil }
        }
        #expect(delays == [.seconds(1)])
        stage.press(.enter)
        stage.settle()
        #expect(stage.screen.contains("General"))
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.conversation?.title == "General")
    }
}

/// What the mouse does.
struct MouseTests {
    @Test func `The wheel scrolls three rows and back`() {
        var stage = Stage.open(Script.long(300), at: "m-150")
        let before = stage.rows
        stage.mouse(.wheelDown, row: 5)
        #expect(
            stage.rows[2..<10].map { $0.dropFirst().dropLast() } == before[5..<13].map { $0.dropFirst().dropLast() })
        stage.mouse(.wheelUp, row: 5)
        #expect(stage.rows.dropLast() == before.dropLast())
    }

    @Test func `A click selects, and scrolls nothing`() {
        var stage = Stage.open(Script.long(300), at: "m-150")
        let before = stage.rows.map { $0.dropFirst() }
        stage.mouse(.press(clicks: 1), row: 4)
        #expect(stage.rows[4].hasPrefix("▌"))
        #expect(stage.rows.map { $0.dropFirst() }[2..<13] == before[2..<13])
        for row in [0, 1, 13, 40] {
            stage.mouse(.press(clicks: 1), row: row)
            #expect(stage.rows[4].hasPrefix("▌"))
        }
    }

    @Test func `A double click on a reply goes to the message that it quotes`() {
        var messages = Script.long(300)
        messages[152].quote = Quote(id: MessageID("m-3"), content: .message(sender: person("Ben"), text: "message 3"))
        var stage = Stage.open(messages, at: "m-150")
        let row = stage.rows.firstIndex { $0.contains("message 152") } ?? 0
        stage.mouse(.press(clicks: 1), row: row)
        #expect(stage.requests.isEmpty)
        stage.mouse(.press(clicks: 2), row: row)
        stage.answerAll()
        #expect(stage.selection == "m-3")
    }

    @Test func `The scroll bar leads to every part of the conversation, and its thumb follows the mouse`() {
        var stage = Stage.open(Script.long(3_000), at: "m-1500", rows: 30)
        let before = stage.frame
        for row in 2..<29 {
            stage.mouse(.press(clicks: 1), row: row, column: 71)
            stage.mouse(.release, row: row, column: 71)
            stage.answerAll()
            let thumb = stage.rows.indices.filter { stage.rows[$0].hasSuffix("┃") }
            #expect(thumb.contains(row), "row \(row): thumb at \(thumb)")
        }
        #expect(stage.selection == "m-2999")
        stage.mouse(.press(clicks: 1), row: 2, column: 71)
        for row in 3..<20 { stage.mouse(.drag, row: row, column: 30) }
        stage.answerAll()
        #expect(stage.rows[19].hasSuffix("┃"))
        stage.mouse(.release, row: 20, column: 30)
        stage.mouse(.drag, row: 5, column: 71)
        #expect(stage.rows[19].hasSuffix("┃"))
        for _ in 0..<28 {
            stage.press(.control("o"))
            stage.answerAll()
        }
        #expect(stage.frame.withoutNotice == before.withoutNotice)
    }

    @Test func `A drag that begins before the page of its press has come is one jump`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010")
        let before = stage.frame
        stage.mouse(.press(clicks: 1), row: 4, column: 71)
        stage.mouse(.drag, row: 5, column: 71)
        stage.mouse(.release, row: 5, column: 71)
        stage.answerAll()
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.frame == before)
    }

    @Test func `In the lists the wheel scrolls, a click selects and a double click opens`() {
        var stage = Stage.open(FindTests.talk, at: "m-1010", rows: 24)
        stage.press(.character("s"))
        stage.typeAndWait("tide")
        stage.mouse(.press(clicks: 1), row: 4)
        #expect(stage.rows[4].hasPrefix("▌"))
        stage.mouse(.press(clicks: 2), row: 4)
        stage.settle()
        #expect(stage.selection == "m-1700")
        stage.press(.control("k"))
        stage.settle()
        stage.mouse(.press(clicks: 2), row: 1)
        stage.settle()
        #expect(stage.rows[0].contains("General"))
    }

    @Test(arguments: [0, 1, 2, 3])
    func `Clicks anywhere on any screen break nothing`(panel: Int) {
        var stage = Stage.open(FindTests.talk, at: "m-1010")
        switch panel {
        case 1: stage.press(.character("s"))
        case 2: stage.press(.control("k"))
        case 3: stage.press(.character("h"))
        default: break
        }
        stage.settle()
        for row in -1...40 {
            for column in [0, 30, 70, 71, 100] {
                for action in [.press(clicks: 1), .press(clicks: 2), .drag, .release, .wheelUp, .wheelDown]
                    as [Mouse.Action]
                {
                    stage.mouse(action, row: row, column: column)
                }
            }
        }
        stage.settle()
        #expect(stage.frame.lines.count == 14)
    }
}

struct ScrollBarTests {
    @Test func `Every row leads to the place that its thumb covers, and only the end rows to the ends`() throws {
        for height in 1...40 {
            for visible in [1, 2, 5, 11, 40] {
                for total in [2, 3, 12, 41, 100, 5_000, 250_000] where total > visible {
                    let bar = try #require(ScrollBar(height: height, first: 0, visible: visible, total: total))
                    for row in -1...height {
                        let first: Int
                        switch bar.target(ofThumbAt: row) {
                        case .beginning: first = 0
                        case .end: first = total - visible
                        case .index(let index):
                            first = index - visible / 2
                            #expect((0..<total).contains(index))
                        }
                        let drawn = try #require(
                            ScrollBar(height: height, first: first, visible: visible, total: total))
                        guard height > 2 * bar.thumb.count, total > 4 * height * visible else { continue }
                        #expect(
                            drawn.thumb.contains(min(max(0, row), height - 1)), "\(height) \(visible) \(total) \(row)")
                    }
                }
            }
        }
    }
}
