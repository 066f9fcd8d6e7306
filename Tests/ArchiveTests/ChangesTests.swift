@testable import Archive
import Foundation
import Messages
import Synchronization
import Testing

struct ChangesTests {
    /// Collects the reports of a stream as text.
    final class Listener {
        private var stream: AsyncStream<[StoreChange]>.AsyncIterator
        private var pending: ArraySlice<StoreChange> = []

        init(_ store: JSONArchive, since page: Page?) {
            stream = store.changes(in: general, since: page?.asOf).makeAsyncIterator()
        }

        /// The next change other than `indexed`.
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
            var reported: [String] = []
            while reported.count < count, let change = await next() { reported.append(ChangesTests.words(change)) }
            return reported
        }
    }

    static func words(_ change: StoreChange) -> String {
        switch change {
        case .arrived(let message): "\(message.id) \(message.text)"
        case .updated(let message): "now \(message.id) \(message.text)"
        case .replaced: "replaced"
        case .typing(let people): "typing " + people.map(\.name).joined(separator: " ")
        case .indexed: "indexed"
        case .passedOver: "skipped"
        case .gap: "gap"
        case .filled: "filled"
        case .reach: "reach"
        case .readers: "readers"
        case .inOwnThreads(let ids): "own threads: " + ids.map(\.rawValue).sorted().joined(separator: " ")
        }
    }

    private func listen(_ lines: String...) async throws -> (TemporaryArchive, JSONArchive, Listener) {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        let store = try archive.open(index: nil)
        return (archive, store, Listener(store, since: try await store.page(.latest)))
    }

    @Test func `An edit or deletion from another author or of a missing message has no effect and is a problem`()
        async throws
    {
        let (archive, store, changes) = try await listen(message("m1"), message("m2", from: "ben"))
        try archive.append(firstSegment, record("edit", "e1", on: "m2", from: "ana", more: #","text":"mine""#) + "\n")
        #expect(await changes.next(1) == ["now m2 hello"])
        #expect(await changes.next(1) == ["skipped"])
        try archive.append(
            firstSegment,
            record("delete", "e2", on: "m9\\u001b", from: "ana") + "\n" + record("delete", "e3", on: "m1", from: "ana")
                + "\n")
        #expect(await changes.next(2) == ["now m1 ", "skipped"])
        #expect(
            await store.problems() == [
                #"general: an edit of "m2" by "ana" is skipped: only its author can change it"#,
                #"general: a deletion of "m9\#u{FFFD}" is skipped: there is no such message"#,
            ])
        try archive.append(firstSegment, record("edit", "e4", on: "m2", from: "ben", more: #","text":"his""#) + "\n")
        #expect(await changes.next(1) == ["now m2 his"])
    }

    @Test func `Appended lines are reported with the changes that they make to other messages`() async throws {
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

    @Test func `Thread replies are reported with the new reply count and time of their root`() async throws {
        let (archive, _, changes) = try await listen(message("m1"), message("t1", minute: 9, more: #","thread":"m1""#))
        for number in 2...3 {
            let reply = message("t\(number)", minute: 10 - number, more: #","thread":"m1""#)
            try archive.append(firstSegment, reply + "\n")
            guard case .updated(let root)? = await changes.next(), case .arrived(let reported)? = await changes.next()
            else { throw ExpectationMissed() }
            #expect(root.id == "m1" && root.replyCount == number && root.lastReply == reported.at)
            #expect(reported.id.rawValue == "t\(number)" && reported.thread == "m1")
        }
        try archive.append(
            firstSegment,
            message("n1", more: #","thread":"t3""#) + "\n" + message("n2", more: #","thread":"n1""#) + "\n")
        // A root that arrives together with its reply is reported once.
        #expect(await changes.next(3) == ["now t3 hello", "n1 hello", "n2 hello"])
    }

    @Test func `Messages that arrived between a page and the start of watching are reported first`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open(index: nil)
        let page = try await store.page(.latest)
        try archive.append(firstSegment, message("m2") + "\n")
        #expect(await Listener(store, since: page).next(1) == ["m2 hello"])
        let now = Listener(store, since: nil)
        async let next = now.next(1)
        // The start of the watch cannot be observed, so messages are appended until one is reported.
        var number = 3
        let isOver = Mutex(false)
        let writer = Task {
            while !isOver.withLock({ $0 }) {
                try archive.append(firstSegment, message("m\(number)") + "\n")
                number += 1
                await Task.yield()
            }
        }
        let reported = await next
        isOver.withLock { $0 = true }
        try await writer.value
        #expect(reported != ["m2 hello"] && reported.first?.hasPrefix("m") == true)
    }

    @Test func `An incomplete line is reported only when it is complete, and its replacement if it was cut off`()
        async throws
    {
        let (archive, store, changes) = try await listen(message("m1"))
        let line = message("m2")
        try archive.append(firstSegment, String(line.prefix(20)))
        // A page in between changes nothing.
        #expect(try await store.ids() == ["m1"])
        try archive.append(firstSegment, String(line.dropFirst(20)) + "\n" + message("m3").prefix(30))
        #expect(await changes.next(1) == ["m2 hello"])
        let whole = [message("m1"), line, message("m4")].map { $0 + "\n" }.joined()
        try archive.write(firstSegment, whole)
        var reported = await changes.next(1)
        // Writing in place truncates the file first. If the watcher sees it then, it reports a replaced file.
        if reported == ["replaced"] { reported = ["m4 hello"] }
        #expect(reported == ["m4 hello"])
    }

    @Test func `Watching that begins within an incomplete line reports that line`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let line = message("m2")
        try archive.append(firstSegment, String(line.prefix(20)))
        let store = try archive.open(index: nil)
        let changes = Listener(store, since: try await store.page(.latest))
        try archive.append(firstSegment, String(line.dropFirst(20)) + "\n")
        #expect(await changes.next(1) == ["m2 hello"])
    }

    @Test func `Thousands of lines in a new segment are reported once each, in order`() async throws {
        let (archive, _, changes) = try await listen(message("m1"))
        let lines = (2...6_000).map { message("m\($0)") + "\n" }
        try archive.write("conversations/general/messages-000002.jsonl", lines.joined())
        #expect(await changes.next(5_999) == (2...6_000).map { "m\($0) hello" })
        try archive.append("conversations/general/messages-000002.jsonl", message("m6001") + "\n")
        #expect(await changes.next(1) == ["m6001 hello"])
    }

    @Test func `Replaced and truncated files are reported, followed by the lines appended later`() async throws {
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

    @Test func `A conversation that vanishes and returns is reported, followed by the lines appended later`()
        async throws
    {
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

    @Test(arguments: [true, false])
    func `A folder that takes the place of another is reported, followed by the lines appended later`(isRemoved: Bool)
        async throws
    {
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
        // The new folder may be reported once more: the moment at which the watcher sees it cannot be observed.
        let isOver = Mutex(false)
        let writer = Task {
            var number = 0
            while !isOver.withLock({ $0 }) {
                try archive.append(firstSegment, message("new\(number)") + "\n")
                number += 1
                await Task.yield()
            }
        }
        var reported = await changes.next(1)
        while reported == ["replaced"] { reported = await changes.next(1) }
        isOver.withLock { $0 = true }
        try await writer.value
        #expect(reported.first?.hasPrefix("new") == true)
    }

    @Test func `The end of an index update is reported`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open(index: archive.index)
        var changes = store.changes(in: general, since: nil).makeAsyncIterator()
        // Reported at once, since the index may have been ready before the watch began.
        #expect(await changes.next() == [.indexed])
        store.service?.update()
        #expect(await changes.next() == [.indexed])
    }

    @Test func `A watcher that was stopped reports nothing and keeps nothing waiting`() async throws {
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
