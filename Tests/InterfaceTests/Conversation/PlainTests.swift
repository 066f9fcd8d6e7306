import Display
import Messages
import Testing

@testable import Interface

/// The screen for a screen reader: nothing but words, and the cursor where the reading goes on.
struct PlainTests {
    private static func messages() -> [Message] {
        var script = Script("2025-03-01T09:12:00Z")
        script.add("first", from: "Ben")
        script.add("```\nlet a = 1\n```", from: "Ben", after: 10)
        script.add("look", from: "Ana", after: 10) { message in
            message.attachments = [Attachment(name: "a.png", path: "a.png", size: 12)]
            message.quote = Quote(id: MessageID("m-0"), content: .message(sender: person("Ben"), text: "first"))
        }
        script.add("next day, @ana", from: "Ben", after: 86_400)
        return script.messages
    }

    private static func stage(columns: Int = 130, rows: Int = 20, me: String? = nil) -> Stage {
        var stage = Stage(
            messages(), columns: columns, rows: rows, me: me.map { PersonID($0) }, hidesList: false, isPlain: true)
        stage.start(at: .latest)
        stage.answerAll()
        return stage
    }

    /// No bars, no lines, no marks.
    private static func isOfWords(_ frame: Frame) -> Bool {
        let marks = Set<Character>("─│┃┤┫▌►↪📎↳")
        return frame.lines.allSatisfy { line in
            line.spans.allSatisfy { $0.style == .plain } && !line.text.contains(where: marks.contains)
        }
    }

    @Test func `All is said in words, and each message says its time and its sender`() {
        let stage = Self.stage()
        #expect(Self.isOfWords(stage.frame), "\(stage.screen)")
        #expect(stage.screen.contains("reply to Ben: first") && stage.screen.contains("file: a.png"))
        #expect(stage.rows.contains("Sunday 2 March 2025"))
        #expect(stage.rows.filter { $0.hasPrefix("09:13  Ben") }.count == 3)
        #expect(stage.rows.contains { $0.hasSuffix("let a = 1") })
    }

    @Test func `The cursor is on the first column of the text of the selected message`() throws {
        var stage = Self.stage()
        for text in ["next day, @ana", "reply to Ben: first", "```", "first"] {
            let cursor = try #require(stage.frame.cursor)
            #expect(String(stage.rows[cursor.row].dropFirst(cursor.column)) == text)
            stage.press(.up)
        }
    }

    @Test func `A step changes no row unless the screen scrolls`() {
        var stage = Self.stage()
        let before = stage.rows
        stage.press(.up)
        #expect(stage.rows == before)
    }

    @Test func `States of the selected message are in the last row`() {
        var stage = Self.stage(me: "ana")
        #expect(stage.rows.last?.hasPrefix("mentions you or replies to you  ") == true)
        stage.press(.up)
        #expect(stage.rows.last?.hasPrefix("  ") == true)
    }

    @Test func `The keys for help and for quitting are in the last row, with drafts or without`() {
        for drafts in [[], ["general", "dev"]] {
            var stage = Stage(
                Self.messages(), columns: 80, rows: 20, me: PersonID("ana"),
                drafts: Dictionary(uniqueKeysWithValues: drafts.map { (ConversationID($0), Draft(text: "a word")) }),
                isPlain: true)
            stage.start(at: .latest)
            stage.answerAll()
            #expect(stage.rows.last?.hasSuffix("h help  q quit") == true, "\(stage.rows.last ?? "")")
            #expect(stage.rows.last?.contains("draft elsewhere") == !drafts.isEmpty)
        }
    }

    @Test(arguments: [80, 130])
    func `A list has all rows and columns, since no preview is beside it or below it`(columns: Int) {
        var stage = Stage(Script.long(200), columns: columns, rows: 30, isPlain: true)
        stage.start(at: .latest)
        stage.answerAll()
        stage.press(.character("s"))
        stage.typeAndWait("message")
        #expect(stage.rows[1].hasPrefix("General"))
        #expect(stage.rows[2...28].allSatisfy { $0.contains("Ana") || $0.contains("Ben") }, "\(stage.screen)")
        #expect(stage.requests.isEmpty)
    }

    @Test func `In lists the cursor is on the selected entry, and in prompts in the text`() throws {
        var stage = Self.stage()
        stage.press(.character(":"))
        stage.press(.down)
        let cursor = try #require(stage.frame.cursor)
        #expect(cursor.row == 2 && cursor.column == 0 && Self.isOfWords(stage.frame))
        stage.press(.escape)
        stage.press(.character("/"))
        stage.type("fi")
        #expect(stage.frame.cursor?.row == 19)
    }

    @Test func `A thread takes the place of the conversation, and no list stands beside it`() {
        var stage = Self.stage()
        #expect(stage.model.sidebarColumns == 0)
        stage.press(.character("c"))
        #expect(stage.model.sidebarColumns == 0 && stage.rows.last?.contains("plain mode") == true)
        stage.press(.character("t"))
        stage.answerAll()
        #expect(stage.model.split.main == nil && stage.model.split.thread != nil)
    }
}
