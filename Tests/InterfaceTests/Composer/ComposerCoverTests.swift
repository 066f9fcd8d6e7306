import Display
import Messages
import TestSupport
import Testing
import Timeline

@testable import Interface

/// What one writes to stays on the screen while one writes.
struct ComposerCoverTests {
    private static let sizes = [(40, 10), (60, 12), (72, 14), (100, 30), (120, 20), (200, 60)]

    /// A conversation in which `m-38` has a thread of some replies.
    private static func talk(replies: Int) -> [Message] {
        var messages = Script.long(40)
        for index in 0..<replies {
            messages.append(
                Message(
                    id: MessageID("r-\(index)"),
                    at: Timestamp(milliseconds: 1_741_000_000_000 + Int64(index) * 600_000),
                    sender: person(index % 2 == 0 ? "Cy" : "Dee"), text: "reply \(index)", thread: MessageID("m-38"),
                    cursor: Cursor(token: "\(index)")))
        }
        return messages
    }

    private static func stage(_ size: (Int, Int), at id: String? = nil, replies: Int = 0) -> Stage {
        var stage = Stage.open(talk(replies: replies), at: id, columns: size.0, rows: size.1, me: PersonID("ana"))
        stage.settle()
        return stage
    }

    /// The text of a message, as a whole word.
    private func shows(_ stage: Stage, _ text: String) -> Bool {
        stage.rows.contains { !$0.hasPrefix(" ↳") && !$0.contains("› ") && "\($0) ".contains("\(text) ") }
    }

    @Test(arguments: sizes) func `The last message stays visible while the user writes a text of any length`(
        size: (Int, Int)
    ) {
        for ups in 0...2 {
            var stage = Self.stage(size)
            stage.press(.up, times: ups)
            let before = stage.frame
            stage.press(.character("i"))
            for line in 0..<12 {
                #expect(shows(stage, "message 39"), "\(ups) up, \(line) lines\n\(stage.screen)")
                stage.press(.altEnter)
            }
            for columns in [40, size.0, 130] {
                stage.send(.resized(Size(columns: columns, rows: size.1)))
                #expect(shows(stage, "message 39"), "\(ups) up, \(columns) columns\n\(stage.screen)")
            }
            stage.send(.resized(Size(columns: size.0, rows: size.1)))
            stage.press(.control("u"))
            stage.press(.backspace, times: 12)
            stage.press(.escape)
            #expect(stage.frame == before, "\(ups) up\n\(stage.screen)")
        }
    }

    @Test(arguments: sizes) func `The message being replied to stays visible, and no more moves than necessary`(
        size: (Int, Int)
    ) throws {
        let count = Self.stage(size).model.timeline.visibleIndices.count
        for row in 0..<count {
            var stage = Self.stage(size, at: "m-20")
            let index = stage.model.timeline.visibleIndices.lowerBound + row
            guard stage.model.timeline.visibleIndices.contains(index) else { continue }
            let id = stage.model.timeline.list[index].id
            _ = stage.model.reader.pane.timeline.jump(to: id, aligned: .minimal)
            stage.send(.time(stage.model.now))
            let before = stage.frame
            let top = stage.model.timeline.viewport.top
            stage.press(.character("r"))
            for line in 0..<10 {
                let timeline = stage.model.timeline
                let rows = timeline.layout.rows(of: try #require(timeline.list.index(of: id)))
                #expect(timeline.viewport.rows.contains(rows.lowerBound), "\(id), line \(line)\n\(stage.screen)")
                let isWhole = rows.upperBound <= timeline.viewport.bottom
                let isFull = rows.upperBound - rows.lowerBound >= timeline.viewport.height
                #expect(isWhole || isFull, "\(id), line \(line)\n\(stage.screen)")
                #expect(timeline.viewport.top - top <= max(0, rows.upperBound - timeline.viewport.height - top))
                stage.press(.altEnter)
            }
            stage.press(.control("u"))
            stage.press(.backspace, times: 12)
            stage.press(.escape)
            #expect(stage.frame == before, "\(id)\n\(stage.screen)")
        }
    }

    @Test(arguments: sizes) func `The last reply of a thread stays visible, and so does the conversation beside it`(
        size: (Int, Int)
    ) {
        for replies in [1, 5, 60] {
            var stage = Self.stage(size, at: "m-39", replies: replies)
            stage.press(.up, .character("t"))
            stage.settle()
            for ups in [0, 1] {
                stage.press(.up, times: ups)
                let before = stage.frame
                stage.press(.character("i"))
                for line in 0..<8 {
                    #expect(shows(stage, "reply \(replies - 1)"), "\(replies), line \(line)\n\(stage.screen)")
                    if size.0 >= 100 {
                        #expect(shows(stage, "message 39"), "\(replies), line \(line)\n\(stage.screen)")
                    }
                    #expect(stage.rows.count == size.1)
                    stage.press(.altEnter)
                }
                stage.press(.control("u"))
                stage.press(.backspace, times: 12)
                stage.press(.escape)
                #expect(stage.frame == before, "\(replies)\n\(stage.screen)")
            }
        }
    }

    @Test func `Beside a thread with a composer, the conversation fills its part of the screen`() {
        var stage = Self.stage((120, 20), at: "m-39", replies: 3)
        stage.press(.up, .character("t"))
        stage.settle()
        stage.press(.character("i"))
        stage.type("one")
        for pane in stage.model.reader.panes {
            let head = pane.thread == nil ? 0 : ThreadHead.height(of: pane, height: stage.model.rows.messages)
            #expect(pane.timeline.viewport.height + head == stage.model.rows.messages)
        }
    }

    @Test(arguments: sizes) func `A thread that is shorter than its pane begins below its root, wherever it opens`(
        size: (Int, Int)
    ) {
        for replies in 1...12 {
            for id in ["m-38", "r-0", "r-\(replies - 1)"] {
                var stage = Self.stage(size, at: id, replies: replies)
                if id == "m-38" { stage.press(.character("t")) }
                stage.settle()
                #expect(stage.model.isInThread)
                for rows in [size.1, size.1 + 15, 10, size.1] {
                    stage.send(.resized(Size(columns: size.0, rows: rows)))
                    expectTop(stage, "\(id) of \(replies), \(rows) rows")
                }
                for new in replies..<replies + 30 {
                    let message = Self.talk(replies: new + 1)[40 + new]
                    stage.send(.changed(Stage.general.id, [.arrived(message)]))
                    expectTop(stage, "\(id) of \(replies), \(new) came in")
                }
            }
        }
    }

    private func expectTop(_ stage: Stage, _ comment: String, location: SourceLocation = #_sourceLocation) {
        let timeline = stage.model.timeline
        guard timeline.layout.height < timeline.viewport.height else { return }
        #expect(
            timeline.viewport.top == timeline.layout.top - 1, "\(comment)\n\(stage.screen)", sourceLocation: location)
    }
}
