import Foundation
import Messages
import Search
import Testing

@testable import Archive

/// Every message is in a timeline: a reply without a root before it is in the main one.
struct LooseReplyTests {
    private static func reply(_ id: String, to root: String, _ more: String = "") -> String {
        message(id, more: #","thread":"\#(root)""# + more)
    }

    /// The lines of segments, and the messages in the main timeline.
    static let cases: [(segments: [[String]], mains: [String])] = [
        ([[reply("a", to: "b"), reply("b", to: "a")]], ["a"]),
        ([[reply("a", to: "a")]], ["a"]), ([[reply("a", to: #"\u0061"#)]], ["a"]),
        ([[reply("a", to: "b"), reply("b", to: "c"), reply("c", to: "a")]], ["a", "b"]),
        ([[reply("c", to: "a"), reply("b", to: "c"), reply("a", to: "b")]], ["c"]),
        ([[reply("a", to: "b")], [reply("b", to: "a")]], ["a"]),
        ([[message("x")], [reply("a", to: "b")], [], [reply("b", to: "c"), reply("c", to: "a")]], ["x", "a", "b"]),
        ([[reply("a", to: "nobody"), message("x"), reply("b", to: "nobody")]], ["a", "x", "b"]),
        ([[reply("a", to: "x"), message("x"), reply("b", to: "x")]], ["a", "x"]),
        // Only messages are roots, and a repeat is not a message.
        (
            [[message("x"), record("edit", "e", on: "x", more: #","text":"hello again""#), reply("a", to: "e")]],
            ["x", "a"]
        ),
        ([[reply("a", to: "b"), reply("b", to: "a", #","broadcast":true"#)]], ["a", "b"]),
        ([[message("x"), reply("a", to: "x"), reply("b", to: "a"), reply("c", to: "b")]], ["x"]),
    ]

    private func archive(_ segments: [[String]]) throws -> TemporaryArchive {
        let archive = try TemporaryArchive()
        for (number, lines) in segments.enumerated() {
            try archive.write(
                "conversations/general/messages-00000\(number + 1).jsonl", lines.map { $0 + "\n" }.joined())
        }
        return archive
    }

    /// The messages that can be reached from the main timeline: its own, the replies in their threads, the replies to
    /// those, and so on.
    private func reachable(in store: JSONArchive) async throws -> Set<String> {
        var found = Set(try await store.page(.earliest, 100).messages.map(\.id))
        var next = found
        while !next.isEmpty {
            var new: Set<MessageID> = []
            for root in next { new.formUnion(try await thread(root, in: store)) }
            next = new.subtracting(found)
            found.formUnion(new)
        }
        return Set(found.map(\.rawValue))
    }

    @Test(arguments: cases, [true, false])
    func `Replies that name each other as roots are in the main timeline from the first one on`(
        example: (segments: [[String]], mains: [String]), isIndexed: Bool
    ) async throws {
        let archive = try archive(example.segments)
        let store = try isIndexed ? archive.open() : archive.open(index: nil)
        #expect(try await store.ids() == example.mains)
        #expect(try await store.ids(.latest) == example.mains)
        let all = try await Set(store.search(SearchRequest(Query("hello"))).hits().map(\.message.rawValue))
        #expect(try await reachable(in: store) == all)
        for id in all {
            let page = try await store.page(.message(MessageID(id)), 50)
            #expect(page.messages.map(\.id.rawValue) == example.mains)
            let message = try await store.message(MessageID(id), in: general)
            #expect(message.isMain == example.mains.contains(id))
            #expect(page.focus == (message.isMain ? MessageID(id) : page.focus) && page.focus != nil)
        }
        if isIndexed { try check(archive) }
    }

    private func thread(_ root: MessageID, in store: JSONArchive) async throws -> [MessageID] {
        try await store.page(PageRequest(conversation: general, thread: root, position: .earliest, limit: 100))
            .messages.map(\.id)
    }

    private func check(_ archive: TemporaryArchive) throws {
        guard case .compared(let checks) = try ArchiveIndex(archive: archive.path, in: archive.index).check() else {
            Issue.record("there is no index")
            return
        }
        #expect(checks.allSatisfy { $0.isRight && $0.missingBytes == 0 }, "\(checks.map(\.faults.lines))")
    }

    @Test(arguments: cases)
    func `Loose replies are the same when the lines arrive one by one`(
        example: (segments: [[String]], mains: [String])
    ) async throws {
        let lines = example.segments.flatMap(\.self)
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, "")
        try archive.makeIndex()
        let store = try archive.open(index: archive.index)
        var end = LinePlace.first
        var mains: [String] = []
        for (number, line) in lines.enumerated() {
            try archive.append(firstSegment, line + "\n")
            // The index contains half of them when they are read.
            if number.isMultiple(of: 2) { try archive.makeIndex() }
            let new = try await store.newChanges(in: general, store.segments(of: general), after: end).1
            end = new.end
            for case .arrived(let message) in new.changes where message.isMain && !mains.contains(message.id.rawValue) {
                mains.append(message.id.rawValue)
            }
        }
        #expect(mains == example.mains)
        #expect(try await store.ids() == example.mains)
        try archive.makeIndex()
        try check(archive)
        try archive.makeIndex(isRebuilding: true)
        try check(archive)
        #expect(try await archive.open(index: archive.index).ids() == example.mains)
    }

    @Test(arguments: [true, false])
    func `A root far before its replies is found`(isIndexed: Bool) async throws {
        let archive = try TemporaryArchive()
        let filler = (0..<300).map { message("f\($0)", String(repeating: "x", count: 4_000)) }
        try archive.write(
            firstSegment,
            ([message("root")] + filler + [
                LooseReplyTests.reply("a", to: "root"), LooseReplyTests.reply("b", to: "none"),
            ])
            .map { $0 + "\n" }.joined())
        let store = try isIndexed ? archive.open() : archive.open(index: nil)
        #expect(try await store.ids(.latest, 2) == ["f299", "b"])
        #expect(try await store.summary(of: general).count == 303)
        #expect(try await thread("root", in: store) == ["a"])
    }
}

extension AsyncStream<Result<SearchBatch, StoreError>> {
    fileprivate func hits() async throws -> [Hit] {
        var hits: [Hit] = []
        for await batch in self { hits += try batch.get().hits }
        return hits
    }
}
