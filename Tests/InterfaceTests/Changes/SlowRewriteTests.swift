import Messages
import Testing
import Timeline

@testable import Display
@testable import Interface
@testable import InterfaceSupport

/// A log is cut off and written again slowly: each state on the way counts as final, and the screen comes back.
struct SlowRewriteTests {
    private static let ana = PersonID("ana")

    /// Ben names Ana in each of his messages.
    private static func talk(_ count: Int) -> [Message] {
        var script = Script("2025-03-01T00:00:00Z")
        for index in 0..<count {
            // Those from 400 on are sent after the rewrite.
            script.add(
                index % 2 == 0 ? "message \(index)" : "@ana message \(index)", from: index % 2 == 0 ? "Cleo" : "Ben",
                after: index == 400 ? 1_000_000 : 60)
        }
        return script.messages
    }

    private static let all = talk(400)

    private static func open(at id: Int?, rows: Int = 16) -> Stage {
        var stage = Stage.open(all, read: all.count, at: id.map { "m-\($0)" }, rows: rows, me: ana)
        stage.settle()
        return stage
    }

    /// The store is cut off after so many messages and says so.
    private static func cutOff(_ stage: inout Stage, at count: Int) {
        stage.change { $0.talks[0].messages = Array(all.prefix(count)) }
        stage.send(.changed(Stage.general.id, [.replaced]))
        stage.settle()
    }

    /// The rest comes in, some messages at a time.
    private static func write(
        _ stage: inout Stage, from start: Int, to end: Int = all.count, step: Int,
        each: (inout Stage) -> Void = { _ in }
    ) {
        for place in stride(from: start, to: end, by: step) {
            let next = min(end, place + step)
            stage.change { $0.talks[0].messages = Array(all.prefix(next)) }
            stage.send(.changed(Stage.general.id, all[place..<next].map { .arrived($0) }))
            stage.settle()
            each(&stage)
        }
    }

    private static func notifications(_ stage: Stage) -> [String] {
        stage.others.compactMap { if case .notify(_, let text, _) = $0 { text } else { nil } }
    }

    @Test(arguments: [0, 1, 60, 199, 201, 206], [7, 60, 1_000])
    func `After a slow rewrite the screen is as before, with its selection, and known messages are not new`(
        start: Int, step: Int
    ) {
        let walks: [[Key]] = [
            [], [.pageUp], [.control("y"), .control("y")], [.up, .up, .up], [.pageDown, .control("e")],
        ]
        for walk in walks {
            var stage = Self.open(at: 202)
            for key in walk { stage.press(key) }
            stage.settle()
            let (before, selection) = (stage.rows, stage.selection)
            Self.cutOff(&stage, at: start)
            Self.write(&stage, from: start, step: step) { #expect(!$0.screen.contains("↓"), "after \(walk)") }
            #expect(stage.rows == before, "after \(walk)")
            #expect(stage.selection == selection, "after \(walk)")
            #expect(stage.model.pane.lost == nil, "after \(walk)")
            #expect(Self.notifications(stage) == [], "after \(walk)")
            #expect(stage.marks == [], "after \(walk)")
        }
    }

    @Test func `The screen is as before even if the file was cut off a second time`() {
        var stage = Self.open(at: 202)
        let before = stage.rows
        Self.cutOff(&stage, at: 150)
        Self.write(&stage, from: 150, to: 190, step: 20)
        Self.cutOff(&stage, at: 100)
        Self.write(&stage, from: 100, step: 30)
        #expect(stage.rows == before)
    }

    @Test func `Once the user has moved, the screen stays at the new place`() {
        var stage = Self.open(at: 202)
        Self.cutOff(&stage, at: 150)
        stage.press(.up, times: 3)
        let selection = stage.selection
        let row = stage.rows.firstIndex { $0.hasPrefix("▌") }
        Self.write(&stage, from: 150, step: 30)
        #expect(selection == "m-146" && stage.selection == selection)
        #expect(stage.rows.firstIndex { $0.hasPrefix("▌") } == row)
        #expect(!stage.screen.contains("↓"))
        #expect(Self.notifications(stage) == [])
    }

    @Test func `A message that was not there before is new, and notified`() throws {
        var stage = Self.open(at: 202)
        Self.cutOff(&stage, at: 150)
        Self.write(&stage, from: 150, step: 30)
        let new = Self.talk(402)
        stage.change { $0.talks[0].messages = new }
        stage.send(.changed(Stage.general.id, new[400...].map { .arrived($0) }))
        stage.settle()
        #expect(stage.screen.contains("↓ 2 new"))
        #expect(Self.notifications(stage) == ["@ana message 401"])
    }

    @Test func `The number of new messages below the screen comes back too`() {
        for start in [0, 150, 399] {
            var stage = Self.open(at: nil)
            stage.press(.pageUp, .pageUp)
            stage.settle()
            let new = Self.talk(403)
            stage.change { $0.talks[0].messages = new }
            stage.send(.changed(Stage.general.id, new[400...].map { .arrived($0) }))
            stage.settle()
            let before = stage.rows
            #expect(before.last?.contains("↓ 3 new") == true)
            Self.cutOff(&stage, at: start)
            #expect(!stage.screen.contains("↓"))
            Self.write(&stage, from: start, step: 50)
            stage.change { $0.talks[0].messages = new }
            stage.send(.changed(Stage.general.id, new[400...].map { .arrived($0) }))
            stage.settle()
            #expect(stage.rows == before, "from \(start)")
            #expect(Self.notifications(stage) == ["@ana message 401"])
        }
    }

    @Test func `While following, the bottom stays the bottom, and the read position does not go back`() {
        for start in [0, 150] {
            var stage = Self.open(at: nil)
            let before = stage.rows
            Self.cutOff(&stage, at: start)
            Self.write(&stage, from: start, step: 50)
            #expect(stage.model.timeline.viewport.isFollowing)
            #expect(stage.rows == before)
            #expect(stage.marks == [])
            #expect(Self.notifications(stage) == [])
        }
    }

    @Test func `Far from the end, where the window loses nothing, the other messages are not new either`() {
        let all = Script.long(3_000, seconds: 60).map(\.namingAna)
        var stage = Stage.open(all, read: all.count, at: "m-100", rows: 16, me: Self.ana)
        stage.settle()
        stage.change { $0.talks[0].messages = Array(all.prefix(1_500)) }
        stage.send(.changed(Stage.general.id, [.replaced]))
        stage.settle()
        stage.change { $0.talks[0].messages = all }
        stage.send(.changed(Stage.general.id, all[1_500...].map { .arrived($0) }))
        stage.settle()
        #expect(!stage.screen.contains("↓"))
        #expect(Self.notifications(stage) == [])
    }
}

extension Message {
    fileprivate var namingAna: Message {
        var message = self
        message.text += " @ana"
        return message
    }
}
