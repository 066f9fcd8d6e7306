import Display
import Foundation
import Messages
import Testing

@testable import Interface

/// The keys in the status line.
struct HintTests {
    @Test func `The key that leads to the end is named where it leads somewhere`() {
        var stage = Stage.open(Script.long(100), at: nil, columns: 110, rows: 12)
        #expect(stage.rows.last?.contains("End newest") == false)
        stage.press(.pageUp)
        #expect(stage.rows.last?.contains("End newest") == true)
        stage.press(.end)
        stage.settle()
        #expect(stage.rows.last?.contains("End newest") == false)
    }

    @Test(arguments: [50, 72, 110, 200])
    func `Hints that are there for each message keep their columns from message to message`(columns: Int) throws {
        var messages = Script.long(60)
        for index in stride(from: 0, to: 60, by: 3) { messages[index].quote = Quote(of: messages[1]) }
        for index in stride(from: 0, to: 60, by: 4) { messages[index].text += " https://example.org" }
        for index in stride(from: 0, to: 60, by: 5) { messages[index].replyCount = 2 }
        var stage = Stage.open(
            messages, at: "m-30", columns: columns, rows: 20, me: PersonID("ana"), prefer: { $0.showsLink = false })
        let fixed = ["/ search", "i write", "h help", "q quit"]
        func places() -> [String.Index?] {
            fixed.map { word in stage.rows.last.flatMap { $0.range(of: word)?.lowerBound } }
        }
        let before = places()
        #expect(before.contains { $0 != nil })
        var changing: Set<String> = []
        for _ in 0..<15 {
            stage.press(.down)
            #expect(places() == before, "\(stage.rows.last ?? "")")
            for word in ["quoted", "thread", "open link", "newest"] where stage.rows.last?.contains(word) == true {
                changing.insert(word)
            }
        }
        #expect(!changing.isEmpty)
    }
}
