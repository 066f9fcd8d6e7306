import Dates
import Messages
import Testing

@testable import Formats
@testable import Mirror

struct RecognizerTests {
    /// A format that recognises everything alike.
    private struct Fixed: Format {
        let id: String
        let recognition: Recognition
        var name: String { "format \(id)" }

        func recognise(_ source: Source) -> Recognition { recognition }
        func archive(in source: Source) -> ForeignArchive { ForeignArchive() }
        func converter(for feed: Feed, in context: FeedContext) -> any Converter {
            IRCFormat().converter(for: feed, in: context)
        }
    }

    private let none = Fixed(id: "none", recognition: .no)
    private let part = Fixed(id: "part", recognition: .weak)
    private let other = Fixed(id: "other", recognition: .weak)
    private let sure = Fixed(id: "sure", recognition: .certain)

    private func format(named: String? = nil, of formats: Fixed...) throws -> String {
        var source = Source(["a": [1]])
        source.options.format = named
        return try Recognizer.format(of: source, at: "x", among: formats).id
    }

    @Test func `a format that understands a part is taken if there is no other`() throws {
        #expect(try format(of: none, part) == "part")
        #expect(try format(of: part, sure) == "sure")
        #expect(throws: StoreError.unreadable("x: matches several formats: use --format part or --format other")) {
            try format(of: part, none, other)
        }
    }

    private static let event =
        #"{"type":"m.room.message","event_id":"$1","room_id":"!r:x","sender":"@a:x","origin_server_ts":1709629200000,"content":{"msgtype":"m.text","body":"hi"}}"#
    private static let post =
        #"{"type":"post","post":{"team":"t","channel":"c","user":"u","message":"hi","create_at":1709629200000}}"#
    private static let chat =
        #"{"name":"Ana","type":"personal_chat","id":1,"messages":[{"id":1,"type":"message","date":"2024-01-05T09:12:00","from":"Ana","from_id":"user1","text":"hi"}]}"#

    @Test(arguments: [
        ("events.txt", "\(event)\n\(event)\n", "matrix"), ("events.log", "\(event)\n", "matrix"),
        ("result", chat, "telegram"), ("result.txt", "\u{FEFF}" + chat, "telegram"),
        ("import.json", "\(post)\n\(post)\n", "mattermost"), ("import.txt", "\(post)\n\(post)\n", "mattermost"),
        ("Ana.log", "1/13/24, 9:12 AM - Ana: hi\n", "whatsapp"), ("Ana", "1/13/24, 9:12 AM - Ana: hi\n", "whatsapp"),
    ]) func `the files of a folder may have other names than their programs give`(
        file: String, text: String, format: String
    ) throws {
        let source = Source(["a/\(file)": Array(text.utf8), "a.png": [0, 1]])
        let found = try Recognizer.recognise(source, at: "x", among: Formats.all)
        #expect(found.format.id == format)
        #expect(found.source.files.map { found.source.original($0.path) } == ["a.png", "a/\(file)"])
        let archive = try found.format.archive(in: found.source)
        let feed = try #require(archive.conversations.first?.feeds.first)
        let read = try #require(found.source.file(feed.file))
        #expect(try found.source.whole(read) == Array(text.utf8))
    }

    @Test func `a problem is told with the name of the file on the disk`() throws {
        let timeless = Self.post.replacing("create_at", with: "no")
        let export = try TestExport(["import.txt": "\(Self.post)\n{\"type\":\"x\"}\n\(timeless)\n"])
        let check = ExportCheck(path: export.source, index: export.index, zone: .utc)
        var files: [String] = []
        let summary = try check.run(progress: { _, _ in }, onProblem: { files.append($0.file) })
        #expect(files == ["import.txt", "import.txt"])
        #expect(summary.records == 1)
    }

    @Test func `a single mail among other texts makes no mailbox of a large folder`() throws {
        let mail = "From ana@x.example Tue Mar  5 09:12:40 2024\nFrom: ana@x.example\nSubject: tide\n\nlow\n"
        let texts = [
            "doc/USAGE": mail, "doc/README": "words\n", "bin/tool": "#!/bin/sh\n", "bin/other": "#!/bin/sh\n",
            "doc/empty": "",
        ].mapValues { Array($0.utf8) }
        #expect(!Recognizer.knows(Source(texts), among: Formats.all))
        #expect(try Recognizer.format(of: Source(texts), at: "x", among: Formats.all).id == "mbox")
        #expect(
            Recognizer.knows(Source(texts.filter { $0.key == "doc/USAGE" || $0.value.isEmpty }), among: Formats.all))
    }

    @Test func `the user decides the format`() throws {
        #expect(try format(named: "other", of: part, other) == "other")
        #expect(try format(named: "part", of: part, sure) == "part")
        #expect(throws: StoreError.unreadable("x: nothing in it has the format that you named (format none)")) {
            try format(named: "none", of: none, sure)
        }
    }
}
