import Display
import Messages
import Testing
import Timeline

@testable import Interface

struct BehaviourTests {
    @Test func `An unknown message ends the program with its name`() {
        var stage = Stage(Script.long(10))
        stage.start(at: .message(MessageID("nowhere")))
        stage.answerAll()
        guard case .quit(.failed(.noSuchMessage)) = stage.others.last else {
            Issue.record("\(stage.others)")
            return
        }
    }

    @Test func `A failed opening shows the reason, retries by itself, and at once by Enter`() {
        var stage = Stage(Script.long(10))
        stage.start(at: .latest)
        #expect(stage.screen.contains("loading…"))
        stage.failAll("the line is down")
        #expect(stage.screen.contains("the line is down"))
        #expect(stage.screen.contains("next try in 1 s"))
        stage.passTime()
        stage.failAll()
        #expect(stage.screen.contains("next try in 2 s"))
        stage.press(.enter)
        #expect(stage.requests.count == 1)
        stage.failAll()
        #expect(stage.screen.contains("next try in 2 s"), "what the user tries lengthens no pause")
        stage.press(.enter)
        stage.passTime()
        #expect(stage.requests.count == 1, "the timer of a try that is over asks for nothing")
        stage.answerAll()
        #expect(stage.screen.contains("message 9"))
    }

    @Test func `Home and End go to the real ends and load nothing between`() {
        var stage = Stage.open(Script.long(5_000), at: "m-2500")
        stage.press(.home)
        #expect(stage.requests.map(\.position) == [.earliest])
        #expect(stage.screen.contains("message 2500"), "the old screen stays until the answer comes")
        stage.passTime()
        #expect(stage.screen.contains("loading the beginning"))
        stage.answerAll()
        #expect(stage.screen.contains("beginning of the conversation"))
        #expect(stage.screen.contains("message 0"))
        stage.press(.character("G"))
        #expect(stage.requests.map(\.position) == [.latest])
        stage.answerAll()
        #expect(stage.screen.contains("message 4999"))
        #expect(stage.model.timeline.viewport.isFollowing)
        #expect(stage.model.timeline.count <= 100)
    }

    @Test func `A jump that fails leaves everything as it was and says so`() {
        var stage = Stage.open(Script.long(500), at: "m-250")
        let rows = stage.screen.split(separator: "\n").dropLast()
        stage.press(.home)
        stage.failAll("the disk sleeps")
        #expect(stage.screen.split(separator: "\n").dropLast() == rows)
        #expect(stage.screen.contains("not loaded: the disk sleeps"))
    }

    @Test func `Esc cancels a jump that is on its way`() {
        var stage = Stage.open(Script.long(500), at: "m-250")
        let before = stage.screen
        stage.press(.home, .escape)
        stage.answerAll()
        #expect(stage.screen == before)
    }

    @Test func `Repeated Home makes one request`() {
        var stage = Stage.open(Script.long(500), at: "m-250")
        stage.press(.home, times: 5)
        #expect(stage.requests.count == 1)
    }

