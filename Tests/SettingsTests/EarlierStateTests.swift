import Foundation
import Messages
import Testing

@testable import Settings

/// People keep their state when they install a newer Kedge. These files are as Kedge of 27 November 2026 wrote them.
final class EarlierStateTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-earlier-\(UUID().uuidString)")
    private let archive = "/home/ana/chats"
    private let ana = PersonID("ana")
    private let general = ConversationID("general")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in Self.files {
            try text.write(toFile: folder.path + "/" + name, atomically: false, encoding: .utf8)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test func `Read positions of an earlier version are read`() {
        var positions = ReadPositions(folder: folder.path, archive: archive, reader: ana)
        let (read, problem) = positions.load()
        var place = ReadPosition(
            message: MessageID("m-001500"), index: 1455,
            threads: ThreadMarks(
                upTo: MessageID("m-003300"),
                open: [ThreadReply(thread: MessageID("m-000090"), message: MessageID("m-000117"))]))
        place.server = MessageID("m-001400")
        #expect(problem == nil)
        #expect(read == [general: place, ConversationID("ops"): ReadPosition(message: nil, index: nil)])
    }

    @Test func `Bookmarks and muted conversations of an earlier version are read`() {
        let bookmarks = Bookmarks(folder: folder.path, archive: archive, reader: ana).load()
        let places: [(Character, String)] = [("a", "m-001500"), ("C", "m-000007")]
        #expect(bookmarks.problem == nil)
        #expect(
            bookmarks.bookmarks == places.compactMap { Bookmark($0, conversation: general, message: MessageID($1)) })
        let muted = MutedConversations(folder: folder.path, archive: archive, reader: ana).load()
        #expect(muted.muted == [general] && muted.problem == nil)
    }

    @Test func `The baseline of an earlier version is found by its name, and read`() {
        let (last, problem) = Baseline(folder: folder.path, archive: archive, reader: ana).load()
        #expect(problem == nil)
        #expect(last == [general: MessageID("m-003300"), ConversationID("ops"): MessageID("m-000310")])
    }

    @Test func `Drafts and the posts on their way of an earlier version are read`() {
        var drafts = Drafts(folder: folder.path, archive: archive, writer: ana, process: 1, isRunning: { _ in false })
        let (read, problem) = drafts.load()
        let (time, target) = (Timestamp(milliseconds: 1_795_755_600_123), MessageID("m-000090"))
        let post = { (id: String, content: Post.Content, isAction: Bool, seen: String?) in
            Post(id: MessageID(id), at: time, sender: self.ana, content: content, isAction: isAction, seen: seen)
        }
        let draft = Draft(
            text: "half a \"thought\"\nof two lines", purpose: .reply(MessageID("m-003300")),
            replies: [target: Draft.Reply(text: "in a thread")],
            edits: [MessageID("m-003299"): Draft.Edit("mended", seen: "mendde")],
            outbox: [
                post("01", .message(text: "waves", replyTo: target, thread: nil), true, nil),
                post("02", .edit(target, text: "new"), false, "old"), post("03", .deletion(target), false, nil),
                post("04", .reaction(target, emoji: "👍", isRemoved: false), false, nil),
            ])
        #expect(problem == nil)
        #expect(read == [general: draft])
    }

    private static let files = [
        "read.json": #"""
        {
          "read" : [
            {
              "archive" : "\/home\/ana\/chats",
              "conversation" : "general",
              "index" : 1455,
              "message" : "m-001500",
              "open" : [
                "m-000090",
                "m-000117"
              ],
              "reader" : "ana",
              "server" : "m-001400",
              "threadsUpTo" : "m-003300"
            },
            {"archive":"/home/ana/chats","conversation":"ops","message":"","reader":"ana"},
            {"archive":"/home/ana/chats","conversation":"general","message":"m-1","reader":"ben"}
          ],
          "version" : 1
        }
        """#,
        "bookmarks.json": #"""
        {
          "records" : [
            {
              "archive" : "/home/ana/chats",
              "conversation" : "general",
              "letter" : "a",
              "message" : "m-001500",
              "reader" : "ana"
            },
            {
              "archive" : "/home/ana/chats",
              "conversation" : "general",
              "letter" : "C",
              "message" : "m-000007",
              "reader" : "ana"
            }
          ],
          "version" : 1
        }
        """#,
        "muted.json": #"""
        {
          "records" : [
            {
              "archive" : "/home/ana/chats",
              "conversation" : "general",
              "reader" : "ana"
            }
          ],
          "version" : 1
        }
        """#,
        "baseline-c7cd5c546776a611.json": #"""
        {"archive":"/home/ana/chats","last":["general","m-003300","ops","m-000310"],"reader":"ana","version":1}
        """#,
        "drafts.json": #"""
        {
          "drafts" : [
            {
              "archive" : "/home/ana/chats",
              "conversation" : "general",
              "replyTo" : "m-003300",
              "text" : "half a \"thought\"\nof two lines",
              "writer" : "ana"
            },
            {
              "archive" : "/home/ana/chats",
              "conversation" : "general",
              "text" : "in a thread",
              "thread" : "m-000090",
              "writer" : "ana"
            },
            {
              "archive" : "/home/ana/chats",
              "conversation" : "general",
              "edits" : "m-003299",
              "seen" : "mendde",
              "text" : "mended",
              "writer" : "ana"
            }
          ],
          "outbox" : [
            {
              "action" : true,
              "archive" : "/home/ana/chats",
              "at" : 1795755600123,
              "conversation" : "general",
              "from" : "ana",
              "id" : "01",
              "process" : 4711,
              "replyTo" : "m-000090",
              "text" : "waves",
              "type" : "message"
            },
            {"archive":"/home/ana/chats","at":1795755600123,"conversation":"general","from":"ana","id":"02",
             "process":4711,"seen":"old","target":"m-000090","text":"new","type":"edit"},
            {"archive":"/home/ana/chats","at":1795755600123,"conversation":"general","from":"ana","id":"03",
             "process":4711,"target":"m-000090","type":"delete"},
            {"archive":"/home/ana/chats","at":1795755600123,"conversation":"general","emoji":"👍","from":"ana","id":"04",
             "process":4711,"removed":false,"target":"m-000090","type":"reaction"}
          ],
          "version" : 1
        }
        """#,
    ]
}
