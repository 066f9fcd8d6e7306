import Messages
import TestSupport
import Testing
import Timeline

@testable import Display
@testable import Interface

/// What is on the screen is never lost to a failure: pending, loading, loaded, refreshing, failed.
struct RefreshingTests {
    /// The message area, without marks and scroll bar.
    private func messages(_ stage: Stage) -> [String] {
        stage.rows.dropFirst(2).dropLast().map { row in String(row.filter { !"│┃▌►".contains($0) }) }
    }

    @Test(arguments: [UInt64](1...30))
    func `A list that is on its way, or fails, leaves the current one`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var stage = Stage.open(Script.long(900), at: "m-\(Int.random(in: 100..<800, using: &random))", rows: 16)
        var ends = (failed: 0, loaded: 0)
        for step in 0..<40 {
            let before = messages(stage)
            let entries = stage.entries
            let selection = stage.selection
            let jumps: [Key] = [.home, .end, .control("o"), .tab]
            stage.press(jumps.randomElement(using: &random) ?? .home)
            guard stage.waiting.contains(where: { if case .ask(_, .list) = $0 { true } else { false } }) else {
                stage.settle()
                continue
            }
            #expect(messages(stage) == before, "seed \(seed), step \(step): loading")
            if Bool.random(using: &random) { stage.passTime() }
            #expect(messages(stage) == before, "seed \(seed), step \(step): slow")
            if Bool.random(using: &random) {
                stage.failAll()
                ends.failed += 1
                #expect(messages(stage) == before, "seed \(seed), step \(step): failed")
                #expect(stage.entries == entries && stage.selection == selection, "seed \(seed), step \(step)")
                #expect(stage.screen.contains("not loaded"))
            } else {
                stage.settle()
                ends.loaded += 1
                #expect(messages(stage) != before, "seed \(seed), step \(step): loaded")
            }
        }
        #expect(ends.failed > 0 && ends.loaded > 0, "seed \(seed)")
    }

    @Test func `A list of conversations that cannot be read again stays as it was`() {
        let other = Conversation(id: ConversationID("other"), title: "Other", topic: nil)
        var stage = Stage.open(Script.long(50), at: nil, beside: [(other, Script.long(3))])
        stage.press(.control("k"))
        stage.settle()
        #expect(stage.screen.contains("Other"))
        stage.press(.escape)
        stage.press(.control("k"))
        #expect(stage.screen.contains("Other"), "refreshing")
        stage.forgetWaiting()
        stage.send(.reply(.conversations(epoch: 0), .conversations(.failure(.unavailable("the line is down")))))
        #expect(stage.screen.contains("Other"), "failed")
        #expect(stage.screen.contains("the line is down"))
    }

    @Test func `An opening is loading, then failed, then loading again, then shown`() {
        var stage = Stage(Script.long(100))
        stage.start(at: .message(MessageID("m-50")))
        #expect(stage.screen.contains("loading…"))
        stage.failAll()
        #expect(stage.screen.contains("the line is down"))
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.screen.contains("message 50"))
    }
}
