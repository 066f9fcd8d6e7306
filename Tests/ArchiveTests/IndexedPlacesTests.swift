import Foundation
import Messages
import Search
import TestSupport
import Testing

@testable import Archive

struct IndexedPlacesTests {
    /// All places that the index gives, and how often a file was read for them.
    private func indexedPlaces(
        _ archive: TemporaryArchive, _ query: String
    ) throws -> (places: [HitPlace], loads: Int)? {
        let segments = try archive.open(index: nil).archiveSegments(of: general)
        let index = SearchIndex(archive.index)
        guard let coverage = index.coverage(of: general, segments), coverage.isExact else { return nil }
        let blocks = BlockReader()
        let criteria = HitCriteria(
            SearchRequest(Query(query)), people: People(path: archive.path + "/people.json"))
        let places = try IndexedHits(index, coverage, criteria, blocks: blocks, givesPlaces: true)
        var all: [HitPlace] = []
        while !places.isOver { all += try places.nextPlaces() }
        return (all, blocks.loads)
    }

    private static let words = ["tide", "neap", "tidal", "the", "then", "anchor", "été"]

    private func archive(_ random: inout SeededGenerator) throws -> TemporaryArchive {
        var lines: [String] = []
        for number in 0..<600 {
            let text = (0..<4).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
            let target = "m\(Int.random(in: 0...number, using: &random))"
            let from = ["ana", "ben"].randomElement(using: &random) ?? ""
            switch Int.random(in: 0..<12, using: &random) {
            case 0: lines.append(record("edit", "e\(number)", on: target, from: from, more: #","text":"\#(text)""#))
            case 1: lines.append(record("delete", "d\(number)", on: target, from: from))
            case 2: lines.append(message("m\(number)", from: from, text, more: #","thread":"\#(target)""#))
            case 3:
                let more = #","thread":"\#(target)","broadcast":true"#
                lines.append(message("m\(number)", from: from, text, more: more))
            case 4: lines.append(message("m\(number)", from: from, text, more: #","replyTo":"\#(target)""#))
            default: lines.append(message("m\(number)", from: from, text))
            }
        }
        let archive = try TemporaryArchive()
        try archive.write(firstSegment, lines.map { $0 + "\n" }.joined())
        return archive
    }

    @Test(arguments: [
        "tide", "the neap", "\"neap tide\"", "ti*", "t*", "the*", "the* ti*", "tide -neap", "tide -ne*", "-tide",
        "-\"neap tide\"", "from:ana", "tide from:be*", "tide -from:ana", "is:reply", "is:thread the*", "-is:thread",
        "tide has:file", "ete", "nobody*", "neap -the -tidal -été",
    ])
    func `Places from the index equal those from the log, without reading a text`(query: String) async throws {
        var random = SeededGenerator(seed: 27)
        let archive = try archive(&random)
        try archive.makeIndex()
        let (places, loads) = try #require(try indexedPlaces(archive, query))
        #expect(loads == 0)
        try await #expect(places == archive.open(index: nil).places(query, in: "general"))
        #expect(!places.isEmpty == !["tide has:file", "nobody*"].contains(query))
    }

    @Test(arguments: ["\"neap ti*\"", "the has:link"])
    func `Texts are read for conditions that only a text can decide`(query: String) async throws {
        var random = SeededGenerator(seed: 28)
        let archive = try archive(&random)
        try archive.append(firstSegment, message("last", "the https://neap.example tide") + "\n")
        try archive.makeIndex()
        let (places, loads) = try #require(try indexedPlaces(archive, query))
        #expect(loads > 0)
        try await #expect(places == archive.open(index: nil).places(query, in: "general"))
        #expect(!places.isEmpty)
    }

    @Test(arguments: (0..<6).map { _ in UInt64.random(in: 0...UInt64.max) })
    func `An index updated in steps gives the same places as a new one`(seed: UInt64) async throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let archive = try TemporaryArchive()
        let conversation = "conversations/general/messages-00000"
        try archive.write("people.json", #"[{"id":"ana","name":"Ana Ruiz"},{"id":"ben","name":"Ben"},{"id":"cy"}]"#)
        try SearchTests.write(archive, "general", &random)
        let whole = try [1, 2].map { try archive.log($0).split(separator: "\n").map { $0 + "\n" } }
        for round in 0..<4 {
            // Each segment is cut short or loses some lines.
            for (number, lines) in whole.enumerated() {
                let isPrefix = Bool.random(using: &random)
                let count = Int.random(in: 0...lines.count, using: &random)
                let some =
                    isPrefix
                    ? Array(lines.prefix(count)) : lines.filter { _ in Int.random(in: 0..<9, using: &random) > 0 }
                try archive.write(conversation + "\(number + 1).jsonl", some.joined())
            }
            // Without an index, repeated IDs are unknown.
            if Int.random(in: 0..<3, using: &random) > 0 || round == 0 { try archive.makeIndex() }
            try archive.makeIndex(in: archive.otherIndex, isRebuilding: true)
            let (new, indexed) = (try archive.open(index: archive.otherIndex), try archive.open(index: archive.index))
            for _ in 0..<8 {
                let text = PlainQuery(in: SearchTests.world, &random).description
                let query = ResolvedQuery(
                    Query(text), zone: .utc, now: try #require(Timestamp(iso8601: time(1_000))))
                let expected = try await new.places(query, in: "general")
                try await #expect(indexed.places(query, in: "general") == expected, "seed \(seed): \(text)")
                var request = SearchRequest(query, limit: 1)
                request.countsAll = true
                let counts = expected.isEmpty ? [:] : ["general": expected.count]
                try await #expect(indexed.counts(request) == counts, "seed \(seed): \(text)")
            }
        }
    }
}

extension JSONArchive {
    fileprivate nonisolated func archiveSegments(of id: ConversationID) throws -> [Segment] {
        var strays = ProblemList()
        return try Segment.all(in: try #require(try catalogue.folder(of: id)), of: id, &strays)
    }
}
