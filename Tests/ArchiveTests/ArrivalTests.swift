import Foundation
import Messages
import Synchronization
import Testing

@testable import Archive

struct ArrivalTests {
    /// Collects the reports of a stream.
    private final class Listener {
        private var stream: AsyncStream<[Arrival]>.AsyncIterator
        private var pending: ArraySlice<Arrival> = []
        /// The sizes of the batches so far.
        private(set) var sizes: [Int] = []

        /// Begins to listen. The start of the watch cannot be observed, so a message is appended to a separate
        /// conversation until it is reported.
        init(
            _ archive: TemporaryArchive, _ store: JSONArchive,
            besides isFollowed: @escaping @Sendable (ConversationID) -> Bool
        ) async throws {
            try archive.write(ArrivalTests.segment("noise"), "")
            stream = store.arrivals(besides: isFollowed).makeAsyncIterator()
            let isOver = Mutex(false)
            let writer = Task {
                var number = 0
                while !isOver.withLock({ $0 }) {
                    try archive.append(ArrivalTests.segment("noise"), message("noise\(number)") + "\n")
                    number += 1
                    await ArrivalTests.letOthersWork()
                }
            }
            #expect(await stream.next() != nil)
            isOver.withLock { $0 = true }
            try await writer.value
        }

        func next() async -> Arrival? {
            while true {
                while let arrival = pending.popFirst() {
                    if arrival.conversation != "noise" { return arrival }
                }
                guard let arrivals = await stream.next() else { return nil }
                pending = arrivals[...]
                sizes.append(arrivals.count)
            }
        }

        /// The next reports as text, grouped by conversation.
        func next(_ count: Int) async -> [String] {
            var reported: [Arrival] = []
            while reported.count < count, let arrival = await next() { reported.append(arrival) }
            let order = Dictionary(grouping: reported, by: \.conversation.rawValue).sorted { $0.key < $1.key }
            return order.flatMap { $0.value.map { "\($0.conversation)/\($0.message.id)" } }
        }
    }

    private static func segment(_ conversation: String) -> String {
        "conversations/\(conversation)/messages-000001.jsonl"
    }

    private func listen(
        isIndexed: Bool = false, besides isFollowed: @escaping @Sendable (ConversationID) -> Bool = { _ in false }
    ) async throws -> (TemporaryArchive, Listener) {
        let archive = try TemporaryArchive(message("m1"), message("m2"))
        try archive.write(ArrivalTests.segment("other"), message("o1") + "\n")
        let store = try isIndexed ? archive.open() : archive.open(index: nil)
        return (archive, try await Listener(archive, store, besides: isFollowed))
    }

    /// Gives other tasks a chance, so that an endless writer does not starve the readers on a slow machine.
    private static func letOthersWork() async {
        for _ in 0..<2_000 { await Task.yield() }
    }

    private func append(_ archive: TemporaryArchive, _ conversation: String, _ lines: String...) throws {
        try archive.append(ArrivalTests.segment(conversation), lines.map { $0 + "\n" }.joined())
    }

