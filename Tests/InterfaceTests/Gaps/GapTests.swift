import Display
import Messages
import Testing
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Messages are missing between two others: the screen says so, and never shows them as neighbours.
struct GapTests {
    /// A conversation of 60 messages, of which some are missing before message 20 and before message 40.
    private static func stage(at id: String?, gaps: Set<Int> = [20, 40], rows: Int = 14, columns: Int = 72) -> Stage {
        var stage = Stage(Script.long(60, seconds: 7_200), columns: columns, rows: rows)
        stage.change { $0.gaps = gaps }
        stage.start(at: id.map { .message(MessageID($0)) } ?? .latest)
        stage.answerAll()
        return stage
    }

    private static func ids(_ stage: Stage) -> [String] { stage.entries.map(\.id.rawValue) }

    private static func state(_ stage: Stage, _ side: Pager<Messages.Cursor>.Side) -> Pager<Messages.Cursor>.State {
        stage.model.timeline.pager.state(of: side)
    }

    @Test func `The window ends at a gap, and a row says from when to when nothing is here`() {
        var stage = Self.stage(at: "m-22")
        #expect(Self.ids(stage) == (20..<40).map { "m-\($0)" })
        #expect(stage.requests.isEmpty && Self.state(stage, .older) == .gap)
        stage.press(.up, times: 4)
        #expect(stage.screen.contains("no messages here between 16:00 and 18:00 on 2 March 2025"))
        #expect(Self.stage(at: "m-20", rows: 14, columns: 90).screen.contains("2 March 2025 · Enter goes on beyond"))
        #expect(!stage.screen.contains("beginning of the conversation") && !stage.screen.contains("loading"))
        #expect(stage.screen.contains("21 of about 60"))
        stage.press(.end)
        stage.answerAll()
        #expect(Self.ids(stage) == (40..<60).map { "m-\($0)" })
        #expect(Self.stage(at: "m-22", gaps: []).screen.contains("23 of 60"))
    }

    @Test func `Enter on the row of a gap goes beyond it, and the way back leads to the same screen`() {
        var stage = Self.stage(at: "m-22")
        stage.press(.up, times: 4)
        let before = stage.rows
        #expect(stage.model.timeline.selectedEdge == .older)
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.selection == "m-19" && Self.ids(stage) == (0..<20).map { "m-\($0)" })
        #expect(stage.screen.contains("no messages here between 16:00 and 18:00 on 2 March 2025"))
        stage.press(.down, .enter)
        stage.answerAll()
        #expect(stage.selection == "m-20")
        for _ in 0..<2 {
            stage.press(.control("o"))
            stage.answerAll()
        }
        // The cursor is on the message beside the gap now.
        #expect(stage.rows[4...].dropLast().map { $0.dropFirst() } == before[4...].dropLast().map { $0.dropFirst() })
    }

    @Test func `Days name a long gap, and a gap without messages beyond it names only one`() {
        var stage = Self.stage(at: "m-0", gaps: [0])
        stage.press(.up, .up)
        #expect(stage.screen.contains("no messages from before 1 March 2025 are here"))
        stage.press(.enter)
        #expect(stage.screen.contains("no older messages are here") && stage.requests.isEmpty)
        let home = Self.stage(at: nil, gaps: [0])
        var other = home
        other.press(.home)
        other.answerAll()
        #expect(other.screen.contains("no messages from before 1 March 2025 are here"))
    }

    @Test func `Messages that come into a gap appear beyond the edge, and nothing on the screen moves`() {
        var stage = Self.stage(at: "m-22")
        stage.press(.up, times: 4)
        let before = stage.rows
        stage.change { $0.gaps = [40] }
        stage.send(.changed(Stage.general.id, [.filled]))
        stage.answerAll()
        #expect(Self.ids(stage).first == "m-0" && Self.ids(stage).contains("m-20"))
        let after = stage.rows
        for row in 3..<after.count - 1 where before[row].contains("message") {
            #expect(before[row].dropFirst().dropLast(2) == after[row].dropFirst().dropLast(2))
        }
        let first = before.firstIndex { $0.contains("message 20") } ?? 0
        #expect(first > 1 && after[first - 1].contains("message 19"), "\(stage.screen)")
    }

    @Test(arguments: [0, 2, 4])
    func `A day that goes on beyond a filled gap has one line only`(up: Int) {
        var stage = Self.stage(at: "m-22")
        stage.press(.up, times: up)
        #expect(stage.entries[0].startsDay)
        let before = stage.rows
        stage.change { $0.gaps = [40] }
        stage.send(.changed(Stage.general.id, [.filled]))
        stage.answerAll()
        let days = stage.entries.filter(\.startsDay).map(\.date)
        #expect(days.count == Set(days).count && days.count > 2, "\(days)")
        // Nothing but the row of the gap and that of the day has changed.
        for row in 3..<before.count - 1 where before[row].contains("message") {
            #expect(before[row].dropFirst().dropLast(2) == stage.rows[row].dropFirst().dropLast(2))
        }
    }

    @Test func `A fill that leaves a gap keeps its row`() {
        var stage = Self.stage(at: "m-38")
        stage.press(.down, times: 4)
        #expect(Self.state(stage, .newer) == .gap && stage.model.timeline.selectedEdge == .newer)
        let before = stage.screen
        stage.send(.changed(Stage.general.id, [.filled]))
        stage.answerAll()
        #expect(stage.screen == before)
    }

    @Test func `A page that was read before a fill is asked for again`() {
        var stage = Self.stage(at: "m-22")
        stage.send(.changed(Stage.general.id, [.filled]))
        let old = stage.waiting
        #expect(old.count == 2)
        stage.send(.changed(Stage.general.id, [.filled]))
        stage.answerAll()
        #expect(Self.state(stage, .older) == .gap)
        #expect(Self.ids(stage) == (20..<40).map { "m-\($0)" })
    }

    @Test func `Messages after a new gap count as new, and End goes to them`() {
        var stage = Self.stage(at: nil, gaps: [], rows: 20)
        stage.passTime()
        #expect(stage.model.timeline.viewport.isFollowing)
        let before = stage.rows
        let new = Message(
            id: MessageID("m-60"), at: Timestamp(milliseconds: 1_742_608_000_000), sender: person("Cy"),
            text: "after the gap",
            cursor: Cursor(token: "60"))
        stage.change { store in
            store.talks[0].messages.append(new)
            store.gaps = [60]
        }
        stage.send(.changed(Stage.general.id, [.gap, .arrived(new)]))
        stage.answerAll()
        #expect(!stage.model.timeline.viewport.isFollowing && !Self.ids(stage).contains("m-60"))
        #expect(stage.screen.contains("↓ 1 new"))
        for row in 2..<before.count - 1 {
            #expect(before[row].trimmingEnd == stage.rows[row].trimmingEnd || before[row].isEmpty, "\(stage.screen)")
        }
        stage.press(.down)
        #expect(stage.screen.contains("no messages here between"), "\(stage.screen)")
        stage.press(.end)
        stage.answerAll()
        #expect(Self.ids(stage) == ["m-60"] && !stage.screen.contains("new"))
        #expect(stage.screen.contains("after the gap"))
    }
}

extension String {
    /// Without blanks and the scroll bar at its end.
    fileprivate var trimmingEnd: Substring {
        var text = self[...]
        while let last = text.last, " │┃".contains(last) { text.removeLast() }
        return text
    }
}
