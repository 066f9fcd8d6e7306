import Display
import Messages
import Testing

@testable import Interface

/// Others have read one's own messages: a mark says so, and nothing moves for it.
struct ReadersTests {
    private static func stage(columns: Int = 72, at id: String? = nil, count: Int = 20) -> Stage {
        Stage.open(Script.long(count), at: id, columns: columns, rows: 14, me: PersonID("ana"))
    }

    private static func tell(_ readers: [Reader], _ stage: inout Stage) {
        stage.send(.changed(Stage.general.id, [.readers(readers)]))
    }

    private static func read(
        _ name: String, _ id: String, _ scope: Reader.Scope = .all, index: Int? = nil
    ) -> Reader {
        Reader(person(name), upTo: MessageID(id), scope, index: index)
    }

    /// The numbers of the messages with a mark.
    private static func marked(_ stage: Stage) -> [String] {
        stage.rows.filter { $0.contains("✓") }.compactMap { $0.firstMatch(of: /message (\d+)/).map { String($0.1) } }
    }

    @Test(arguments: [72, 120])
    func `One's own messages up to the last one that somebody has read are marked, and nothing moves`(columns: Int) {
        var stage = Self.stage(columns: columns)
        let before = stage.rows
        #expect(Self.marked(stage).isEmpty)
        Self.tell([Self.read("Ben", "m-15"), Self.read("Cy", "m-11")], &stage)
        #expect(Self.marked(stage).last == "14" && Self.marked(stage).allSatisfy { (Int($0) ?? 1) % 2 == 0 })
        #expect(zip(before, stage.rows).allSatisfy { $1.replacing("✓", with: " ") == $0.replacing("✓", with: " ") })
        Self.tell([Self.read("Ben", "m-16")], &stage)
        #expect(Self.marked(stage).last == "16")
        // The user's own receipt, from another client, says nothing about others.
        Self.tell([Self.read("Ana", "m-19")], &stage)
        #expect(Self.marked(stage).isEmpty)
    }

    @Test func `On a narrow screen the mark stands before the scroll bar, and nothing moves`() {
        var stage = Self.stage(columns: 50)
        let before = stage.rows
        Self.tell([Self.read("Ben", "m-19")], &stage)
        #expect(stage.rows.contains { $0.contains("✓") })
        #expect(
            zip(before, stage.rows).allSatisfy { old, new in
                let end = new.index(new.endIndex, offsetBy: -2, limitedBy: new.startIndex) ?? new.startIndex
                return new == old || new[end] == "✓" && new[..<end] == old[..<end]
            })
    }

    @Test func `A message after the window is known by its place, and one that is unknown counts for nothing`() {
        var stage = Self.stage(at: "m-200", count: 1_000)
        Self.tell([Self.read("Ben", "m-990", index: 990)], &stage)
        #expect(!Self.marked(stage).isEmpty)
        Self.tell([Self.read("Ben", "m-1", index: 1)], &stage)
        #expect(Self.marked(stage).isEmpty)
        Self.tell([Self.read("Ben", "m-990")], &stage)
        #expect(Self.marked(stage).isEmpty)
        Self.tell([Self.read("Ben", "reply", .thread(MessageID("m-990")), index: 990)], &stage)
        #expect(Self.marked(stage).isEmpty)
    }

    @Test func `Another conversation has other readers`() {
        var stage = Stage.open(
            Script.long(20), at: nil,
            beside: [
                (Conversation(id: ConversationID("other"), title: "Other", topic: nil), Script.long(20))
            ], me: PersonID("ana"))
        Self.tell([Self.read("Ben", "m-15")], &stage)
        #expect(!Self.marked(stage).isEmpty)
        stage.press(.control("k"))
        stage.answerAll()
        stage.typeAndWait("Other")
        stage.press(.enter)
        stage.answerAll()
        #expect(Self.marked(stage).isEmpty, "\(stage.screen)")
    }

    @Test func `W names the people who have read a message`() {
        var stage = Self.stage()
        Self.tell([Self.read("Ben", "m-19"), Self.read("Cy", "m-18", .mainTimeline), Self.read("Dee", "m-1")], &stage)
        stage.press(.up)
        stage.press(.character("W"))
        stage.answerAll()
        #expect(stage.rows[0].contains("read by 2") && !stage.rows[0].contains("0 reactions"), "\(stage.screen)")
        #expect(stage.rows[1].contains("read by  2") && stage.rows[1].contains("Ben") && stage.rows[2].contains("Cy"))
        #expect(!stage.screen.contains("Dee"))
        stage.press(.escape, .down, .character("W"))
        #expect(stage.screen.contains("Ben") && !stage.screen.contains("Cy"))
    }
}
