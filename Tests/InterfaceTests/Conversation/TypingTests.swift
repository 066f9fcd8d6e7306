import Display
import Messages
import TestSupport
import Testing

@testable import Interface

/// Who is writing.
struct TypingTests {
    private let ana = Person(id: PersonID("ana"), name: "Ana")

    @Test func `The typing line is below the last message, moves nothing when scrolled back, and ends by itself`() {
        var stage = Stage.open(Script.long(60), at: nil, me: PersonID("ben"))
        stage.passTime()
        let following = stage.rows
        stage.send(.changed(Stage.general.id, [.typing([ana])]))
        #expect(stage.rows[stage.rows.count - 2].contains("Ana is typing…"))
        let own = Person(id: PersonID("ben"), name: "Ben")
        stage.send(.changed(Stage.general.id, [.typing([ana, own])]))
        #expect(stage.screen.contains("Ana is typing…") && !stage.screen.contains("are writing…"))
        #expect(stage.rows[3...9].elementsEqual(following[4...10]), "one row up")
        stage.press(.pageUp)
        let back = stage.frame
        stage.send(.changed(Stage.general.id, [.typing([])]))
        #expect(stage.frame == back)
        stage.send(.changed(Stage.general.id, [.typing([ana])]))
        #expect(stage.frame == back)
        stage.press(.end)
        stage.answerAll()
        #expect(stage.screen.contains("Ana is typing…"))
        stage.passTime()
        #expect(!stage.screen.contains("Ana is typing…"))
        #expect(stage.rows.dropFirst(2).dropLast() == following.dropFirst(2).dropLast())
    }

    @Test func `Others hear rarely that the user is typing, and also when it ends`() {
        var stage = Stage.open(Script.long(3), at: nil, me: PersonID("ben"))
        func told() -> [String] {
            stage.others.compactMap { effect in
                if case .noteTyping(let person, _) = effect { person?.rawValue ?? "nobody" } else { nil }
            }
        }
        stage.press(.character("i"))
        #expect(told().isEmpty)
        stage.type("one two three")
        #expect(told() == ["ben"])
        stage.send(.time(Timestamp(iso8601: "2025-03-10T12:00:05Z") ?? Timestamp(milliseconds: 0)))
        stage.type("!")
        #expect(told() == ["ben", "ben"])
        stage.press(.enter)
        #expect(told() == ["ben", "ben", "nobody"])
        stage.type("x")
        stage.press(.escape)
        #expect(told() == ["ben", "ben", "nobody", "ben", "nobody"])
        stage.press(.character("i"), .control("u"))
        stage.type("y")
        #expect(told().suffix(1) == ["ben"])
        stage.press(.control("u"))
        #expect(told().suffix(2) == ["ben", "nobody"], "nothing is left of it")
    }
}
