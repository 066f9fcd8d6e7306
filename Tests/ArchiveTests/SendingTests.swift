import Foundation
import Logging
import Messages
import Testing

@testable import Archive

/// Which posts are written, and which are refused.
struct SendingTests {
    private func refusal(
        _ post: Post, in archive: TemporaryArchive, to conversation: ConversationID = general, isRetry: Bool = false
    ) async throws -> StoreError? {
        let store = try archive.open(index: nil)
        let before = try archive.files()
        let error = await #expect(throws: StoreError.self) {
            try await store.send(post, to: conversation, isRetry: isRetry)
        }
        #expect(try archive.files() == before, "nothing changes")
        return error
    }

    @Test func `Each kind of post is written as one exact line`() async throws {
        let archive = try TemporaryArchive(message("m-1"), message("m-2", from: "ben"))
        let store = try archive.open(index: nil)
        let before = try archive.log()
        let posts: [Post.Content] = [
            .message(text: "hello", replyTo: nil, thread: nil),
            .message(text: "an answer", replyTo: "m-1", thread: nil),
            .message(text: "in a thread", replyTo: "m-2", thread: "m-1"),
            .message(text: "in it", replyTo: nil, thread: "m-1"),
            .edit("m-1", text: "hello, all"), .reaction("m-2", emoji: "👍", isRemoved: false),
            .reaction("m-2", emoji: "👍", isRemoved: true), .deletion("m-1"),
        ]
        for (number, content) in posts.enumerated() { try await store.send(post("p-\(number)", content), to: general) }
        let at = #""at":"2025-02-19T21:20:00.007Z","from":"ana""#
        let lines = [
            #"{"type":"message","id":"p-0",\#(at),"text":"hello"}"#,
            #"{"type":"message","id":"p-1",\#(at),"text":"an answer","replyTo":"m-1"}"#,
            #"{"type":"message","id":"p-2",\#(at),"text":"in a thread","replyTo":"m-2","thread":"m-1"}"#,
            #"{"type":"message","id":"p-3",\#(at),"text":"in it","thread":"m-1"}"#,
            #"{"type":"edit","id":"p-4","target":"m-1",\#(at),"text":"hello, all"}"#,
            #"{"type":"reaction","id":"p-5","target":"m-2",\#(at),"emoji":"👍","removed":false}"#,
            #"{"type":"reaction","id":"p-6","target":"m-2",\#(at),"emoji":"👍","removed":true}"#,
            #"{"type":"delete","id":"p-7","target":"m-1",\#(at)}"#,
        ]
        #expect(try archive.log() == before + lines.map { $0 + "\n" }.joined())
    }

    @Test(arguments: [
        ("tab\tand \"quotes\" \\ back", #"tab\tand \"quotes\" \\ back"#),
        ("two\nlines\r\nand three", #"two\nlines\r\nand three"#),
        ("\0\u{1}\u{1B}[2J\u{7F}\u{9B}", #"\u0000\u0001\u001b[2J\u007f\u009b"#),
        ("\u{2028}\u{202E}abc\u{2066}\u{FEFF}", #"\u2028\u202eabc\u2066\ufeff"#),
        ("naïve 潮 🌊 👩‍👩‍👧 e\u{301} \u{10FFFF}", "naïve 潮 🌊 👩‍👩‍👧 e\u{301} \u{10FFFF}"),
        (#""id":"m-1"} {"#, #"\"id\":\"m-1\"} {"#), ("  blanks stay  ", "  blanks stay  "),
    ])
    func `Any text is read as it was sent`(text: String, json: String) async throws {
        let archive = try TemporaryArchive(message("m-1"))
        let store = try archive.open(index: nil)
        try await store.send(post("p-1", .message(text: text, replyTo: nil, thread: nil)), to: general)
        #expect(try archive.log().hasSuffix(#","text":"\#(json)"}"# + "\n"))
        let message = try await store.message("p-1", in: general)
        #expect(message.text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test func `An edit of a text that its writer has not seen is refused, with the text`() async throws {
        let archive = try TemporaryArchive(message("m-1", "first"))
        let store = try archive.open(index: nil)
        func edit(_ id: String, _ text: String, over seen: String?) -> Post {
            let post = post(id, .edit("m-1", text: text))
            return Post(id: post.id, at: post.at, sender: post.sender, content: post.content, seen: seen)
        }
        try await store.send(edit("p-1", "second", over: "first"), to: general)
        let error = StoreError.editedMeanwhile("m-1", now: "second", in: general)
        let late = edit("p-2", "third", over: "first")
        #expect(try await refusal(late, in: archive) == error)
        // The same text twice loses nothing, nor does a retry, nor one that was told to overwrite any.
        try await store.send(edit("p-3", "second", over: "first"), to: general)
        try await store.send(edit("p-1", "second", over: "first"), to: general, isRetry: true)
        try await store.send(edit("p-4", "third", over: "second"), to: general)
        try await store.send(edit("p-1", "second", over: "first"), to: general, isRetry: true)
        try await store.send(edit("p-5", "fourth", over: nil), to: general)
        #expect(try await store.message("m-1", in: general).text == "fourth")
    }

    @Test func `An ID may contain any character`() async throws {
        let archive = try TemporaryArchive()
        try archive.write("conversations/general/conversation.json", "{}")
        let store = try archive.open(index: nil)
        for id in ["\"", "\\", "a\nb", "潮", "e\u{301}", "\u{E9}", "a/b"] {
            try await store.send(post(id), to: general)
            try await store.send(post(id), to: general, isRetry: true)
            #expect(try await store.message(MessageID(id), in: general).text == "hello")
        }
        #expect(try await store.ids().count == 7)
    }

    @Test(arguments: ["", " ", "\n\t\r\n", "\u{200B}\u{A0}\u{3000}", "\0", "\u{FEFF}"])
    func `A text without a visible character is refused`(text: String) async throws {
        let archive = try TemporaryArchive(message("m-1"))
        for content in [Post.Content.message(text: text, replyTo: nil, thread: nil), .edit("m-1", text: text)] {
            let error = try await refusal(post("p-1", content), in: archive)
            #expect(error == .notSent("there is no text; write something"))
        }
        let reaction = post("p-1", .reaction("m-1", emoji: text, isRemoved: false))
        let error = try await refusal(reaction, in: archive)
        #expect(error == .notSent("there is no emoji to react with; name one"))
    }

    @Test func `A post without a sender, without an ID or with an invalid time is refused`() async throws {
        let archive = try TemporaryArchive(message("m-1"))
        #expect(try await refusal(post("p-1", from: ""), in: archive) == .notSent(Post.withoutSender))
        let noID = try await refusal(post(""), in: archive)
        #expect(noID == .notSent("a message without an ID cannot be sent; give it one"))
        let late = Post(
            id: "p-1", at: Timestamp(milliseconds: 1 << 52), sender: "ana",
            content: .message(text: "hello", replyTo: nil, thread: nil))
        let error = try await refusal(late, in: archive)
        #expect(error?.description.contains("would be unreadable in the archive (\"at\" is not a time") == true)
    }

    @Test func `A line that is too long to be read is refused`() throws {
        // The escapes make 26 bytes of sixteen.
        let long = post("p-1", .message(text: "0123456789\n\"\\\t\r\0", replyTo: nil, thread: nil))
        let length = RecordEncoder.line(long).count
        #expect(length == RecordEncoder.line(post("p-1")).count - 5 + 26)
        #expect(try PostRules.line(long, longest: length).count == length)
        let reason = "the text is too long: \(length) bytes, at most \(length - 1); send it in parts"
        #expect(throws: StoreError.notSent(reason)) { try PostRules.line(long, longest: length - 1) }
    }

    @Test func `Sending to an unknown conversation names the most similar ones`() async throws {
        let archive = try TemporaryArchive(message("m-1"))
        let error = try await refusal(post("p-1"), in: archive, to: "genral")
        #expect(error == .noSuchConversation("genral", nearest: [general]))
        for id in ["", "..", ".", "general/../general", "a\0b"] {
            let error = try await refusal(post("p-1"), in: archive, to: ConversationID(id))
            if case .noSuchConversation = error {} else { Issue.record("\(id): \(String(describing: error))") }
        }
    }

    @Test(arguments: [true, false])
    func `A post must refer to existing messages`(isIndexed: Bool) async throws {
        let archive = try TemporaryArchive(message("m-1"), record("reaction", "r-1", on: "m-1", more: #","emoji":"a""#))
        let store = isIndexed ? try archive.open() : try archive.open(index: nil)
        let before = try archive.files()
        let missing = MessageID("m-2")
        for content in [
            Post.Content.message(text: "a", replyTo: missing, thread: nil),
            .message(text: "a", replyTo: "m-1", thread: missing), .edit(missing, text: "a"), .deletion(missing),
            .reaction(missing, emoji: "a", isRemoved: false),
        ] {
            await #expect(throws: StoreError.noSuchMessage(missing, in: general)) {
                try await store.send(post("p-1", content), to: general)
            }
        }
        // A reaction is not a message.
        await #expect(throws: StoreError.noSuchMessage("r-1", in: general)) {
            try await store.send(post("p-1", .message(text: "a", replyTo: "r-1", thread: nil)), to: general)
        }
        #expect(try archive.files() == before)
    }

    @Test(arguments: [true, false])
    func `Only the author of a message may edit or delete it`(isIndexed: Bool) async throws {
        let archive = try TemporaryArchive(
            message("m-1", from: "ben"),
            #"{"type":"message","id":"m-2","at":"\#(time(0))","kind":"system","text":"joined"}"#)
        let store = isIndexed ? try archive.open() : try archive.open(index: nil)
        let before = try archive.files()
        for (id, author) in [("m-1", "by \"ben\""), ("m-2", "by nobody")] {
            for content in [Post.Content.edit(MessageID(id), text: "a"), .deletion(MessageID(id))] {
                let reason = "\"\(id)\" is \(author), not by \"ana\"; only its author can change it"
                await #expect(throws: StoreError.notSent(reason)) {
                    try await store.send(post("p-1", content), to: general)
                }
            }
        }
        #expect(try archive.files() == before)
        try await store.send(post("p-1", .edit("m-1", text: "mine"), from: "ben"), to: general)
        #expect(try await store.message("m-1", in: general).text == "mine")
    }

    @Test(arguments: [true, false])
    func `A deleted message accepts only replies`(isIndexed: Bool) async throws {
        let archive = try TemporaryArchive(message("m-1"), record("delete", "d-0", on: "m-1", from: "ben"))
        let store = isIndexed ? try archive.open() : try archive.open(index: nil)
        // A deletion has an effect only from the author.
        try await store.send(post("p-0", .reaction("m-1", emoji: "a", isRemoved: false)), to: general)
        try await store.send(post("p-1", .deletion("m-1")), to: general)
        let before = try archive.files()
        for content in [
            Post.Content.edit("m-1", text: "a"), .deletion("m-1"), .reaction("m-1", emoji: "a", isRemoved: false),
        ] {
            await #expect(throws: StoreError.notSent("\"m-1\" is deleted; reply to it, or leave it")) {
                try await store.send(post("p-2", content), to: general)
            }
        }
        #expect(try archive.files() == before)
        try await store.send(post("p-3", .message(text: "a", replyTo: "m-1", thread: "m-1")), to: general)
    }

    @Test func `A retry after a success is no error, even if the post would be refused now`() async throws {
        let archive = try TemporaryArchive(message("m-1"))
        let store = try archive.open(index: nil)
        let deletion = post("p-1", .deletion("m-1"))
        try await store.send(deletion, to: general)
        let before = try archive.files()
        try await store.send(deletion, to: general, isRetry: true)
        #expect(try archive.files() == before)
        await #expect(throws: StoreError.notSent("\"m-1\" is deleted; reply to it, or leave it")) {
            try await store.send(post("p-2", .deletion("m-1")), to: general, isRetry: true)
        }
    }

    @Test func `A sent message can be read at once, with and without an index`() async throws {
        let archive = try TemporaryArchive(message("m-1"))
        let indexed = try archive.open()
        let plain = try archive.open(index: nil)
        try await indexed.send(post("p-1", .edit("m-1", text: "new")), to: general)
        try await plain.send(post("p-2", .message(text: "see", replyTo: "m-1", thread: nil)), to: general)
        for store in [indexed, plain] {
            let messages = try await store.page(.latest).messages
            #expect(messages.map(\.id) == ["m-1", "p-2"])
            #expect(messages.map(\.text) == ["new", "see"])
            #expect(messages.last?.quote?.content == .message(sender: Person(id: "ana", name: "ana"), text: "new"))
        }
    }

    @Test func `The reader is the person named at opening, or the one named by the archive`() throws {
        let archive = try TemporaryArchive()
        let named = try JSONArchive.open(path: archive.path, me: .person("zoë"), logger: .init(label: "test"))
        #expect(named.me == "zoë")
        #expect(try archive.open(index: nil).me == "ana")
    }
}
