import Display
import Messages
import Testing
import TestSupport
import Timeline

@testable import Interface
@testable import InterfaceSupport

/// Replies, dates, ends and the way back.
struct JumpTests {
    private static func quotedIndex(_ index: Int) -> Int { (index * 2_654_435_761 >> 7) % index }

    /// A long talk in which every tenth message replies to one far away.
    static func talk(_ count: Int) -> [Message] {
        var messages = Script.long(count)
        for index in stride(from: 10, to: count, by: 10) {
            let quoted = messages[quotedIndex(index)]
            messages[index].quote = Quote(
                id: quoted.id, content: .message(sender: quoted.sender, text: quoted.text))
        }
        return messages
    }

    @Test func `Enter on a reply goes to the quoted message, and ^O brings back the exact screen`() {
        var stage = Stage.open(Self.talk(3_000), at: "m-2990")
        let before = stage.frame
        stage.press(.enter)
        #expect(!stage.screen.contains("Esc stays here"))
        stage.passTime()
        #expect(stage.screen.contains("Esc stays here"))
        stage.answerAll()
        #expect(stage.rows.contains { $0.hasPrefix("▌") && $0.contains("message \(Self.quotedIndex(2_990))") })
        #expect(stage.model.pane.target?.rawValue == stage.selection)
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.frame == before)
        stage.press(.tab)
        stage.answerAll()
        #expect(stage.selection == "m-\(Self.quotedIndex(2_990))")
    }

    @Test func `A quoted message that is on the screen is selected in place`() {
        var messages = Script.long(100)
        messages[50].quote = Quote(id: MessageID("m-48"), content: .message(sender: person("Ana"), text: "message 48"))
        var stage = Stage.open(messages, at: "m-50")
        let before = stage.rows.map { $0.dropFirst() }
        stage.press(.enter)
        #expect(stage.selection == "m-48")
        #expect(stage.rows.map { $0.dropFirst() }.dropFirst().dropLast() == before.dropFirst().dropLast())
        #expect(stage.requests.isEmpty)
    }

    @Test func `A quoted message that does not exist moves nothing and is reported`() {
        var messages = Script.long(100)
        messages[50].quote = Quote(id: MessageID("gone"), content: .missing)
        var stage = Stage.open(messages, at: "m-50")
        let before = stage.rows.dropLast()
        stage.press(.enter)
        #expect(stage.requests.isEmpty)
        #expect(stage.rows.dropLast() == before)
        #expect(stage.rows.last?.contains("not here (gone)") == true)
        stage.press(.control("o"))
        #expect(stage.rows.last?.contains("nothing to go back to") == true)
    }

    @Test func `A jump whose page fails leaves everything as it was`() {
        var stage = Stage.open(Self.talk(3_000), at: "m-2990")
        let before = stage.rows.dropLast()
        stage.press(.enter)
        stage.failAll("the disk sleeps")
        #expect(stage.rows.dropLast() == before)
        #expect(stage.rows.last?.contains("not loaded: the disk sleeps") == true)
        #expect(stage.rows.last?.contains("next try in 1 s, Esc stays here") == true)
        #expect(stage.model.pane.history.back.isEmpty)
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.model.pane.history.back.count == 1)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `A hundred jumps anywhere and back end on the first screen, cell by cell`(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
        var stage = Stage.open(Self.talk(2_500), at: "m-1200", beside: [(dev, Script.long(700))])
        stage.press(.pageUp, .up, .control("y"))
        stage.answerAll()
        var frames: [Frame] = []
        for _ in 0..<100 {
            let before = stage.frame
            let jumps = stage.model.pane.history.back.count
            jump(&stage, &random)
            if stage.model.pane.history.back.count > jumps { frames.append(before) }
            // Moves between the jumps are not part of the history, but make what has to be restored.
            let moves: [Key] = [.pageUp, .pageDown, .up, .down, .control("e"), .control("y"), .control("u")]
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                stage.press(moves.randomElement(using: &random) ?? .up)
                stage.answerAll()
            }
        }
        #expect(frames.count > 50)
        for (step, frame) in frames.enumerated().reversed() {
            stage.press(.control("o"))
            stage.answerAll()
            if stage.frame.withoutNotice != frame.withoutNotice {
                Issue.record("back to the start of jump \(step):\n\(stage.screen)\ninstead of\n\(frame.text)")
                return
            }
        }
    }

    private func jump(_ stage: inout Stage, _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: stage.press(.home)
        case 1: stage.press(.end)
        case 2:
            stage.press(.character("d"))
            stage.type("2025-03-\(Int.random(in: 10...20, using: &random))")
            stage.press(.enter)
        case 3:
            stage.press(.control("k"))
            stage.settle()
            stage.press(.down, times: Int.random(in: 0...1, using: &random))
            stage.press(.enter)
        case 4:
            stage.press(.character("/"))
            stage.typeAndWait("\(Int.random(in: 0..<700, using: &random)) ")
            stage.press(.enter)
        case 5: stage.mouse(.press(clicks: 1), row: Int.random(in: 2..<12, using: &random), column: 71)
        default: stage.press(.enter)
        }
        stage.settle()
        stage.press(.escape)
    }

    @Test func `A new jump drops the places ahead, and the history has a limit`() {
        var history = JumpHistory()
        func place(_ number: Int) -> ScreenPlace {
            ScreenPlace(
                conversation: Stage.general.id, anchor: nil, selection: MessageID("\(number)"), isFollowing: false,
                target: nil)
        }
        for number in 0..<1_500 { history.leave(place(number)) }
        #expect(history.back.count == JumpHistory.limit)
        #expect(history.back.last == place(1_499))
        history.wentBack(1, from: place(9_999))
        #expect(history.forward == [place(9_999)])
        history.wentForward(1, from: place(5))
        #expect(history.back.last == place(5))
        history.wentBack(3, from: place(6))
        #expect(history.back.last == place(1_496))
        #expect(history.forward == [place(6), place(5), place(1_498)])
        history.leave(place(7))
        #expect(history.forward.isEmpty)
    }

    @Test func `A place is restored after eviction and at another size`() {
        var stage = Stage.open(Self.talk(4_000), at: "m-2000")
        let before = stage.frame
        stage.press(.home)
        stage.answerAll()
        for _ in 0..<150 {
            stage.press(.pageDown)
            stage.answerAll()
        }
        stage.send(.resized(Size(columns: 50, rows: 20)))
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.selection == "m-2000")
        stage.send(.resized(Size(columns: 72, rows: 14)))
        #expect(stage.frame == before)
    }

    @Test func `Steps back that are pressed while a page is on its way count`() {
        var stage = Stage.open(Script.long(5_000), at: "m-2500")
        let first = stage.frame
        for day in [3, 5, 7, 9] {
            stage.press(.character("d"))
            stage.type("\(day) march")
            stage.press(.enter)
            stage.answerAll()
        }
        stage.press(.control("o"), times: 9)
        stage.answerAll()
        #expect(stage.frame == first)
        stage.press(.tab, times: 3)
        stage.answerAll()
        #expect(stage.rows[1].contains("6 March"))
    }

    @Test func `Steps back and forward while a page is on its way lead where they would one by one`() {
        for keys: [Key] in [
            [.control("o"), .tab], [.control("o"), .control("o"), .tab],
            [.control("o"), .control("o"), .tab, .tab, .tab, .control("o")], [.tab, .control("o"), .control("o")],
        ] {
            var screens: [String] = []
            for isPatient in [true, false] {
                var stage = Stage.open(Script.long(5_000), at: "m-4500")
                for day in [3, 5, 7, 9] {
                    stage.press(.character("d"))
                    stage.type("\(day) march")
                    stage.press(.enter)
                    stage.answerAll()
                }
                stage.press(.control("o"))
                stage.answerAll()
                for key in keys {
                    stage.press(key)
                    if isPatient { stage.answerAll() }
                }
                stage.answerAll()
                screens.append(stage.frame.withoutNotice.text)
            }
            #expect(screens[0] == screens[1], "\(keys)")
        }
    }

    @Test func `Each conversation is where the user left it`() {
        let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
        var stage = Stage.open(Script.long(300), at: "m-100", beside: [(dev, Script.long(300))])
        stage.press(.pageUp)
        stage.answerAll()
        let general = stage.frame
        stage.press(.control("k"))
        stage.settle()
        stage.typeAndWait("dev")
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.rows[0].contains("Dev"))
        #expect(stage.model.timeline.viewport.isFollowing)
        stage.press(.control("k"))
        stage.settle()
        stage.typeAndWait("gen")
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.frame == general)
    }

    @Test func `A page of the conversation that was left does not appear in the next one`() {
        let dev = Conversation(id: ConversationID("dev"), title: "Dev", topic: nil)
        var stage = Stage.open(Script.long(300), at: "m-150", beside: [(dev, Script.long(5))])
        stage.press(.pageUp, times: 6)
        let late = stage.waiting
        #expect(!late.isEmpty)
        stage.startConversation(dev)
        let screen = stage.screen
        for effect in late { for event in stage.store.answer(effect) { stage.send(event) } }
        #expect(stage.screen == screen)
    }
}

