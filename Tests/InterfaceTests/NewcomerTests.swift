import Display
import Messages
import Testing

@testable import Interface

/// Places where a newcomer hesitated.
struct NewcomerTests {
    private static let dev = Conversation(
        id: ConversationID("dev"), title: "Dev", topic: nil, members: [person("Sofia"), person("Ben")])

    private static func open(at id: String? = "m-10", columns: Int = 90, rows: Int = 20) -> Stage {
        var script = Script("2025-03-02T08:00:00Z")
        for index in 0..<6 { script.add("message in dev \(index)", from: "Sofia", id: "d-\(index)") }
        return Stage.open(
            Script.long(30), at: id, columns: columns, rows: rows, beside: [(dev, script.messages)],
            me: PersonID("ana"))
    }

    // MARK: - Searching

    @Test func `n goes on in the next conversation of a search everywhere, and N back`() {
        var stage = Self.open()
        stage.press(.character("s"))
        stage.typeAndWait("message")
        let titles = stage.rows.filter { $0.hasPrefix(" Dev  ") || $0.hasPrefix(" General  ") }
        #expect(titles.count >= 1)
        stage.press(.enter)
        stage.settle()
        let first = stage.model.conversation?.id
        #expect(stage.rows.last?.contains(" here") == true)
        for _ in 0..<40 where stage.model.conversation?.id == first {
            stage.press(.character("n"))
            stage.settle()
        }
        #expect(stage.model.conversation?.id != first)
        #expect(stage.screen.contains("on to "))
        #expect(stage.selection == (first == Stage.general.id ? "d-0" : "m-0"))
        let isWrapped = stage.screen.contains("search wrapped")
        stage.press(.character("N"))
        stage.settle()
        #expect(stage.model.conversation?.id == first)
        #expect(stage.selection == (first == Stage.general.id ? "m-29" : "d-5"))
        #expect(stage.screen.contains("search wrapped") == isWrapped)
    }

    @Test func `n stays in the conversation when a search everywhere has hits nowhere else`() {
        var stage = Self.open()
        stage.press(.character("s"))
        stage.typeAndWait("dev")
        stage.press(.enter)
        stage.settle()
        for _ in 0..<8 {
            stage.press(.character("n"))
            stage.settle()
            #expect(stage.model.conversation?.id == Self.dev.id)
        }
        #expect(stage.rows.last?.contains(" here") == false)
    }

    @Test func `The title of the preview has the day of its topmost message`() throws {
        var script = Script("2025-03-01T23:50:00Z")
        for index in 0..<20 { script.add("word \(index)", from: "Ana", after: 60) }
        var stage = Stage.open(script.messages, at: "m-0", columns: 72, rows: 20)
        stage.press(.character("s"))
        stage.typeAndWait("\"word 10\"")
        let title = try #require(stage.rows.first { $0.contains("General ·") })
        #expect(title.contains("Saturday 1 March 2025"), "\(stage.screen)")
        #expect(stage.rows.contains { $0.contains("─ Sunday 2 March 2025 ─") })
    }

    @Test func `A name that nobody has is told, with the one that may be meant`() {
        var stage = Self.open()
        stage.press(.character("s"))
        stage.typeAndWait("message from:sofai")
        #expect(stage.screen.contains("nobody is called \"sofai\"; did you mean from:Sofia?"), "\(stage.screen)")
        stage.press(.control("u"))
        stage.typeAndWait("nothing from:sofia")
        #expect(stage.rows[1].contains("no match") && !stage.screen.contains("nobody is called"))
        #expect(stage.rows[0].contains("0 hits"), "\(stage.screen)")
    }

