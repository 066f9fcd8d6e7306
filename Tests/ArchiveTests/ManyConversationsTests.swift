import Messages
import Search
import Testing
import Words

@testable import Archive

struct ManyConversationsTests {
    /// The number of conversations.
    private static let many = 1_000

    @Test
    func `A search of a thousand conversations finds the same hits with and without an index`() async throws {
        let archive = try TemporaryArchive()
        for number in 0..<Self.many {
            let lines = [
                message("a\(number)", minute: number % 7, "tide \(number % 3 == 0 ? "neap" : "spring")"),
                message("b\(number)", minute: number % 5, "neap tide"),
                record(
                    "edit", "e\(number)", on: "b\(number)", more: #","text":"\#(number % 2 == 0 ? "tide" : "ebb")""#),
            ]
            try archive.write(
                "conversations/c\(number)/messages-000001.jsonl", lines.map { $0 + "\n" }.joined())
        }
        let plain = try archive.open(index: nil)
        try archive.makeIndex()
        let indexed = try archive.open(index: archive.index)
        for text in ["tide", "neap", "\"neap tide\"", "\"tide neap\"", "ti* -neap", "nobody"] {
            let expected = try await plain.hits(SearchRequest(Query(text)))
            try await #expect(indexed.hits(SearchRequest(Query(text))) == expected, "\(text)")
            let newest = try await indexed.hits(SearchRequest(Query(text), limit: 3))
            #expect(newest == Array(expected.prefix(3)), "\(text)")
            #expect(expected.isEmpty == ["\"neap tide\"", "nobody"].contains(text))
        }
    }

    @Test(arguments: [WordCondition.phrases([[Array("tide".utf8)]]), .beginning(Array("ti".utf8))])
    func `Rows found for all conversations are found again after the index was updated`(rows: WordCondition) throws {
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, message("m1", "tide") + "\n" + message("m2", "ebb") + "\n")
        try archive.makeIndex()
        let index = SearchIndex(archive.index)
        func found() throws -> Int? {
            var strays = ProblemList()
            let segments = try Segment.all(in: archive.path + "/conversations/general", of: general, &strays)
            guard let coverage = index.coverage(of: general, segments) else { return nil }
            return try index.set(of: rows, isCurrent: true).rows(in: coverage.rows, limit: 10).count
        }
        #expect(try found() == 1)
        try archive.append(
            firstSegment, message("m3", "tide") + "\n" + record("edit", "e1", on: "m2", more: #","text":"tide""#) + "\n"
        )
        try archive.makeIndex()
        #expect(try found() == 3)
        try archive.append(firstSegment, record("delete", "d1", on: "m1") + "\n")
        try archive.makeIndex()
        #expect(try found() == 2)
    }
}
