import Files
import Foundation
import Messages
import TestSupport
import Testing

@testable import Settings

final class DraftsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "kedge-drafts-\(UUID().uuidString)")
        .path
    private let general = ConversationID("general")

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func drafts(
        process: Int32, running: Set<Int32> = [1, 2, 3], archive: String = "/a", writer: String? = "ana"
    ) -> Drafts {
        Drafts(
            folder: folder, archive: archive, writer: writer.map { PersonID($0) }, process: process,
            isRunning: { running.contains($0) })
    }

    private func post(_ id: String, _ content: Post.Content? = nil, isAction: Bool = false) -> Post {
        Post(
            id: MessageID(id), at: Timestamp(milliseconds: 7), sender: PersonID("ana"),
            content: content ?? .message(text: "text of \(id)", replyTo: MessageID("m/1"), thread: nil),
            isAction: isAction)
    }

    @Test func `A draft of any text and purpose is read back`() {
        let posts = [
            post("1"), post("2", .edit(MessageID("m"), text: "")), post("3", .deletion(MessageID("é"))),
            post("4", .reaction(MessageID("m"), emoji: "👍", isRemoved: true)),
            post("5", .message(text: "\u{1}\n\"", replyTo: nil, thread: MessageID("t"))), post("6", isAction: true),
        ]
        let draft = Draft(text: "half\na thought", purpose: .reply(MessageID("m-3")), outbox: posts)
        var first = drafts(process: 1)
        #expect(first.keep([general: draft]) == nil)
        var again = drafts(process: 1)
        #expect(again.load().drafts == [general: draft])
        var elsewhere = drafts(process: 1, archive: "/b")
        #expect(elsewhere.load().drafts.isEmpty)
    }

    @Test func `The drafts of another person are neither shown nor overwritten`() {
        let whole = Draft(text: "of ana", replies: [MessageID("t-1"): Draft.Reply(text: "too")])
        var ana = drafts(process: 1)
        #expect(ana.keep([general: whole]) == nil)
        var ben = drafts(process: 2, writer: "ben")
        #expect(ben.load().drafts.isEmpty)
        #expect(ben.keep([general: Draft(text: "of ben")]) == nil)
        #expect(ben.keep([general: Draft()]) == nil)
        ana = drafts(process: 1)
        #expect(ana.load().drafts == [general: whole])
    }

    @Test func `Drafts in threads are kept separately`() {
        let reply = Draft.Reply(text: "to the point", purpose: .reply(MessageID("r-1")))
        let draft = Draft(text: "half", replies: [MessageID("t-1"): reply, MessageID("t-2"): Draft.Reply(text: "x")])
        var first = drafts(process: 1)
        _ = first.keep([general: draft])
        // From another process, in a thread of the same conversation.
        var second = drafts(process: 2)
        _ = second.keep([general: Draft(replies: [MessageID("t-3"): Draft.Reply(text: "mine")])])
        _ = first.keep([general: Draft(text: "half", replies: [MessageID("t-1"): reply])])
        var third = drafts(process: 3, running: [3])
        let left = third.load().drafts[general]
        #expect(left?.replies == [MessageID("t-1"): reply, MessageID("t-3"): Draft.Reply(text: "mine")])
        #expect(left?.text == "half")
    }

    @Test func `Unfinished edits are kept by their messages, and removed one by one`() {
        let edits = [MessageID("m-1"): Draft.Edit("made of it", seen: "it"), MessageID("m-2"): Draft.Edit("of that")]
        let draft = Draft(text: "half", replies: [MessageID("t-1"): Draft.Reply(text: "x")], edits: edits)
        var first = drafts(process: 1)
        _ = first.keep([general: draft])
        var second = drafts(process: 2, running: [2])
        #expect(second.load().drafts == [general: draft])
        var less = draft
        less.edits[MessageID("m-1")] = nil
        _ = second.keep([general: less])
        var third = drafts(process: 3, running: [3])
        #expect(third.load().drafts == [general: less])
    }

    @Test func `Posts belong to the running process that sends them, and are taken over once when it has ended`() {
        var first = drafts(process: 1)
        _ = first.keep([general: Draft(outbox: [post("1")])])
        var second = drafts(process: 2)
        #expect(second.load().drafts.isEmpty)
        _ = second.keep([general: Draft(text: "mine", outbox: [post("2")])])
        // Process 1 has ended since the second one looked: the posts that it never took over stay.
        var third = drafts(process: 2, running: [2])
        _ = third.keep([general: Draft(text: "mine", outbox: [post("3")])])
        var fourth = drafts(process: 3, running: [3])
        let found = fourth.load().drafts[general]?.outbox.map(\.id.rawValue)
        #expect(found == ["1", "3"])
        _ = fourth.keep([general: Draft(outbox: [])])
        var fifth = drafts(process: 4, running: [4])
        #expect(fifth.load().drafts[general]?.outbox.isEmpty ?? true)
    }

    @Test func `A text is neither shown nor removed by another process while its own is running`() {
        var first = drafts(process: 1)
        _ = first.keep([general: Draft(text: "of the first", replies: [MessageID("t"): Draft.Reply(text: "too")])])
        var second = drafts(process: 2)
        #expect(second.load().drafts.isEmpty)
        _ = second.keep([general: Draft(outbox: [post("1")])])
        _ = second.keep([general: Draft()])
        _ = second.keep([general: Draft(text: "of the second")])
        // When both have ended, another process takes over what they have left.
        var third = drafts(process: 3, running: [3])
        let taken = third.load().drafts[general]
        #expect(taken?.text == "of the first\n\nof the second")
        #expect(taken?.replies == [MessageID("t"): Draft.Reply(text: "too")])
        _ = third.keep([general: taken ?? Draft()])
        var fourth = drafts(process: 4, running: [3, 4])
        #expect(fourth.load().drafts.isEmpty)
        _ = third.keep([general: Draft()])
        fourth = drafts(process: 4, running: [4])
        #expect(fourth.load().drafts.isEmpty)
    }

    @Test func `A process that has the number of an earlier one does not hold its texts`() throws {
        let number = ProcessInfo.processInfo.processIdentifier
        var first = drafts(process: number)
        _ = first.keep([general: Draft(text: "of the first")])
        var second = drafts(process: 2, running: [2, number])
        #expect(second.load().drafts.isEmpty)
        let started = try #require(LockHolder.start(of: number))
        let file = folder + "/drafts.json"
        let earlier = try String(contentsOfFile: file, encoding: .utf8)
            .replacingOccurrences(of: " \(started),", with: " \(started - 1),")
        try earlier.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(second.load().drafts[general]?.text == "of the first")
    }

    @Test(arguments: [UInt64(1), 2, UInt64.random(in: 0 ... .max)])
    func `Processes that write in one place never remove each other's texts`(seed: UInt64) {
        let (thread, edited) = (MessageID("t"), MessageID("m"))
        let places: [(String) -> Draft] = [
            { Draft(text: $0, purpose: .reply(thread)) }, { Draft(replies: [thread: Draft.Reply(text: $0)]) },
            { Draft(edits: [edited: Draft.Edit($0)]) },
        ]
        var random = SeededGenerator(seed: seed)
        for round in 0..<30 {
            let archive = "/round-\(round)"
            let general = general
            let place = places[round % places.count]
            var writers = (1...3).map { drafts(process: Int32($0), archive: archive) }
            // Each process reads the file now and then, and writes and clears texts of its own.
            var texts = ["", "", ""]
            for step in 0..<12 {
                let index = Int.random(in: 0..<3, using: &random)
                if step < 6, texts[index].isEmpty { _ = writers[index].load() }
                texts[index] = ["", "", "same", "text \(step)"].randomElement(using: &random) ?? ""
                #expect(writers[index].keep([general: place(texts[index])]) == nil)
            }
            var reader = drafts(process: 4, running: [4], archive: archive)
            let read = reader.load().drafts[general]
            let found = read.map { [$0.text] + $0.replies.values.map(\.text) + $0.edits.values.map(\.text) } ?? []
            let joined = Set(found.flatMap { $0.components(separatedBy: "\n\n") }).subtracting([""])
            #expect(joined == Set(texts).subtracting([""]))
        }
    }

    @Test func `A text that could not be written is written with the next one`() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #"{"version":9}"#.write(toFile: folder + "/drafts.json", atomically: false, encoding: .utf8)
        var first = drafts(process: 1)
        #expect(first.keep([general: Draft(text: "mine")]) != nil)
        try FileManager.default.removeItem(atPath: folder + "/drafts.json")
        #expect(first.keep([general: Draft(text: "mine")]) == nil)
        var second = drafts(process: 2, running: [2])
        #expect(second.load().drafts[general]?.text == "mine")
    }

    @Test func `A damaged file of drafts is reported and set aside, and a new one begins`() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "{".write(toFile: folder + "/drafts.json", atomically: false, encoding: .utf8)
        var first = drafts(process: 1)
        #expect(first.load().problem?.contains("is damaged: your drafts could not be read") == true)
        #expect(first.keep([general: Draft(text: "x")])?.contains("kept as drafts.json.broken") == true)
        #expect(try String(contentsOfFile: folder + "/drafts.json.broken", encoding: .utf8) == "{")
        #expect(first.keep([general: Draft(text: "y")]) == nil)
    }
}