    @Test func `A filter with a typing error is told with the one that may be meant, here and everywhere`() {
        var stage = Self.open()
        stage.press(.character("s"))
        stage.typeAndWait("message has:lnk")
        #expect(
            stage.screen.contains("\"has:lnk\" is searched for as words; did you mean has:link?"), "\(stage.screen)")
        stage.press(.control("u"))
        stage.typeAndWait("message in:genreal")
        #expect(
            stage.screen.contains("no conversation is called \"genreal\"; did you mean in:general?"), "\(stage.screen)")
        stage.press(.control("u"))
        stage.typeAndWait("message -has:lnk")
        #expect(stage.rows[0].hasSuffix("hits · did you mean -has:link?"), "\(stage.screen)")
        stage.press(.escape)
        stage.press(.character("/"))
        stage.typeAndWait("form:ana")
        #expect(stage.screen.contains("no match · did you mean from:ana?"), "\(stage.screen)")
        stage.press(.enter)
        stage.settle()
        #expect(
            stage.screen.contains("no match for \"form:ana\" in this conversation; did you mean from:ana?"),
            "\(stage.screen)")
    }

    @Test func `A list without an entry has no line around its empty preview`() {
        for columns in [80, 130] {
            var stage = Stage.open(Script.long(100), at: "m-50", columns: columns, rows: 24)
            stage.press(.character("s"))
            stage.typeAndWait("message")
            #expect(stage.screen.contains(#/──|│/#))
            stage.press(.control("u"))
            stage.typeAndWait("nothing")
            #expect(stage.screen.contains("no match") && !stage.screen.contains(#/──|│/#), "\(stage.screen)")
            #expect(stage.rows.count == 24 && stage.rows[23].contains("Esc back"))
        }
    }

    @Test func `The empty prompt says what can be typed`() {
        for key in ["/", "?"] {
            var stage = Self.open()
            stage.press(.character(Character(key)))
            #expect(stage.rows.last?.contains("\"a phrase\", from:ana, has:link") == true)
        }
    }

    // MARK: - Conversations

    @Test func `Conversations stand by the last message of a person, and lines that nobody wrote do not count`() {
        func summary(_ id: String, last: Int64, spoken: Int64?, unread: Int = 0) -> ConversationSummary {
            ConversationSummary(
                conversation: Conversation(id: ConversationID(id), title: id, topic: nil), count: 3, first: nil,
                last: Timestamp(milliseconds: last), spoken: spoken.map { Timestamp(milliseconds: $0) },
                unread: Unread(count: unread))
        }
        func order(_ summaries: [ConversationSummary]) -> [String] {
            var switcher = Switcher()
            switcher.open(in: nil, after: nil)
            switcher.take(summaries.map(\.conversation))
            for summary in summaries { switcher.take(summary) }
            switcher.finish(Reading(states: ReadStates()))
            return switcher.rows.compactMap(\.conversation?.id.rawValue)
        }
        #expect(
            order([
                summary("server", last: 900, spoken: nil, unread: 2), summary("old", last: 800, spoken: 100),
                summary("new", last: 700, spoken: 600), summary("unread", last: 500, spoken: 300, unread: 1),
            ]) == ["unread", "new", "old", "server"])
        // Where nobody is known to have written, the last line counts.
        #expect(order([summary("a", last: 1, spoken: nil), summary("b", last: 2, spoken: nil)]) == ["b", "a"])
    }

    @Test func `The first list says that Esc quits`() {
        var stage = Stage(Script.long(3))
        stage.startInSwitcher()
        stage.settle()
        #expect(stage.rows.last?.contains("Esc quit") == true)
        stage = Self.open()
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.last?.contains("Esc back") == true)
    }

    // MARK: - Keys

    @Test func `A key that does nothing is told, once`() {
        var stage = Self.open()
        stage.press(.function(7))
        #expect(stage.rows.last?.contains("this key does nothing; h shows all keys") == true)
        stage.press(.down, .function(7))
        #expect(stage.rows.last?.contains("does nothing") == false)
    }

    @Test func `A date without messages says where it has led`() {
        var stage = Self.open(at: nil)
        var script = Script("2025-03-01T00:00:00Z")
        script.add("one", from: "Ana")
        script.add("two", from: "Ana", after: 86_400 * 9)
        stage = Stage.open(script.messages, at: "m-1", columns: 110, rows: 20)
        stage.press(.character("d"))
        stage.typeAndWait("2025-03-04")
        stage.press(.enter)
        stage.settle()
        #expect(stage.rows.last?.contains("No messages on Tuesday 4 March 2025; showing Monday 10 March 2025") == true)
        stage.press(.character("d"))
        stage.typeAndWait("2025-03-01")
        stage.press(.enter)
        stage.settle()
        #expect(stage.selection == "m-0" && stage.rows.last?.contains("No messages") == false)
        stage.press(.character("d"))
        stage.typeAndWait("2025-03-01 23:00")
        stage.press(.enter)
        stage.settle()
        let status = "No messages on Saturday 1 March 2025 from 23:00 on; showing Monday 10 March 2025"
        #expect(stage.rows.last?.contains(status) == true, "\(stage.screen)")
    }

    @Test(arguments: [
        ("2024-12", "No messages in December 2024; showing Saturday 1 March 2025"),
        ("2024", "No messages in 2024; showing Saturday 1 March 2025"),
        ("week of 2025-02-05", "No messages in the week of 3 February 2025; showing Saturday 1 March 2025"),
        ("2025-02-28", "No messages on Friday 28 February 2025; showing Saturday 1 March 2025"),
        ("2025-02", "No messages in February 2025; showing Saturday 1 March 2025"),
        // The first message of a month or year is on no other day than the one that was asked for.
        ("2025-03", nil), ("2025", nil), ("week of 2025-03-01", nil),
    ])
    func `A month, a week or a year without messages is named as it was typed`(date: String, status: String?) {
        var script = Script("2025-03-01T00:00:00Z")
        script.add("one", from: "Ana")
        script.add("two", from: "Ana", after: 86_400 * 9)
        var stage = Stage.open(script.messages, at: "m-1", columns: 110, rows: 20)
        stage.press(.character("d"))
        stage.typeAndWait(date)
        stage.press(.enter)
        stage.settle()
        #expect(stage.selection == "m-0")
        #expect(stage.rows.last?.contains(status ?? "No messages") == (status != nil), "\(stage.screen)")
    }

    // MARK: - Writing

    @Test func `r tells of a draft that replies to another message from now on`() {
        var stage = Self.open()
        stage.press(.character("r"))
        stage.type("an answer")
        stage.press(.escape, .down, .character("r"))
        #expect(stage.rows.last?.contains("your draft is now a reply to this message;") == true)
        #expect(stage.model.composer?.target == MessageID("m-11"))
        stage.press(.escape, .character("r"))
        #expect(stage.rows.last?.contains("your draft") == false)
    }

    @Test func `The composer that stays open after a message says how to stop`() {
        var stage = Self.open()
        stage.press(.character("i"))
        stage.type("hello")
        #expect(stage.rows.last?.contains("Esc keep draft") == true)
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.panel == .composer)
        #expect(stage.rows.last?.contains("Esc stop writing") == true)
    }
}
