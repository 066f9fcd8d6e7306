import Messages
import Testing

@testable import Interface

/// Links to messages of a mirrored account of Matrix.
struct MatrixLinkTests {
    private static func room(_ address: String?) -> Conversation {
        Conversation(id: ConversationID("harbour"), title: "Harbour", topic: nil, address: address)
    }

    @Test(arguments: [
        ("https://matrix.to/#/!abc:e.org", "$ev-1_x", "@me:e.org", "https://matrix.to/#/!abc:e.org/$ev-1_x?via=e.org"),
        // Rooms of version 12 name no server, and events of version 3 have other signs.
        (
            "https://matrix.to/#/!ab/c", "$a/b+c", "@me:e.org:8448",
            "https://matrix.to/#/!ab%2Fc/$a%2Fb%2Bc?via=e.org:8448"
        ),
        ("https://matrix.to/#/!abc:e.org", "$ä", "me", "https://matrix.to/#/!abc:e.org/$%C3%A4"),
    ])
    func `A message of a room has a link that every client opens`(room: String, event: String, me: String, link: String)
    {
        #expect(MatrixLink.link(to: MessageID(event), in: Self.room(room), by: PersonID(me)) == link)
    }

    @Test func `Other conversations, and messages that the server does not have yet, have none`() {
        let room = "https://matrix.to/#/!abc:e.org"
        #expect(MatrixLink.link(to: MessageID("01JTEXMH"), in: Self.room(room), by: nil) == nil)
        #expect(MatrixLink.link(to: MessageID("$ev"), in: Self.room(nil), by: nil) == nil)
        #expect(MatrixLink.link(to: MessageID("$ev"), in: Self.room("https://e.org/"), by: nil) == nil)
        #expect(MatrixLink.link(to: MessageID("$ev"), in: nil, by: nil) == nil)
    }
}
