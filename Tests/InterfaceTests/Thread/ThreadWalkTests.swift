import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Random walks through a thread while things arrive, fail and change: the conversation beside it stays where it is, row
/// by row, and the thread obeys the rules of every timeline.
struct ThreadWalkTests {
    static let seeds: [UInt64] = (0..<6).map { _ in .random(in: 0...UInt64.max) }

    private static let replies = 300

    private static func script() -> [Message] {
        var messages = Script.long(400)
        for index in 0..<replies { messages.append(reply(index)) }
        return messages
    }

    private static func reply(_ index: Int) -> Message {
        Message(
            id: MessageID("r-\(index)"), at: Timestamp(milliseconds: 1_741_000_000_000 + Int64(index) * 200_000),
            sender: person(["Cy", "Dee"][index / 3 % 2]), text: "reply \(index)", thread: MessageID("m-200"),
            cursor: Cursor(token: "\(index)"))
    }

    /// Where each row of a pane stands on the screen: the message, and which row of it.
    private func rows(of pane: Pane) -> [String] {
        pane.timeline.visibleIndices.flatMap { index in
            let top = pane.timeline.screenRow(of: index)
            return (0..<pane.timeline.layout.height(of: index)).map {
                "\(pane.timeline.list[index].id) row \($0) at \(top + $0)"
            }
        }
    }

    @Test(arguments: seeds) func `Whatever happens in a thread, the conversation stays`(seed: UInt64) {
        print("thread walk: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let columns = [40, 60, 100, 120, 200].randomElement(using: &random) ?? 100
        let height = Int.random(in: 4...40, using: &random)
        var stage = Stage.open(
            Self.script(), at: "m-200", columns: columns, rows: height, me: PersonID("ana"))
        stage.settle()
        let place = stage.model.place
        stage.press(.character("t"))
        stage.settle()
        let conversation = rows(of: stage.model.main)
        var count = Self.replies
        for step in 0..<120 {
            let before = rows(of: stage.model.pane)
            let isFollowing = stage.model.timeline.viewport.isFollowing
            var isMove = false
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let keys: [Key] = [
                    .up, .down, .pageUp, .pageUp, .pageDown, .home, .end, .control("e"), .control("y"), .control("u"),
                ]
                stage.press(keys.randomElement(using: &random) ?? .up)
                isMove = true
            case 4, 5:
                let new = Self.reply(count)
                count += 1
                stage.change { $0.talks[0].messages.append(new) }
                stage.send(.changed(Stage.general.id, [.arrived(new)]))
            case 6:
                let timeline = stage.model.timeline
                guard timeline.count > 0 else { continue }
                var message = timeline.list[Int.random(in: 0..<timeline.count, using: &random)].message
                message.reactions = [Reaction(emoji: "👍", people: [person("Dee")])]
                stage.send(.changed(Stage.general.id, [.updated(message)]))
            case 7:
                stage.failAll()
                if Bool.random(using: &random) { stage.passTime() }
                isMove = true
            default:
                // A page that is waited for may be what a key asked for, or what held steps wait for.
                isMove = stage.model.pending != nil || !stage.model.inputState.held.isEmpty
                stage.answerAll()
            }
            let comment: Comment = "seed \(seed), step \(step), \(columns) x \(height)"
            #expect(rows(of: stage.model.main) == conversation, comment)
            if !isMove, !isFollowing {
                let after = Set(rows(of: stage.model.pane))
                #expect(before.allSatisfy(after.contains), comment)
            }
            #expect(
                stage.frame.lines.count == height && stage.frame.lines.allSatisfy { $0.columns <= columns }, comment)
        }
        stage.settle()
        stage.press(.escape)
        if stage.model.openThread != nil { stage.press(.escape) }
        #expect(stage.model.place == place, "seed \(seed)")
    }
}
