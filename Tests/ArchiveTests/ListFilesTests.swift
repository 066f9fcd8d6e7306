import Messages
import Testing

@testable import Archive

/// The files that say how conversations are listed.
struct ListFilesTests {
    private static func archive(_ spaces: String?, invitations: String? = nil) throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        for id in ["a", "b", "c"] { try archive.write("conversations/\(id)/conversation.json", #"{"title":"\#(id)"}"#) }
        if let spaces { try archive.write("spaces.json", spaces) }
        if let invitations { try archive.write("invitations.json", invitations) }
        return archive
    }

    @Test func `a conversation is in the first space that holds it`() async throws {
        let archive = try Self.archive(
            #"[{"id":"s1","title":"One","conversations":["a"],"matrix":{}},7,{"id":"s2","conversations":["a","b",7,"x"]}]"#
        )
        let conversations = try await archive.open().conversations()
        #expect(conversations.map(\.space?.title) == ["One", "s2", nil])
        #expect(conversations.map(\.space?.place) == [0, 1, nil])
    }

    @Test func `an archive without the files has neither spaces nor invitations`() async throws {
        let store = try Self.archive(nil).open()
        #expect(try await store.conversations().allSatisfy { $0.space == nil })
        #expect(await store.invitations().isEmpty)
        #expect(await store.problems().isEmpty)
    }

    @Test(arguments: ["", "{}", "[", #"[{"id":7},{"title":"x"},{"id":"s","conversations":7}]"#])
    func `broken files hide no conversation`(text: String) async throws {
        let store = try Self.archive(text, invitations: text).open()
        #expect(try await store.conversations().map(\.id.rawValue) == ["a", "b", "c"])
        #expect(try await store.conversations().allSatisfy { $0.space == nil })
        _ = await store.invitations()
        #expect(await store.problems().count == (text.hasPrefix("[{") ? 0 : 2))
    }

    @Test func `invitations have a title and a person`() async throws {
        let store = try Self.archive(
            nil,
            invitations:
                #"[{"id":"!a","title":"Pier","from":"@ana:e.org","fromName":"Ana"},{"id":"!b","space":true},{}]"#
        ).open()
        let ana = Person(id: PersonID("@ana:e.org"), name: "Ana")
        #expect(
            await store.invitations() == [
                Invitation(id: "!a", title: "Pier", sender: ana),
                Invitation(id: "!b", title: nil, sender: nil, isToSpace: true),
            ])
    }

    @Test func `a conversation tells where its people came from and where they went`() async throws {
        let archive = try Self.archive(nil)
        try archive.write(
            "conversations/a/conversation.json",
            #"{"title":"a","members":["@ana:example.org","@ben:example.org","@cy:example.org"],"link":"https://e.org/a","#
                + #""readUpTo":"$1","predecessor":"b","successor":"c","movedTo":"https://matrix.to/#/!c","left":true}"#)
        let conversation = try await archive.open().conversation(ConversationID("a"))
        #expect(conversation.address == "https://e.org/a" && conversation.readUpTo == MessageID("$1"))
        #expect(conversation.members.count == 3 && conversation.hasLeft)
        #expect(conversation.predecessor == ConversationID("b"))
        #expect(
            conversation.successor
                == Successor(conversation: ConversationID("c"), address: "https://matrix.to/#/!c"))
    }
}
