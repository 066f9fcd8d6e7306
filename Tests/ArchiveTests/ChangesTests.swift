@testable import Archive
import Foundation
import Messages
import Synchronization
import Testing

@Suite("What changes while one looks is told", .timeLimit(.minutes(30)))
struct ChangesTests {
    /// What a stream tells, one after another, in words.
    private final class Listener {
        private var stream: AsyncStream<[StoreChange]>.AsyncIterator
        private var pending: ArraySlice<StoreChange> = []

        init(_ store: JSONArchive, since page: Page?) {
            stream = store.changes(in: general, since: page?.asOf).makeAsyncIterator()
        }

        /// The next change but for those of the index.
        func next() async -> StoreChange? {
            while true {
                while let change = pending.popFirst() {
                    if change != .indexed { return change }
                }
                guard let changes = await stream.next() else { return nil }
                pending = changes[...]
            }
        }

        func next(_ count: Int) async -> [String] {
            var told: [String] = []
            while told.count < count, let change = await next() { told.append(ChangesTests.words(change)) }
            return told
        }
    }

    private static func words(_ change: StoreChange) -> String {
        switch change {
        case .arrived(let message): "\(message.id) \(message.text)"
        case .updated(let message): "now \(message.id) \(message.text)"
        case .replaced: "replaced"
        case .typing(let people): "typing " + people.map(\.name).joined(separator: " ")
        case .indexed: "indexed"
        case .passedOver: "passed over"
        }
    }

    private func listen(_ lines: String...) async throws -> (TemporaryArchive, JSONArchive, Listener) {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = try archive.open(index: nil)
        return (archive, store, Listener(store, since: try await store.page(.latest)))
    }

