import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// "new since you were here", and what counts as read.
struct UnreadLineTests {
    static let line = "new since you were here"

    @Test func `The line is below the header of the day, above the first new message`() {
        var script = Script("2025-03-01T23:50:00Z")
        script.add("the last that was read", from: "Ana")
        script.add("the first new one", from: "Ben", after: 600)
        script.add("and another", from: "Ben")
        let stage = Stage.open(script.messages, read: 1, columns: 72, rows: 10)
        expect(
            stage.screen,
            """
             General   Where we talk                                         3 of 3

                                 beginning of the conversation
             ─────────────────────── Saturday 1 March 2025 ───────────────────────
             23:51  Ana       the last that was read
             ──────────────────────── Sunday 2 March 2025 ────────────────────────
             ────────────────────── new since you were here ──────────────────────
             00:01  Ben       the first new one
            ▌00:02            and another
             general/m-2  00:02                           / search  h help  q quit
            """)
    }

    @Test func `Below the line the sender of the first new message is named, even within a group`() {
        var script = Script("2025-03-01T10:00:00Z")
        script.add("the last that was read", from: "Ben", after: 1)
        script.add("and on", from: "Ben", after: 1)
        let stage = Stage.open(script.messages, read: 1, columns: 72, rows: 10)
        #expect(stage.rows.contains { $0.contains("10:00  Ben       and on") })
    }

    @Test func `The line fits on a screen of 20 columns too`() {
        let stage = Stage.open(Script.long(20), read: 17, columns: 20, rows: 12)
        expect(
            stage.screen,
            """
             General         20
             Saturday 1 March 20
             01:53 Ana         │
             message 16        │
             ────── new ───────│
             02:00 Ben         │
             message 17        │
             02:06 Ana         │
             message 18        │
            ▌02:13 Ben         │
            ▌message 19        ┃
             general/m-19  02:13
            """)
    }