    @Test(arguments: [true, false])
    func `Messages, thread replies and changed texts in two conversations are reported`(isIndexed: Bool) async throws {
        let (archive, arrivals) = try await listen(isIndexed: isIndexed)
        let edit = record("edit", "e1", on: "m3", from: "ben", more: #","text":"better""#)
        try append(archive, "general", message("m3", from: "ben", "new", more: #","replyTo":"m1""#), edit)
        let first = try #require(await arrivals.next())
        #expect(first.conversation == general && first.message.id == "m3" && first.message.text == "better")
        #expect(
            first.message.quote?.content == .message(sender: Person(id: "ana", name: "ana"), text: "hello"))
        try append(archive, "general", record("edit", "e2", on: "m1", more: #","text":"old""#))
        let edited = try #require(await arrivals.next())
        #expect(!edited.isNew && edited.message.id == "m1" && edited.message.text == "old" && first.isNew)
        try append(archive, "general", record("delete", "d1", on: "m1"))
        let deleted = try #require(await arrivals.next())
        #expect(!deleted.isNew && deleted.message.id == "m1" && deleted.message.isDeleted)
        try append(archive, "general", message("t1", more: #","thread":"m2""#), message("m4"))
        try append(archive, "other", message("o2"), "broken", message("o3"))
        #expect(await arrivals.next(4) == ["general/t1", "general/m4", "other/o2", "other/o3"])
    }

    @Test func `An incomplete line is reported when it is complete`() async throws {
        let (archive, arrivals) = try await listen()
        let line = message("m3")
        try archive.append(firstSegment, String(line.prefix(20)))
        try append(archive, "other", message("o2"))
        #expect(await arrivals.next(1) == ["other/o2"])
        try archive.append(firstSegment, String(line.dropFirst(20)) + "\n")
        #expect(await arrivals.next(1) == ["general/m3"])
    }

    @Test func `A new conversation, a renamed one and one that replaces another are followed`() async throws {
        let (archive, arrivals) = try await listen()
        try archive.write(ArrivalTests.segment("new"), message("n1") + "\n" + message("n2") + "\n")
        #expect(await arrivals.next(2) == ["new/n1", "new/n2"])
        try append(archive, "new", message("n3"))
        #expect(await arrivals.next(1) == ["new/n3"])
        let folder = archive.path + "/conversations/"
        #expect(rename(folder + "new", folder + "named") == 0)
        // The message in it is known.
        try append(archive, "named", message("n4"))
        #expect(await arrivals.next(1) == ["named/n4"])
        #expect(rename(folder + "named", archive.path + "/away") == 0)
        try archive.write(ArrivalTests.segment("last"), message("l1") + "\n")
        #expect(await arrivals.next(1) == ["last/l1"])
        try archive.append("away/messages-000001.jsonl", message("n5") + "\n")
        try append(archive, "last", message("l2"))
        #expect(await arrivals.next(1) == ["last/l2"])
    }

    @Test(arguments: [true, false])
    func `A file that was replaced or truncated counts from its end`(isCutOff: Bool) async throws {
        let (archive, arrivals) = try await listen()
        if isCutOff {
            #expect(truncate(archive.path + "/" + firstSegment, 4) == 0)
        } else {
            let other = archive.path + "/other.jsonl"
            let lines = (0..<9).map { message("x\($0)") + "\n" }
            try lines.joined().write(toFile: other, atomically: false, encoding: .utf8)
            #expect(rename(other, archive.path + "/" + firstSegment) == 0)
        }
        // The moment at which the watcher sees the change cannot be observed.
        let isOver = Mutex(false)
        let writer = Task {
            var number = 0
            while !isOver.withLock({ $0 }) {
                try append(archive, "general", message("new\(number)"))
                number += 1
                await ArrivalTests.letOthersWork()
            }
        }
        let reported = await arrivals.next()
        isOver.withLock { $0 = true }
        try await writer.value
        #expect(reported?.message.id.rawValue.hasPrefix("new") == true)
    }

    @Test func `Thousands of messages at once are reported in order, in batches, without blocking other work`()
        async throws
    {
        let (archive, arrivals) = try await listen()
        // Two folders that exist before the watcher looks, so that it learns of both at once. Of two changed files it
        // may learn of the second much later.
        let lines = (0..<8_000).map { message("b\($0)") + "\n" }
        for (id, text) in [("big", lines.joined()), ("small", message("s1") + "\n")] {
            try archive.write("away/\(id)/messages-000001.jsonl", text)
        }
        for id in ["big", "small"] {
            #expect(rename("\(archive.path)/away/\(id)", "\(archive.path)/conversations/\(id)") == 0)
        }
        var reported: [Arrival] = []
        while reported.count < 8_001, let arrival = await arrivals.next() { reported.append(arrival) }
        let small = try #require(reported.firstIndex { $0.conversation == "small" })
        #expect((1..<3_000).contains(small))
        reported.remove(at: small)
        #expect(reported.map(\.message.id.rawValue) == (0..<8_000).map { "b\($0)" })
        #expect((arrivals.sizes.max() ?? 0) < 3_000)
    }

    @Test func `An open conversation is not reported, and after it is closed only later messages are`() async throws {
        let followed = Followed()
        let (archive, arrivals) = try await listen(besides: { followed.id.withLock(\.self) == $0 })
        followed.id.withLock { $0 = "other" }
        try append(archive, "other", message("o2"))
        try append(archive, "general", message("m3"))
        #expect(await arrivals.next(1) == ["general/m3"])
        followed.id.withLock { $0 = "general" }
        try append(archive, "general", message("m4"))
        try append(archive, "other", message("o3"))
        #expect(await arrivals.next(1) == ["other/o3"])
    }

    private final class Followed: Sendable {
        let id = Mutex<ConversationID?>(nil)
    }

    @Test func `A watcher that was stopped reports nothing and keeps nothing waiting`() async throws {
        let archive = try TemporaryArchive(message("m1"))
        let store = try archive.open(index: nil)
        let task = Task {
            var count = 0
            for await _ in store.arrivals(besides: { _ in false }) { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
        withExtendedLifetime(archive) {}
    }

    @Test func `A folder that cannot be watched is a problem and not an error`() async throws {
        let archive = try TemporaryArchive()
        let store = try archive.open(index: nil)
        var arrivals = store.arrivals(besides: { _ in false }).makeAsyncIterator()
        #expect(await arrivals.next() == nil)
        let problems = await store.problems()
        #expect(problems.contains { $0.hasPrefix("conversations: new messages are not noticed") }, "\(problems)")
    }
}
