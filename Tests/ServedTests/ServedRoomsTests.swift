import Foundation
import Logging
import Messages
import Relay
@testable import Served
import Synchronization
import Testing

@testable import Archive

/// Rooms that are joined, declined and left through a helper.
struct ServedRoomsTests {
    private final class Folder: Sendable {
        let path = NSTemporaryDirectory() + "/kedge-served-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path + "/conversations/pier", withIntermediateDirectories: true)
            try Data(#"{"format":"kedge","version":1,"me":"@me:e.org","server":"matrix"}"#.utf8)
                .write(to: URL(fileURLWithPath: path + "/archive.json"))
            try Data(#"{"title":"Pier"}"#.utf8)
                .write(to: URL(fileURLWithPath: path + "/conversations/pier/conversation.json"))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func open(_ helper: Helper) throws -> ServedStore {
            ServedStore(
                try JSONArchive.open(path: path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
                helper: helper)
        }
    }

    private static let pier = Invitation(id: "!pier", title: "Pier", sender: nil)

    @Test func `a room that is joined is a conversation, and a space is none`() async throws {
        let folder = try Folder()
        let helper = try ScriptedHelper { request in
            request.content == .join(address: "!pier")
                ? [.response(request.number, .joined(ConversationID("pier")))]
                : [.response(request.number, .done(segment: nil))]
        }
        let store = try folder.open(Helper(helper))
        #expect(try await store.join("!pier")?.title == "Pier")
        #expect(try await store.join("!space") == nil)
        try await store.decline(Self.pier)
        try await store.leave(ConversationID("pier"))
        #expect(
            helper.requests.withLock { $0 } == [
                .join(address: "!pier"), .join(address: "!space"), .decline(room: "!pier"),
                .leave(ConversationID("pier")),
            ])
    }

    @Test func `a refusal has its reason, and so has a helper that is away`() async throws {
        let folder = try Folder()
        let helper = try ScriptedHelper { [.response($0.number, .failed(reason: "you are banned", retry: nil))] }
        let store = try folder.open(Helper(helper))
        await #expect(throws: StoreError.notSent("not joined: you are banned")) { _ = try await store.join("!pier") }
        await #expect(throws: StoreError.notSent("not declined: you are banned")) { try await store.decline(Self.pier) }
        let away = try folder.open(Helper(path: "/nowhere") { .failure(RelayError("there is no helper")) })
        await #expect(throws: StoreError.notSent("not left: offline: there is no helper")) {
            try await away.leave(ConversationID("pier"))
        }
    }

    @Test func `a change of the list is told once for each notice`() async throws {
        let folder = try Folder()
        let scripted = try ScriptedHelper { _ in [] }
        let helper = Helper(scripted)
        let store = try folder.open(helper)
        let changes = store.listChanges()
        #expect(await helper.reached() == .online)
        scripted.say(#"{"rooms":"changed"}"# + "\n")
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() != nil)
    }

    @Test func `an encrypted room says why nothing can be written, and has the members that the server names`()
        async throws
    {
        let folder = try Folder()
        let file = #"{"title":"Pier","endToEnd":true,"memberCount":122,"callsAll":true,"members":["@ana:e.org"]}"#
        try Data(file.utf8).write(to: URL(fileURLWithPath: folder.path + "/conversations/pier/conversation.json"))
        let people = [Person(id: PersonID("@ana:e.org"), name: "Ana")]
        let helper = try ScriptedHelper { request in
            request.content == .members(ConversationID("pier"))
                ? [.response(request.number, .members(people))]
                : [.response(request.number, .failed(reason: "no", retry: nil))]
        }
        let store = try folder.open(Helper(helper))
        let pier = try await store.conversation(ConversationID("pier"))
        #expect(pier.isEncrypted && pier.memberCount == 122 && pier.callsAll && pier.lacksMembers)
        #expect(await store.obstacle(in: pier.id) == Post.encrypted)
        #expect(try await store.members(of: pier.id) == people)
        await #expect(throws: StoreError.unavailable("no")) { _ = try await store.members(of: ConversationID("x")) }
    }
}
