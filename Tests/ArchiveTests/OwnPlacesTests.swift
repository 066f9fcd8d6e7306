import Messages
import Synchronization
import Testing

@testable import Archive

/// The messages that concern the reader, in all conversations.
struct OwnPlacesTests {
    private static func places(
        _ kind: OwnPlaces.Kind, isIndexed: Bool, read: ReadStates = ReadStates()
    ) async throws -> [String: OwnPlace] {
        let archive = try TemporaryArchive(
            message("m1", from: "ana", "a root"), message("m2", from: "ben", "hello @ana"),
            message("m3", from: "ben", "ana without a sign"), message("m4", from: "ana", "I am @ana"),
            message("m5", from: "cy", "yes", more: #","replyTo":"m1""#),
            message("m6", from: "cy", "no", more: #","replyTo":"m2""#),
            message("m7", from: "ben", "@Ana Ruiz look", more: #","thread":"m1""#),
            message("m8", from: "ben", "my root"), message("m9", from: "ana", "in a thread", more: #","thread":"m8""#),
            message("m10", from: "cy", "there too", more: #","thread":"m8""#),
            message("m11", from: "ben", "quiet root"),
            message("m12", from: "cy", "here", more: #","thread":"m11""#),
            message("m13", from: "ben", "gone @ana"), record("delete", "d1", on: "m13", from: "ben"),
            message("m14", from: "ben", "the Harbour is open"), message("m15", from: "ben", "banana"))
        try archive.write("people.json", #"[{"id":"ana","name":"Ana Ruiz"}]"#)
        if isIndexed { try archive.makeIndex() }
        let store = try archive.open(index: isIndexed ? archive.index : nil)
        let found = Mutex<[String: OwnPlace]>([:])
        let me = Addressee(Person(id: "ana", name: "Ana Ruiz"), highlight: ["harbour"])
        let (failure, _) = await OwnPlaces(store: store, me: me, read: read).find(kind) { places in
            found.withLock { found in
                for place in places {
                    #expect(found[place.id.message?.rawValue ?? ""] == nil, "each comes once")
                    found[place.id.message?.rawValue ?? ""] = place
                }
            }
        }
        #expect(failure == nil)
        return found.withLock { $0 }
    }

    @Test(arguments: [true, false])
    func `Mentions are the messages of others that name the reader or reply to the reader`(isIndexed: Bool) async throws
    {
        #expect(Set(try await Self.places(.mentions, isIndexed: isIndexed).keys) == ["m2", "m3", "m5", "m7", "m14"])
    }

    @Test(arguments: [true, false])
    func `Threads are those that the reader has begun or written in`(isIndexed: Bool) async throws {
        let found = try await Self.places(.threads, isIndexed: isIndexed)
        #expect(Set(found.keys) == ["m1", "m8"])
        #expect(found["m8"]?.replies == 2 && found["m8"]?.sender?.id == "ben" && found["m1"]?.replies == 1)
    }

    @Test func `Later messages than the last one that was read, and waiting replies, are unread`() async throws {
        let open = [ThreadReply(thread: "m1", message: "m7")]
        let position = ReadPosition(message: "m3", index: 2, threads: ThreadMarks(upTo: "m13", open: open))
        var read = ReadStates(positions: ["general": position], baseline: [:])
        var unread = try await Self.places(.mentions, isIndexed: true, read: read).filter(\.value.isUnread)
        #expect(Set(unread.keys) == ["m7"], "all messages have the same time")
        unread = try await Self.places(.threads, isIndexed: true, read: read).filter(\.value.isUnread)
        #expect(Set(unread.keys) == ["m1"])
        read = ReadStates(positions: [:], baseline: [:])
        unread = try await Self.places(.mentions, isIndexed: true, read: read).filter(\.value.isUnread)
        #expect(Set(unread.keys) == ["m2", "m3", "m5", "m7", "m14"])
    }

    @Test(arguments: [true, false])
    func `Replies that came after the recorded ones are unread`(isIndexed: Bool) async throws {
        let position = ReadPosition(message: "m8", index: 6, threads: ThreadMarks(upTo: "m8"))
        var read = ReadStates(positions: ["general": position], baseline: [:])
        var threads = try await Self.places(.threads, isIndexed: isIndexed, read: read)
        #expect(threads["m8"]?.isUnread == true && threads["m8"]?.firstUnread == "m10")
        #expect(threads["m1"]?.isUnread == false && threads["m1"]?.firstUnread == nil)
        // A conversation that was read in none of its threads.
        read = ReadStates(positions: [:], baseline: ["general": "m6"])
        threads = try await Self.places(.threads, isIndexed: isIndexed, read: read)
        #expect(threads["m1"]?.firstUnread == "m7" && threads["m8"]?.firstUnread == "m10")
        let mentions = try await Self.places(.mentions, isIndexed: isIndexed, read: read)
        #expect(mentions["m7"]?.isUnread == true)
    }
}
