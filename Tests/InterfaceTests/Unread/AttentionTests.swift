import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface

/// What comes while nobody looks is not read.
struct AttentionTests {
    private static func stage(rows: Int = 14) -> Stage { Stage.open(Script.long(20), read: 20, rows: rows) }

    private static func isUnread(_ stage: Stage) -> Bool { stage.rows.contains { $0.contains(UnreadLineTests.line) } }

    @Test func `Without the focus nothing becomes read, and the line stands above the first message that came`() {
        var stage = Self.stage()
        stage.send(.focus(false))
        let before = stage.marks
        for _ in 0..<30 { stage.arrive() }
        #expect(stage.marks == before)
        #expect(stage.screen.contains("message 49"), "it follows all the same")
        stage.expectLine(above: 20)
        stage.send(.focus(true))
        #expect(stage.marks == before + ["m-49"])
        stage.expectLine(above: 20, "it stays")
        stage.press(.character("u"))
        stage.settle()
        #expect(
            Self.isUnread(stage) && stage.rows.contains { $0.hasSuffix("message 20") || $0.contains("message 20 ") })
    }

    @Test func `Each absence has its own line, above the first message that came in it`() {
        var stage = Self.stage()
        for first in [20, 22, 24] {
            stage.send(.focus(false))
            for _ in 0..<2 { stage.arrive() }
            stage.expectLine(above: first)
            #expect(Self.isUnread(stage))
            stage.send(.focus(true))
            #expect(stage.marks.last == "m-\(first + 1)")
        }
        // With the focus a message that comes is read, and the line stays.
        stage.arrive()
        #expect(stage.marks.last == "m-26")
        stage.expectLine(above: 24)
    }

    @Test func `Until its first report a terminal had the focus`() {
        var stage = Self.stage()
        stage.arrive()
        stage.send(.focus(false))
        #expect(stage.marks.last == "m-20")
        stage.arrive()
        #expect(stage.marks.last == "m-20")
        stage.expectLine(above: 21)
    }

    @Test func `Where a terminal tells nothing, what came since the last key is new`() {
        var (stage, focused) = (Self.stage(), Self.stage())
        focused.send(.focus(true))
        let before = stage.marks
        for count in 1...30 {
            stage.arrive()
            focused.arrive()
            #expect(stage.marks == before)
            // Somebody may be looking: no line comes into the screen, and no row stands elsewhere for it.
            #expect(stage.rows == focused.rows, "message \(count)")
        }
        stage.expectLine(above: 20)
        stage.press(.character("T"))
        #expect(stage.marks == before + ["m-49"])
        stage.press(.character("u"))
        stage.settle()
        #expect(Self.isUnread(stage))
    }

    @Test func `Where a terminal tells nothing, no line comes above each reply`() {
        var stage = Self.stage()
        for _ in 0..<30 {
            stage.arrive()
            #expect(!Self.isUnread(stage))
            stage.press(.character("T"))
            stage.expectLine(above: nil)
        }
        #expect(stage.marks.last == "m-49")
    }

    @Test func `What comes around a stop of the program is new until something is typed`() {
        for focus in [nil, true] {
            var stage = Self.stage()
            if let focus { stage.send(.focus(focus)) }
            stage.send(.interrupted)
            let before = stage.marks
            for _ in 0..<3 { stage.arrive() }
            #expect(stage.marks == before)
            stage.expectLine(above: 20)
            stage.press(.character("T"))
            #expect(stage.marks == before + ["m-22"])
            stage.expectLine(above: 20)
        }
    }

    @Test(arguments: [
        (Key.character("h"), Key.escape), (.character("s"), .escape), (.control("k"), .escape),
        (.character("t"), .character("t")),
    ])
    func `What comes while something covers the conversation has its line, even with the focus`(open: Key, close: Key) {
        var stage = Self.stage()
        stage.send(.focus(true))
        stage.press(open)
        stage.settle()
        let before = stage.marks
        for _ in 0..<30 { stage.arrive() }
        #expect(stage.marks == before)
        stage.press(close)
        stage.settle()
        #expect(!stage.model.isInThread && stage.screen.contains("message 49"))
        #expect(stage.marks.last == "m-49")
        stage.expectLine(above: 20)
        stage.press(.character("u"))
        stage.settle()
        #expect(Self.isUnread(stage) && stage.selection == "m-20")
    }

    @Test func `Behind the help, a key does not move the line to a later message`() {
        var stage = Self.stage()
        stage.send(.focus(true))
        stage.arrive()
        stage.press(.character("h"))
        stage.arrive()
        stage.press(.down)
        stage.arrive()
        stage.press(.escape)
        stage.expectLine(above: 21)
        #expect(stage.marks.last == "m-22")
        stage.press(.character("h"))
        stage.arrive()
        stage.press(.escape)
        stage.expectLine(above: 23)
    }

    @Test func `Behind the help, a line on the screen stays, so that no row moves`() {
        for leaves in [false, true] {
            var stage = Self.stage()
            stage.send(.focus(true))
            stage.press(.character("h"))
            stage.arrive()
            stage.press(.escape)
            stage.expectLine(above: 20)
            // Away from the end, nothing scrolls when a message comes.
            stage.press(.up, times: leaves ? 16 : 1)
            stage.settle()
            if !leaves { stage.press(.control("y")) }
            #expect(!stage.model.timeline.viewport.isFollowing && Self.isUnread(stage) != leaves)
            // Without the bar at the right.
            let rows = stage.rows.dropFirst().dropLast().map { $0.dropLast() }
            stage.press(.character("h"))
            stage.arrive()
            stage.press(.escape)
            #expect(stage.rows.dropFirst().dropLast().map { $0.dropLast() } == rows)
            stage.expectLine(above: leaves ? 21 : 20)
        }
    }

    @Test func `Behind the help, the line of a conversation that fits on the screen stays`() {
        var stage = Stage.open(Script.long(8), read: 8, rows: 40)
        stage.send(.focus(true))
        for _ in 0..<3 {
            let rows = stage.rows
            stage.press(.character("h"))
            stage.arrive()
            stage.press(.escape)
            stage.expectLine(above: 8)
            // The cursor may go on to the new message.
            for (row, text) in rows.enumerated() where text.contains("message ") {
                #expect(stage.rows[row].dropFirst().dropLast() == text.dropFirst().dropLast())
            }
        }
    }

    @Test func `The line of the opening stays while messages below it are unread`() {
        var stage = Stage.open(Script.long(60), read: 10, at: "m-10")
        stage.expectLine(above: 10)
        stage.send(.focus(false))
        stage.arrive()
        stage.expectLine(above: 10)
        stage.send(.focus(true))
        #expect(stage.marks.isEmpty, "\(stage.marks)")
        stage.expectLine(above: 10)
    }

    @Test func `Another conversation that is opened without the focus is read with it`() {
        let other = Conversation(id: ConversationID("other"), title: "other", topic: nil)
        var stage = Stage.open(
            Script.long(20), read: 20, beside: [(other, Script.long(5))])
        stage.press(.control("k"))
        stage.answerAll()
        stage.passTime()
        stage.type("other")
        stage.press(.enter)
        stage.send(.focus(false))
        let before = stage.marks
        stage.answerAll()
        stage.passTime()
        #expect(stage.model.conversation?.id == other.id && stage.marks == before)
        stage.send(.focus(true))
        #expect(stage.marks == before + ["m-4"])
    }
}
