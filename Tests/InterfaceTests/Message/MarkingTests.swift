import Display
import Messages
import Testing
import Timeline

@testable import Interface

/// When a conversation counts as read.
struct MarkingTests {
    @Test(arguments: [nil, "m-50", "m-4"])
    func `Without a baseline nothing is new, wherever the conversation opens`(id: String?) {
        var stage = Stage.open(Script.long(60), at: id, rows: 8)
        stage.expectLine(above: nil)
        stage.press(.end)
        stage.answerAll()
        stage.expectLine(above: nil)
        #expect(stage.marks == ["m-59"])
        #expect(stage.positions == [ReadPosition(message: MessageID("m-59"), index: 59)])
    }

    @Test func `The end is read only with the last row of the last message on the screen`() {
        var messages = Script.long(40)
        messages[39] = Message(
            id: messages[39].id, at: messages[39].at, sender: messages[39].sender,
            text: (0..<20).map { "row \($0)" }.joined(separator: "\n"), cursor: messages[39].cursor)
        var stage = Stage.open(messages, read: 30, at: "m-39", rows: 10)
        #expect(stage.screen.contains("row 0"))
        for _ in 0..<40 where !stage.screen.contains("row 19") {
            #expect(stage.marks == [])
            stage.press(.control("e"))
        }
        #expect(stage.marks == ["m-39"])
    }

    @Test func `Scrolling to the end marks as read, and no page before it does`() {
        var stage = Stage.open(Script.long(300), read: 100, at: "m-120", rows: 10, capacity: 60)
        for _ in 0..<200 where !stage.screen.contains("message 299") {
            #expect(stage.marks == [])
            stage.press(.pageDown)
            stage.answerAll()
        }
        #expect(stage.marks == ["m-299"])
        #expect(stage.positions == [ReadPosition(message: MessageID("m-299"), index: 299)])
    }

    @Test func `A jump or a search that does not show the end marks nothing`() {
        var stage = Stage.open(Script.long(300), read: 100, at: "m-120", rows: 10)
        stage.press(.character("/"))
        stage.typeAndWait("299")
        #expect(stage.screen.contains("message 299"))
        #expect(stage.marks == [], "one only looks")
        stage.press(.escape)
        stage.answerAll()
        stage.press(.character("s"))
        stage.typeAndWait("299")
        stage.answerAll()
        #expect(stage.marks == [], "nor does a preview")
        stage.press(.escape)
        stage.press(.character("/"))
        stage.typeAndWait("200")
        stage.press(.enter, .home)
        stage.answerAll()
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.marks == [])
    }

    @Test func `Messages that come under the help are read when the help closes`() {
        var stage = Stage.open(Script.long(100), read: 100)
        stage.press(.character("h"))
        stage.arrive()
        #expect(stage.marks == [])
        stage.press(.escape)
        #expect(stage.marks == ["m-100"])
    }

    @Test func `Trouble with saved state is reported, and hides no other warning`() {
        var stage = Stage.open(Script.long(10), at: nil, columns: 120)
        stage.send(.trouble("read.json cannot be written"))
        #expect(stage.rows.last?.contains("read.json cannot be written") == true)
        stage.send(.trouble("another"))
        #expect(stage.rows.last?.contains("read.json cannot be written") == true)
    }

    @Test func `A bookmark that cannot be kept is not called set`() {
        var stage = Stage.open(Script.long(10), at: nil, columns: 120)
        stage.press(.character("m"), .character("a"))
        #expect(stage.rows.last?.contains("bookmark a is here") == true)
        stage.send(.trouble("bookmarks.json cannot be written"))
        #expect(stage.rows.last?.contains("bookmarks.json cannot be written") == true)
    }
}
