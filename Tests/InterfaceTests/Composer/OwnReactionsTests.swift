import Display
import Messages
import Testing

@testable import Interface

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
            if let post = stage.sent.last { stage.send(.reply(.post(id, post.id), .done(.success(())))) }
        }
        #expect(seen == [false, true, false])
    }

    /// The emoji that is sent for a typed text, at the last of some messages.
    private func sent(_ typed: String, pasted: Bool = false, there: [String] = []) -> String? {
        var messages = Script.long(20)
        messages[19].reactions = there.map { Reaction(emoji: $0, people: [person("Ben")]) }
        var stage = Stage.open(messages, at: nil, columns: 72, rows: 12, me: PersonID("ana"))
        stage.press(.character("+"))
        if pasted { stage.paste(typed) } else { stage.type(typed) }
        stage.press(.enter)
        guard case .reaction(Self.target, let emoji, false)? = stage.sent.last?.content else { return nil }
        return emoji
    }

    @Test(arguments: ["🛶", "❤️", "❤", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🫩", "©️"])
    func `Any emoji is taken, typed or pasted, with blanks around it`(emoji: String) {
        #expect(sent(emoji) == emoji)
        #expect(sent(emoji, pasted: true) == emoji)
        #expect(sent(" \(emoji) ", pasted: true) == emoji)
    }

    @Test(arguments: [(":heart:", "❤️"), ("heart", "❤️"), (":+1:", "👍"), (":tada:", "🎉"), (":Fire:", "🔥")])
    func `An emoji is taken by its name, with or without colons`(typed: String, emoji: String) {
        #expect(sent(typed) == emoji)
    }

    @Test func `A reaction of the workspace is offered where it is on the screen`() {
        for typed in [":party_parrot:", "party_parrot", "parrot_"] {
            #expect(sent(typed, there: ["👍", ":party_parrot:"]) == ":party_parrot:")
        }
        #expect(sent(":party_parrot:") == nil)
        // An emoji of that very name comes first where no such reaction is.
        #expect(sent("parrot", there: [":party_parrot:"]) == "🦜")
    }

    @Test func `An emoji that is there is written as it was`() {
        #expect(sent("❤️", there: ["❤"]) == "❤")
        #expect(sent(":heart:", there: ["❤"]) == "❤")
    }
}
