import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Random walks through a conversation of islands: what is missing between them comes late, in pieces, without being asked for, or not
/// at all, while messages arrive and change. No text on the screen moves unless the user moves it.
struct GapWalkTests {
    static let seeds: [UInt64] = (0..<12).map { _ in .random(in: 0...UInt64.max) }

    private static let count = 400

    /// The indices of the islands that are here at first; days change in the midst of them and of what is missing.
    private static let islands = [0..<20, 60..<90, 150..<220, 300..<301, 360..<400]

    /// The row of the screen in which the text of each visible message begins.
    private func texts(_ stage: Stage) -> [MessageID: Int] {
        let timeline = stage.model.timeline
        var rows: [MessageID: Int] = [:]
        for index in timeline.visibleIndices {
            let row = timeline.screenRow(of: index) + timeline.measure(of: index).row(ofPlace: 0)
            if (0..<timeline.viewport.height).contains(row) { rows[timeline.list[index].id] = row }
        }
        return rows
    }

    private func number(_ id: MessageID) -> Int { Int(id.rawValue.dropFirst(2)) ?? -1 }

    /// Brings some of what is missing beside an island; nothing if nothing is missing.
    private func fill(_ stage: inout Stage, _ random: inout SeededGenerator) {
        stage.change { store in
            let edges = store.missing.filter { !store.missing.contains($0 - 1) || !store.missing.contains($0 + 1) }
            guard let edge = edges.sorted().randomElement(using: &random) else { return }
            let isUp = store.missing.contains(edge + 1)
            for step in 0..<Int.random(in: 1...50, using: &random) {
                guard store.missing.remove(edge + (isUp ? step : -step)) != nil else { break }
            }
        }
    }

    private func move(_ stage: inout Stage, _ random: inout SeededGenerator) {
        let keys: [Key] = [
            .up, .down, .pageUp, .pageUp, .pageDown, .pageDown, .home, .end, .control("e"), .control("y"),
            .control("u"),
            .enter, .control("o"),
        ]
        stage.press(keys.randomElement(using: &random) ?? .up, times: Int.random(in: 1...4, using: &random))
    }

    @Test(arguments: seeds) func `Whatever comes into gaps, or does not, nothing moves by itself`(seed: UInt64) {
        print("gap walk: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let columns = [40, 60, 72, 120].randomElement(using: &random) ?? 72
        let height = Int.random(in: 6...40, using: &random)
        var messages = Script.long(Self.count, seconds: 7_200)
        var stage = Stage(messages, columns: columns, rows: height, me: PersonID("ana"))
        stage.change { store in
            store.missing = Set(0..<Self.count).subtracting(Self.islands.joined())
            store.fillsGaps = true
        }
        stage.start(at: .message(MessageID("m-\([5, 75, 152, 215, 300, 399].randomElement(using: &random) ?? 75)")))
        stage.settle()
        for step in 0..<150 {
            let before = texts(stage)
            let isFollowing = stage.model.timeline.viewport.isFollowing
            // What comes may be what a key asked for, or the page that held steps wait for.
            var isMove = stage.model.pending != nil || !stage.model.inputState.held.isEmpty
            let action = Int.random(in: 0..<12, using: &random)
            switch action {
            case 0...3:
                move(&stage, &random)
                isMove = true
            case 4:
                // The server has sent something, and the files have it.
                fill(&stage, &random)
                stage.send(.changed(Stage.general.id, [.filled]))
            case 5: stage.failAll("the server is tired")
            case 6: stage.passTime()
            case 7:
                let isOnline = Bool.random(using: &random)
                stage.change { $0.fillsGaps = isOnline }
                stage.send(
                    .changed(
                        Stage.general.id,
                        isOnline ? [.reach(.online), .filled] : [.reach(.offline(reason: "no route"))]))
            case 8:
                let at = Timestamp(milliseconds: (messages.last?.at.milliseconds ?? 0) + 7_200_000)
                let new = Message(
                    id: MessageID("m-\(messages.count)"), at: at, sender: person("Ben"),
                    text: "message \(messages.count)", cursor: Cursor(token: "\(messages.count)"))
                messages.append(new)
                let isAtEnd = stage.change { store in
                    let isAtEnd = !store.missing.contains(messages.count - 2)
                    store.talks[0].messages.append(new)
                    return isAtEnd
                }
                if isAtEnd { stage.send(.changed(Stage.general.id, [.arrived(new)])) }
            case 9:
                stage.send(
                    .changed(
                        Stage.general.id, [.readers([Reader(person("Ben"), upTo: MessageID("m-\(step)"), index: step)])]
                    ))
            default:
                // What comes is no more than was asked for, or nothing at all.
                if Bool.random(using: &random) { fill(&stage, &random) }
                stage.answerAll()
            }
            check(
                stage, before, isMove || isFollowing,
                "seed \(seed), step \(step), action \(action), \(columns) x \(height)")
        }
        // All of it comes in the end, and the window is what it always was.
        stage.change { $0.missing = [] }
        stage.send(.changed(Stage.general.id, [.filled]))
        stage.settle()
        stage.press(.home)
        stage.settle()
        #expect(stage.entries.first?.id == MessageID("m-0"), "seed \(seed)")
    }

    private func check(_ stage: Stage, _ before: [MessageID: Int], _ isMove: Bool, _ comment: String) {
        let after = texts(stage)
        if !isMove {
            let moved = before.filter { after[$0.key] != $0.value }
            #expect(moved.isEmpty, "\(comment): \(moved) are at \(moved.keys.map { after[$0] ?? -1 })\n\(stage.screen)")
        }
        let numbers = stage.entries.map { number($0.id) }
        let isWhole = zip(numbers, numbers.dropFirst()).allSatisfy { $0 + 1 == $1 }
        #expect(isWhole, "\(comment): the window bridges a gap: \(numbers)")
        let days = stage.entries.filter(\.startsDay).map(\.date)
        #expect(days.count == Set(days).count, "\(comment): a day has two lines")
        #expect(stage.frame.lines.count == stage.model.size.rows, "\(comment)")
    }
}