/// The date prompt.
struct DateTests {
    @Test func `d goes to the first message at or after the date, and shows the date while typing`() {
        var stage = Stage.open(Script.long(2_000), at: "m-1000", columns: 90)
        let before = stage.frame
        stage.press(.character("d"))
        #expect(stage.rows.last?.contains("date:") == true)
        stage.type("2025-03-0")
        #expect(stage.rows.last?.contains("not a date yet") == true)
        stage.type("3")
        #expect(stage.rows.last?.contains("Monday 3 March 2025") == true)
        stage.press(.enter)
        stage.answerAll()
        #expect(stage.selection == "m-431")
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.frame == before)
    }

    @Test(arguments: [("50%", 50), (" 12.5 %", 12.5), ("0%", 0), ("100%", 100)])
    func `d takes a percentage like the percentage key`(text: String, percent: Double) {
        var stage = Stage.open(Script.long(2_000), at: "m-700", columns: 90)
        let before = stage.frame
        stage.press(.character("d"))
        stage.type(text)
        #expect(stage.rows.last?.contains("at that point of the conversation") == true)
        stage.press(.enter)
        stage.answerAll()
        let there = stage.frame
        stage.press(.control("o"))
        stage.answerAll()
        #expect(stage.frame == before)
        if percent == 12.5 { return }
        stage.type("\(Int(percent))%")
        stage.answerAll()
        #expect(stage.frame == there)
    }

    @Test func `A text that is not a date moves nothing, and Esc leaves`() {
        var stage = Stage.open(Script.long(200), at: "m-100", columns: 90)
        let before = stage.frame
        stage.press(.character("d"))
        stage.type("soon")
        stage.press(.enter)
        #expect(stage.requests.isEmpty)
        #expect(stage.rows.last?.contains("not a date") == true)
        stage.press(.escape)
        #expect(stage.frame == before)
    }

    @Test func `A date after the last message shows the last one and says so`() {
        var stage = Stage.open(Script.long(200), at: "m-100", columns: 90)
        stage.press(.character("d"))
        stage.type("2030-01-01")
        stage.press(.enter)
        #expect(!stage.requests.isEmpty)
    }
}

extension Frame {
    /// What a notice says goes with the next key: it is no part of a place.
    var withoutNotice: Frame { Frame(size: size, lines: lines.dropLast(), cursor: cursor) }
}

extension Stage {
    mutating func startConversation(_ conversation: Conversation) {
        press(.control("k"))
        settleOnlyLists()
        type(conversation.title)
        press(.enter)
        answerAll()
    }

    private mutating func settleOnlyLists() {
        send(.reply(.conversations(epoch: 0), .conversations(.success(store.talks.map(\.conversation)))))
        send(.reply(.conversations(epoch: 0), .end()))
    }
}
