import Display
import Messages
import Testing

@testable import Interface

/// What the status line tells besides what one writes: what comes in elsewhere, and drafts that wait.
struct ComposingStatusTests {
    private static let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
    private static let ops = Conversation(id: ConversationID("ops"), title: "Ops", topic: nil)

    private static func stage(columns: Int = 100, drafts: [ConversationID: Draft] = [:]) -> Stage {
        var stage = Stage.open(
            Script.long(30), at: nil, columns: columns, rows: 12,
            beside: [(dev, Array(Script.long(5))), (ops, Array(Script.long(3)))], me: PersonID("ana"), drafts: drafts)
        stage.press(.control("k"))
        stage.settle()
        stage.press(.escape)
        return stage
    }

    private static func arrival(_ text: String) -> Arrival {
        Arrival(
            conversation: dev.id,
            message: Message(
                id: MessageID(text), at: Timestamp(milliseconds: 1_741_608_000_000), sender: person("Cy"), text: text,
                cursor: Cursor(token: text)))
    }

    @Test(arguments: [40, 60, 100, 200])
    func `While composing, messages elsewhere are reported only in the status line`(columns: Int) {
        var stage = Self.stage(columns: columns)
        stage.press(.character("i"))
        stage.type("half a sentence")
        let before = stage.rows
        stage.send(.arrived([Self.arrival("one"), Self.arrival("two")]))
        #expect(stage.rows.last?.contains("Dev: 2 new") == true)
        stage.send(.arrived([Self.arrival("@ana: look")]))
        #expect(stage.rows.last?.contains("Dev: 3 new, 1 for you") == true)
        #expect(stage.rows.dropLast() == before.dropLast())
        #expect(stage.screen.contains("› half a sentence"))
    }

    @Test func `A notice and the candidates of a completion come before that report`() {
        var stage = Self.stage()
        stage.press(.character("i"))
        stage.send(.arrived([Self.arrival("one")]))
        stage.type("@be")
        #expect(stage.rows.last?.contains("Ben") == true && stage.rows.last?.contains("Dev: 1 new") == true)
        stage.type("x ")
        stage.send(.trouble("the disk is full"))
        #expect(stage.rows.last?.contains("the disk is full") == true)
    }

    @Test(arguments: [Key.character("/"), .character("d"), .character("s"), .character("+")])
    func `The report stays visible while the user types in other fields`(key: Key) {
        var stage = Self.stage()
        stage.press(key)
        stage.send(.arrived([Self.arrival("@ana: look")]))
        #expect(stage.rows.last?.contains("Dev: ") == true, "\(stage.screen)")
        stage.type("me")
        #expect(stage.screen.contains("me"))
    }

    @Test func `A waiting draft is marked in the status line of its conversation`() {
        var stage = Self.stage()
        #expect(stage.rows.last?.contains("draft") == false)
        stage.press(.character("i"))
        stage.type("later")
        #expect(stage.rows.last?.contains("   draft") == false, "it is before one's eyes")
        stage.press(.escape)
        #expect(stage.rows.last?.contains("   draft") == true)
        stage.press(.character("i"), .enter)
        stage.press(.escape)
        stage.settle()
        #expect(stage.rows.last?.contains("draft") == false)
    }

    @Test func `Drafts of other conversations are in the status line and in the list of conversations`() {
        var stage = Self.stage(drafts: [Self.dev.id: Draft(text: "half a sentence")])
        #expect(stage.rows.last?.contains("draft in Dev") == true)
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.filter { $0.contains(" draft ") }.count == 1)
        #expect(stage.rows.contains { $0.contains("Dev") && $0.contains(" draft ") })
        stage.press(.escape)
        stage = Self.stage(drafts: [
            Self.dev.id: Draft(replies: [MessageID("m-1"): Draft.Reply(text: "in a thread")]),
            Self.ops.id: Draft(edits: [MessageID("m-2"): Draft.Edit("another text")]),
        ])
        #expect(stage.rows.last?.contains("drafts in 2 conversations") == true)
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.filter { $0.contains(" draft ") }.count == 2)
    }

    @Test func `On a narrow screen the marks of drafts make room for the key for help`() {
        let drafts = [Stage.general.id, Self.dev.id].map { ($0, Draft(text: "half a sentence")) }
        for (columns, marks) in [(100, ["   draft ", "draft in Dev"]), (40, ["   draft "])] {
            let stage = Self.stage(columns: columns, drafts: Dictionary(uniqueKeysWithValues: drafts))
            let line = stage.rows.last ?? ""
            #expect(line.contains("h help"), "\(line)")
            #expect(marks.allSatisfy(line.contains), "\(line)")
            #expect(line.contains("draft in Dev") == marks.contains("draft in Dev"), "\(line)")
        }
    }

    @Test func `On a narrow screen the list marks drafts too`() {
        var stage = Self.stage(columns: 40, drafts: [Self.dev.id: Draft(text: "half a sentence")])
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.rows.contains { $0.contains("Dev") && $0.contains(" draft") }, "\(stage.screen)")
        #expect(stage.rows.allSatisfy { $0.count <= 40 })
    }
}