    @Test func `At every width the line is one row, no wider than the screen`() {
        let entries = Entry.entries(
            Script.long(30, seconds: 4_000), after: nil, zone: .utc, firstUnread: MessageID("m-21"))
        #expect(entries[21].startsDay, "both headers stand above one message")
        for columns in 1...150 {
            let grid = Grid(columns: columns)
            for entry in entries {
                let rows = MessageRows(entry, grid: grid)
                let view = MessageView(
                    entry, rows: rows, grid: grid, isSelected: false, target: entry.id, query: nil, visible: 0..<1)
                let lines = rows.rows.indices.filter { if case .unread = rows.rows[$0].content { true } else { false } }
                #expect(lines.count == (entry.id == MessageID("m-21") ? 1 : 0))
                for row in lines { #expect(view.line(row).columns <= columns - grid.rightMargin) }
                #expect(zip(rows.rows, rows.rows.dropFirst()).allSatisfy { $0.place < $1.place })
                for row in rows.rows.indices { #expect(rows.row(ofPlace: rows.place(ofRow: row)) == row) }
                let marked = rows.rows.indices.filter { view.line($0).text.hasPrefix("►") }
                let isText = marked.allSatisfy { row in
                    switch rows.rows[row].content {
                    case .text, .head: true
                    default: false
                    }
                }
                #expect(isText && marked.count <= 1, "the mark of the target stands at the message itself")
            }
        }
    }

    @Test func `The line stays when the end is reached, and after everything was loaded again`() {
        var stage = Stage.open(Script.long(3_000), read: 2_980, at: "m-2980", rows: 20, capacity: 60)
        let first = stage.screen
        #expect(first.contains(Self.line))
        stage.press(.end)
        stage.answerAll()
        #expect(stage.marks == ["m-2999"])
        for key in [Key.pageUp, .pageDown] {
            for _ in 0..<30 {
                stage.press(key)
                stage.answerAll()
                stage.expectLine(above: 2_980)
            }
        }
        stage.press(.home)
        stage.answerAll()
        stage.press(.end)
        stage.answerAll()
        stage.press(.pageUp)
        stage.answerAll()
        stage.expectLine(above: 2_980)
        #expect(stage.screen.contains(Self.line))
        #expect(stage.marks == ["m-2999"], "what is read is read once")
    }

    @Test func `An arrival neither moves the line nor makes another`() {
        var stage = Stage.open(Script.long(100), read: 97, rows: 20)
        #expect(stage.marks == ["m-99"])
        stage.send(.focus(true))
        for index in 100..<104 {
            stage.arrive()
            stage.expectLine(above: 97)
            #expect(stage.marks.last == "m-\(index)")
        }
        #expect(stage.screen.contains(Self.line))
    }

    @Test func `An edit of the message below the line leaves it in place`() {
        var messages = Script.long(100)
        var stage = Stage.open(messages, read: 97, rows: 20)
        messages[97].text = "edited"
        messages[97].isEdited = true
        stage.send(.changed(Stage.general.id, [.updated(messages[97])]))
        stage.passTime()
        #expect(stage.screen.contains("edited (edited)"))
        stage.expectLine(above: 97)
    }

    @Test(arguments: [nil, "m-200"])
    func `When everything was read at the opening, arrivals get no line, even when they are loaded again`(id: String?) {
        var stage = Stage.open(Script.long(500), read: 500, at: id, rows: 12, capacity: 60)
        #expect(stage.marks == [])
        for _ in 0..<3 { stage.arrive() }
        for keys in [[Key.end], [.home], [.end, .pageUp, .pageDown]] {
            for key in keys {
                stage.press(key)
                stage.answerAll()
                stage.expectLine(above: nil)
            }
        }
        #expect(stage.marks.last == "m-502")
    }

    @Test func `Scrolled back from an end that was read, arrivals get no line either`() {
        var stage = Stage.open(Script.long(100), read: 100, rows: 12)
        stage.press(.pageUp)
        stage.arrive()
        stage.press(.end)
        stage.answerAll()
        stage.expectLine(above: nil)
    }

    @Test func `A last message that no longer exists leaves no line`() {
        let stage = Stage.open(Script.long(100), reading: ReadPosition(message: MessageID("gone"), index: 90))
        stage.expectLine(above: nil)
        #expect(stage.marks == ["m-99"])
    }

    @Test func `Each opening has its own line`() {
        let other = Conversation(id: ConversationID("other"), title: "Other", topic: nil)
        var stage = Stage.open(Script.long(100), read: 97, rows: 20, beside: [(other, Script.long(30))])
        stage.expectLine(above: 97)
        stage.go(to: "other")
        stage.expectLine(above: nil)
        stage.arrive()
        stage.go(to: "general")
        stage.expectLine(above: 100)
        #expect(stage.marks == ["m-99", "m-29", "m-100"])
        stage.press(.character("d"))
        stage.type("2025-03-01")
        stage.press(.enter)
        stage.answerAll()
        stage.press(.end)
        stage.answerAll()
        stage.expectLine(above: 100)
    }
}

/// Random ways through a conversation.
struct UnreadWalkTests {
    private static let keys: [Key] = [
        .pageUp, .pageDown, .home, .end, .up, .down, .control("u"), .control("d"), .control("o"), .tab,
    ]

    @Test(arguments: [UInt64](1...20))
    func `In any order of pages, the rows are those of the whole conversation`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let count = Int.random(in: 30...900, using: &random)
        let read = Int.random(in: 0...count, using: &random)
        let columns = Int.random(in: 20...90, using: &random)
        let me = Bool.random(using: &random) ? PersonID("ana") : nil
        var stage = Stage.open(
            Script.long(count), read: read, at: "m-\(Int.random(in: 0..<count, using: &random))", columns: columns,
            rows: Int.random(in: 6...20, using: &random), capacity: 40, me: me)
        // Every second message is Ana's.
        let index = read == 0 ? nil : (read..<count).first { me == nil || !$0.isMultiple(of: 2) }
        let first = index.map { MessageID("m-\($0)") }
        var whole = Entry.entries(Script.long(count), after: nil, zone: .utc, firstUnread: first)
        for step in 0..<120 {
            if Int.random(in: 0..<12, using: &random) == 0 {
                stage.arrive()
                let arrived = stage.store.talks[0].messages.suffix(1)
                whole += Entry.entries(Array(arrived), after: whole.last.map { Neighbour($0.message) }, zone: .utc)
            } else if Int.random(in: 0..<10, using: &random) == 0 {
                stage.press(.character("/"))
                stage.typeAndWait("\(Int.random(in: 0..<whole.count, using: &random))")
                stage.press(Bool.random(using: &random) ? .enter : .escape)
            } else {
                stage.press(Self.keys.randomElement(using: &random) ?? .up)
            }
            if Bool.random(using: &random) { stage.answerAll() }
            for entry in stage.entries {
                #expect(entry == whole[Int(entry.message.cursor.token) ?? 0], "seed \(seed), step \(step)")
            }
            stage.expectLine(above: index, "seed \(seed), step \(step)")
        }
    }
}
