import Testing

@testable import Messages

struct LinkTests {
    @Test(
        arguments: [
            ("general", "general", nil), ("general/m-1", "general", "m-1"), ("general/a/b", "general", "a/b"),
            ("general/", "general", nil), ("", "", nil), ("/x", "", "x"),
        ] as [(String, String, String?)])
    func `A link splits at its first slash`(text: String, conversation: String, message: String?) {
        let link = Link(text)
        #expect(link.conversation.rawValue == conversation)
        #expect(link.message?.rawValue == message)
    }

    @Test func `IDs are equal when their bytes are`() {
        #expect(MessageID("caf\u{E9}") != MessageID("cafe\u{301}"))
        #expect(Set([MessageID("caf\u{E9}"), MessageID("cafe\u{301}"), MessageID("caf\u{E9}")]).count == 2)
    }
}
