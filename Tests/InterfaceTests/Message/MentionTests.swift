import Messages
import TestSupport
import Testing

@testable import Interface

/// Who names the user.
struct MentionTests {
    @Test func `Mentions and replies are notified, except the user's own and earlier ones`() {
        var stage = Stage.open(Script.long(8), at: nil, me: PersonID("ben"))
        stage.passTime()
        let ana = Person(id: PersonID("ana"), name: "Ana")
        let ben = Person(id: PersonID("ben"), name: "Ben")
        func arrive(_ id: String, _ text: String, from sender: Person, quoting quoted: Person? = nil) {
            let quote = quoted.map { Quote(id: MessageID("m-1"), content: .message(sender: $0, text: "so")) }
            let message = Message(
                id: MessageID(id), at: Timestamp(milliseconds: 1_741_000_000_000), sender: sender, text: text,
                quote: quote, cursor: Cursor(token: "9:\(id)"))
            stage.send(.changed(Stage.general.id, [.arrived(message)]))
        }
        arrive("x-1", "good morning", from: ana)
        arrive("x-2", "what does @Ben say?", from: ana)
        arrive("x-2", "what does @Ben say?", from: ana)
        arrive("x-3", "@benjamin is another, and me@ben.org too", from: ana)
        arrive("x-4", "I mean @ben", from: ben)
        arrive("x-5", "yes", from: ana, quoting: ben)
        arrive("x-6", "no", from: ana, quoting: ana)
        let told = stage.others.compactMap { if case .notify(_, let text, _) = $0 { text } else { nil } }
        #expect(told == ["what does @Ben say?", "yes"])
    }
}