    @Test func `A failed edge waits 1, 2, 4 seconds and continues when the store is back`() {
        var stage = Stage.open(Script.long(500), at: "m-250", rows: 12)
        stage.press(.pageUp, times: 10)
        var delays: [Duration] = []
        for _ in 0..<3 {
            stage.failAll()
            for case .wait(let delay, .retry(.page)) in stage.others { delays.append(delay) }
            stage.passTime()
        }
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4)])
        stage.answerAll()
        #expect(!stage.screen.contains("did not load"))
    }

    @Test func `A failed edge is retried even after a jump that failed`() {
        var stage = Stage.open(Script.long(500), at: "m-250", rows: 12)
        stage.press(.pageUp, times: 10)
        stage.failAll()
        stage.press(.home, .escape)
        stage.passTime()
        #expect(stage.requests.filter { if case .before = $0.position { true } else { false } }.count == 1)
    }

    @Test func `A move by the user leads on from the jump that is on its way`() {
        var stage = Stage.open(Script.long(500), at: "m-250")
        stage.press(.home, .down)
        #expect(stage.selection == "m-250")
        stage.answerAll()
        #expect(stage.selection == "m-1")
    }

    @Test func `End checks once more for newer messages`() {
        var stage = Stage.open(Script.long(100), at: nil)
        stage.press(.end)
        #expect(stage.requests.count == 1)
        let before = stage.screen
        stage.answerAll()
        #expect(stage.screen == before)
        #expect(stage.model.timeline.viewport.isFollowing)
    }

    @Test func `A date after the last message shows the newest one and says so`() {
        var stage = Stage(Script.long(100))
        stage.start(at: .date(NamedTime(Timestamp(milliseconds: .max))))
        guard case .ask(_, .list(let list))? = stage.waiting.first else {
            Issue.record("nothing asked for")
            return
        }
        stage.send(.reply(.list(list), .page(.success(Page(messages: Script.long(50), older: .end, newer: .end)))))
        #expect(stage.screen.contains("No messages on or after that date; showing the newest"))
    }

    @Test func `Lines that the store could not read are reported once, and hide no other notice`() {
        var stage = Stage.open(Script.long(100), at: nil, columns: 120)
        stage.send(.reply(.request(.problems), .problems(["a.jsonl:3: not valid JSON"])))
        #expect(stage.screen.contains("a.jsonl:3: not valid JSON"))
        stage.press(.up)
        stage.send(.reply(.request(.problems), .problems(["a.jsonl:3: not valid JSON"])))
        #expect(!stage.screen.contains("not valid JSON"))
        stage.send(.reply(.request(.problems), .problems(["a.jsonl:3: not valid JSON", "b.jsonl:9: no ID"])))
        #expect(stage.screen.contains(" b.jsonl:9: no ID"))
        stage.send(
            .reply(
                .request(.problems), .problems(["a.jsonl:3: not valid JSON", "b.jsonl:9: no ID", "b.jsonl:12: no ID"])))
        #expect(stage.screen.contains(" 2 problems, all in the log: b.jsonl:9: no ID"))
        stage.press(.down)
        #expect(!stage.screen.contains("no ID"))
    }

    @Test func `PgUp and PgDn reach every message, and each screen is contiguous`() {
        let messages = Script.long(3_000)
        var stage = Stage.open(messages, at: "m-1500", columns: 80, rows: 20)
        for key in [Key.pageUp, .pageDown] {
            var seen: [Int] = []
            for _ in 0..<400 {
                let numbers = stage.screen.split(separator: "\n").compactMap { row in
                    row.split(separator: " ").drop { $0 != "message" }.dropFirst().first.flatMap { Int($0) }
                }
                let isContiguous = numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + numbers.count)
                #expect(isContiguous)
                seen += numbers
                stage.press(key)
                stage.answerAll()
            }
            let missing = Set(key == .pageUp ? 0..<1_500 : 0..<3_000).subtracting(seen)
            #expect(missing.isEmpty)
        }
    }

    @Test func `An arrival while the user is scrolled back moves nothing and is counted`() throws {
        var stage = Stage.open(Script.long(100), at: nil)
        stage.press(.pageUp)
        let before = stage.screen.split(separator: "\n").dropFirst(2).dropLast(2)
        var script = Script("2025-03-09T00:00:00Z")
        script.add("a new one", from: "Ana", id: "new")
        stage.passTime()
        stage.send(.changed(Stage.general.id, [.arrived(try #require(script.messages.first))]))
        #expect(stage.screen.contains("↓ 1 new"))
        let after = stage.screen.split(separator: "\n").dropFirst(2).dropLast(2)
        #expect(after.elementsEqual(before) { $0.dropLast(4) == $1.dropLast(4) })
        stage.press(.end)
        #expect(stage.screen.contains("a new one"))
        #expect(!stage.screen.contains("↓ 1 new"))
    }
}
