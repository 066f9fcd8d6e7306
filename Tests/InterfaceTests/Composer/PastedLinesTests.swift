import Display
import Messages
import TestSupport
import Testing

@testable import Interface

/// Text that comes into the composer in whatever way is text, and sends nothing.
struct PastedLinesTests {
    private static func stage(_ text: String = "") -> Stage {
        var stage = Stage.open(Script.long(8), at: nil, me: PersonID("ben"))
        stage.passTime()
        stage.press(.character("i"))
        stage.type(text)
        return stage
    }

    /// The bytes of one read, as a terminal without marks around a paste sends them.
    private static func read(_ text: String) -> Event {
        .input(
            text.unicodeScalars.map { scalar in
                switch scalar {
                case "\r": .key(.enter)
                case "\n": .key(.control("j"))
                case "\t": .key(.tab)
                default: .key(.character(Character(scalar)))
                }
            })
    }

    private static func text(_ stage: Stage) -> String? { stage.model.composer?.area.text }

    private static func wait(_ milliseconds: Int64, _ stage: inout Stage) {
        stage.send(.time(Timestamp(milliseconds: stage.model.now.milliseconds + milliseconds)))
    }

    @Test(arguments: ["one\rtwo\rthree\r", "one\rtwo", "one\n\ttwo\n", "a\r\nb\r\n", "\r\rone"])
    func `Several lines in one read are text, and send nothing`(read: String) {
        var stage = Self.stage("> ")
        stage.send(Self.read(read))
        #expect(stage.sent.isEmpty)
        let lines = read.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        #expect(Self.text(stage) == "> " + lines)
        Self.wait(2_000, &stage)
        stage.press(.enter)
        #expect(stage.sent.count == 1)
    }

    @Test func `Enter at the end of a read sends, and a line feed never does`() {
        var stage = Self.stage()
        stage.send(Self.read("hello\r"))
        #expect(stage.sent.count == 1)
        stage.send(Self.read("a\nb"))
        stage.send(Self.read("\n"))
        #expect(stage.sent.count == 1 && Self.text(stage) == "a\nb\n")
    }

    @Test func `The rest of the lines may come a little later`() {
        var stage = Self.stage()
        stage.send(Self.read("one\rtw"))
        Self.wait(300, &stage)
        stage.send(Self.read("o\r"))
        Self.wait(50, &stage)
        stage.send(Self.read("\r"))
        #expect(stage.sent.isEmpty && Self.text(stage) == "one\ntwo\n\n")
        // The user sends what was pasted.
        Self.wait(200, &stage)
        stage.press(.enter)
        #expect(stage.sent.count == 1)
    }

    @Test func `Keys before the composer are keys, and an open line of words takes Enter as ever`() {
        var stage = Stage.open(Script.long(8), at: nil, me: PersonID("ben"))
        stage.send(Self.read("ihello\r"))
        #expect(stage.sent.count == 1)
        stage.press(.escape)
        stage.send(Self.read("/message 3\r"))
        stage.settle()
        #expect(stage.model.panel == nil && stage.selection == "m-3")
    }

    @Test func `A paste outside of any text runs nothing`() {
        var stage = Stage.open(Script.long(8), at: nil, me: PersonID("ben"))
        let before = stage.rows.dropLast()
        stage.send(.input([.paste("x\ry\rexit now\rq")]))
        #expect(stage.rows.dropLast() == before && stage.screen.contains("press i to write, then paste"))
        #expect(stage.others.allSatisfy { if case .quit = $0 { false } else { true } })
    }

    @Test func `A paste whose first byte came early, and left the composer as Esc, comes into the composer`() {
        var stage = Self.stage("hello")
        stage.press(.escape)
        Self.wait(80, &stage)
        stage.send(.input([.paste("exit now")]))
        #expect(stage.model.panel == .composer && Self.text(stage) == "helloexit now")
        // The rest of a long paste comes slowly.
        stage.press(.escape)
        Self.wait(3_000, &stage)
        stage.send(.input([.paste("!")]))
        #expect(Self.text(stage) == "helloexit now!")
    }

    @Test(arguments: [true, false])
    func `A paste some time after Esc, or after another key, opens no composer`(hasKey: Bool) {
        var stage = Self.stage("hello")
        stage.press(.escape)
        if hasKey { stage.press(.up) } else { Self.wait(12_000, &stage) }
        stage.send(.input([.paste("exit now")]))
        #expect(stage.model.panel == nil && Self.text(stage) == "hello")
    }

    @Test(arguments: [("gi", "l1\rl2\r"), ("gr", "l1\rl2\rl3\r"), ("gjji", "l1\nl2")])
    func `Several lines in one read are text while the composer waits for the beginning`(
        _ read: (keys: String, lines: String)
    ) {
        var stage = Stage.open(Script.long(400), at: nil, rows: 14, me: PersonID("ben"))
        stage.send(Self.read(read.keys))
        stage.send(Self.read(read.lines))
        stage.settle()
        #expect(stage.sent.isEmpty)
        #expect(Self.text(stage) == read.lines.replacing("\r", with: "\n"))
    }

    @Test func `Lines that are typed while the composer waits are sent one by one`() {
        var stage = Stage.open(Script.long(400), at: nil, rows: 14, me: PersonID("ben"))
        stage.press(.character("g"), .character("i"))
        stage.type("one")
        stage.press(.enter)
        stage.type("two")
        stage.press(.enter)
        stage.settle()
        #expect(stage.model.writing.outbox.values.joined().count == 2)
    }
}