    @Test("edits and deletions of what is not there or somebody else's are passed over, and told among the problems")
    func notTheirs() async throws {
        let (archive, store, changes) = try await listen(message("m1"), message("m2", from: "ben"))
        try archive.append(firstSegment, record("edit", "e1", on: "m2", from: "ana", more: #","text":"mine""#) + "\n")
        #expect(await changes.next(1) == ["now m2 hello"])
        #expect(await changes.next(1) == ["passed over"])
        try archive.append(
            firstSegment,
            record("delete", "e2", on: "m9\\u001b", from: "ana") + "\n" + record("delete", "e3", on: "m1", from: "ana")
                + "\n")
        #expect(await changes.next(2) == ["now m1 ", "passed over"])
        #expect(
            await store.problems() == [
                #"general: an edit of "m2" by "ana" is passed over: only its author can change it"#,
                #"general: a deletion of "m9\#u{FFFD}" is passed over: there is no such message"#,
            ])
        try archive.append(firstSegment, record("edit", "e4", on: "m2", from: "ben", more: #","text":"his""#) + "\n")
        #expect(await changes.next(1) == ["now m2 his"])
    }

    @Test("appended lines, with what they say of other messages: arrivals, edits, deletions, reactions, thread replies")
    func appended() async throws {
        let (archive, _, changes) = try await listen(message("m1"), message("m2"))
        try archive.append(firstSegment, message("m3", from: "ben", "new", more: #","replyTo":"m1""#) + "\n")
        guard case .arrived(let arrived)? = await changes.next() else { throw ExpectationMissed() }
        #expect(arrived.id == "m3" && arrived.sender?.id == "ben")
        #expect(arrived.quote?.content == .message(sender: Person(id: "ana", name: "ana"), text: "hello"))
        try archive.append(firstSegment, record("edit", "e1", on: "m1", more: #","text":"better""#) + "\n")
        #expect(await changes.next(1) == ["now m1 better"])
        try archive.append(firstSegment, record("delete", "d1", on: "m2") + "\n")
        guard case .updated(let deleted)? = await changes.next() else { throw ExpectationMissed() }
        #expect(deleted.id == "m2" && deleted.isDeleted)
        try archive.append(firstSegment, record("reaction", "r1", on: "m3", more: #","emoji":"👍""#) + "\n")
        guard case .updated(let liked)? = await changes.next() else { throw ExpectationMissed() }
        #expect(liked.id == "m3" && liked.reactions.map(\.emoji) == ["👍"])
        try archive.append(firstSegment, message("t1", "aside", more: #","thread":"m1""#) + "\n")
        guard case .updated(let root)? = await changes.next() else { throw ExpectationMissed() }
        #expect(root.id == "m1" && root.replyCount == 1)
        #expect(await changes.next(1) == ["t1 aside"])
    }

    @Test("replies in a thread arrive, and their root says how many there are and when the last one came")
    func replies() async throws {
        let (archive, _, changes) = try await listen(message("m1"), message("t1", minute: 9, more: #","thread":"m1""#))
        for number in 2...3 {
            let reply = message("t\(number)", minute: 10 - number, more: #","thread":"m1""#)
            try archive.append(firstSegment, reply + "\n")
            guard case .updated(let root)? = await changes.next(), case .arrived(let told)? = await changes.next()
            else { throw ExpectationMissed() }
            #expect(root.id == "m1" && root.replyCount == number && root.lastReply == told.at)
            #expect(told.id.rawValue == "t\(number)" && told.thread == "m1")
        }
        try archive.append(
            firstSegment,
            message("n1", more: #","thread":"t3""#) + "\n" + message("n2", more: #","thread":"n1""#) + "\n")
        // A root that arrives with its reply is told once.
        #expect(await changes.next(3) == ["now t3 hello", "n1 hello", "n2 hello"])
    }

    @Test("what came in between a page and the listening to it is told first")
    func inBetween() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open(index: nil)
        let page = try await store.page(.latest)
        try archive.append(firstSegment, message("m2") + "\n")
        #expect(await Listener(store, since: page).next(1) == ["m2 hello"])
        let now = Listener(store, since: nil)
        async let next = now.next(1)
        // Nobody knows when it has begun to listen: one of these comes behind that.
        var number = 3
        let isOver = Mutex(false)
        let writer = Task {
            while !isOver.withLock({ $0 }) {
                try archive.append(firstSegment, message("m\(number)") + "\n")
                number += 1
                await Task.yield()
            }
        }
        let told = await next
        isOver.withLock { $0 = true }
        try await writer.value
        #expect(told != ["m2 hello"] && told.first?.hasPrefix("m") == true)
    }

    @Test("half a line is told when it is whole; one that is cut off never, and what takes its place is")
    func torn() async throws {
        let (archive, store, changes) = try await listen(message("m1"))
        let line = message("m2")
        try archive.append(firstSegment, String(line.prefix(20)))
        // A page in between changes nothing.
        #expect(try await store.ids() == ["m1"])
        try archive.append(firstSegment, String(line.dropFirst(20)) + "\n" + message("m3").prefix(30))
        #expect(await changes.next(1) == ["m2 hello"])
        let whole = [message("m1"), line, message("m4")].map { $0 + "\n" }.joined()
        try archive.write(firstSegment, whole)
        var told = await changes.next(1)
        // Writing in place begins with an empty file: seen at that moment, it is another one.
        if told == ["replaced"] { told = ["m4 hello"] }
        #expect(told == ["m4 hello"])
    }

    @Test("a listening that began within half a line begins with that line")
    func beganTorn() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let line = message("m2")
        try archive.append(firstSegment, String(line.prefix(20)))
        let store = try archive.open(index: nil)
        let changes = Listener(store, since: try await store.page(.latest))
        try archive.append(firstSegment, String(line.dropFirst(20)) + "\n")
        #expect(await changes.next(1) == ["m2 hello"])
    }

    @Test("a new segment, thousands of lines at once: each once, in order")
    func many() async throws {
        let (archive, _, changes) = try await listen(message("m1"))
        let lines = (2...6_000).map { message("m\($0)") + "\n" }
        try archive.write("conversations/general/messages-000002.jsonl", lines.joined())
        #expect(await changes.next(5_999) == (2...6_000).map { "m\($0) hello" })
        try archive.append("conversations/general/messages-000002.jsonl", message("m6001") + "\n")
        #expect(await changes.next(1) == ["m6001 hello"])
    }

    @Test("files that are others than before, or shorter, are told of, and then what is appended to them")
    func replaced() async throws {
        let (archive, _, changes) = try await listen(message("m1"), message("m2"))
        let other = archive.path + "/other.jsonl"
        try (message("n1") + "\n").write(toFile: other, atomically: false, encoding: .utf8)
        #expect(rename(other, archive.path + "/" + firstSegment) == 0)
        #expect(await changes.next(1) == ["replaced"])
        try archive.append(firstSegment, message("n2") + "\n")
        #expect(await changes.next(1) == ["n2 hello"])
        try FileManager.default.removeItem(atPath: archive.path + "/" + firstSegment)
        #expect(await changes.next(1) == ["replaced"])
    }

    @Test("a conversation that goes away and comes back is told of, and then what is appended to it")
    func away() async throws {
        let (archive, _, changes) = try await listen(message("m1"))
        try archive.append(firstSegment, message("m2") + "\n")
        #expect(await changes.next(1) == ["m2 hello"])
        let folder = archive.path + "/conversations/general"
        #expect(rename(folder, archive.path + "/away") == 0)
        #expect(await changes.next(1) == ["replaced"])
        #expect(rename(archive.path + "/away", folder) == 0)
        #expect(await changes.next(1) == ["replaced"])
        try archive.append(firstSegment, message("m3") + "\n")
        #expect(await changes.next(1) == ["m3 hello"])
    }

    @Test("a folder in the place of another is told of, and then what is appended to it", arguments: [true, false])
    func folderReplaced(isRemoved: Bool) async throws {
        let (archive, _, changes) = try await listen(message("m1"))
        try archive.append(firstSegment, message("m2") + "\n")
        #expect(await changes.next(1) == ["m2 hello"])
        let folder = archive.path + "/conversations/general"
        try archive.write("other/messages-000001.jsonl", message("n1") + "\n")
        if isRemoved {
            try FileManager.default.removeItem(atPath: folder)
        } else {
            #expect(rename(folder, archive.path + "/away") == 0)
        }
        #expect(rename(archive.path + "/other", folder) == 0)
        #expect(await changes.next(1) == ["replaced"])
        // It may be told once more, of the new folder: nobody knows when that was seen.
        let isOver = Mutex(false)
        let writer = Task {
            var number = 0
            while !isOver.withLock({ $0 }) {
                try archive.append(firstSegment, message("new\(number)") + "\n")
                number += 1
                await Task.yield()
            }
        }
        var told = await changes.next(1)
        while told == ["replaced"] { told = await changes.next(1) }
        isOver.withLock { $0 = true }
        try await writer.value
        #expect(told.first?.hasPrefix("new") == true)
    }

    @Test("with an index it is told when that has come up to the files")
    func index() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open(index: archive.index)
        var changes = store.changes(in: general, since: nil).makeAsyncIterator()
        // At once, since it may have come up before anybody listened.
        #expect(await changes.next() == [.indexed])
        store.service?.update()
        #expect(await changes.next() == [.indexed])
    }

    @Test("who does not listen any more is told nothing, and nothing waits for him")
    func stopped() async throws {
        let (archive, store, _) = try await listen(message("m1"))
        let task = Task {
            var count = 0
            for await _ in store.changes(in: general, since: nil) { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
        withExtendedLifetime(archive) {}
    }
}
