import Display
import Messages
import Testing

@testable import Interface

@Suite(.timeLimit(.minutes(30)))
struct OwnReactionsTests {
    private static let target = MessageID("m-19")

    @Test func `A reaction can be taken back before the store tells of it`() {
        var stage = Stage.open(Script.long(20), at: nil, columns: 72, rows: 12, me: PersonID("ana"))
        let id = Stage.general.id
        var seen: [Bool] = []
        for _ in 0..<3 {
            stage.press(.character("+"), .enter)
            guard case .reaction(Self.target, _, let isRemoved)? = stage.sent.last?.content else { break }
            seen.append(isRemoved)
            if let post = stage.sent.last { stage.send(.sent(id, post.id, .success(()))) }
        }
        #expect(seen == [false, true, false])
    }
}
