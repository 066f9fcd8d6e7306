import ArchiveFormat
import Formats
import Helper
import JSON
import TestSupport
import Testing

@testable import Matrix

/// The search for the gap in which events around one stand.
struct IslandSearchTests {
    /// The gaps between the numbers 0, 10, 20 …, the newest first.
    private static func gaps(_ count: Int, hasStops: Bool = true) throws -> [SyncGap] {
        let names = try (0...count).map {
            try #require(SegmentName(file: "messages-\(500_000_000_000_000_000 + $0 * 10).jsonl"))
        }
        return (1...count).reversed().map {
            SyncGap(
                edge: names[$0], older: names[$0 - 1], from: "f\($0)", to: nil, olderEnd: hasStops ? "e\($0 - 1)" : nil)
        }
    }

    private static func page(_ end: String?) throws -> ContextPage {
        let body = #"{"start":"t1"\#(end.map { #","end":"\#($0)""# } ?? ""),"event":\#(Events.text("1"))}"#
        return try #require(
            body.asBody { ContextPage($0, tree: JSONTree(), events: MatrixEvents { _, _ in nil }) })
    }

    @Test(arguments: 1...20, [true, false])
    func `each question leaves half of the gaps, and the last one is the place`(count: Int, hasStops: Bool) throws {
        for place in 1...count {
            var search = IslandSearch(try Self.gaps(count, hasStops: hasStops), try Self.page("here"))
            var questions = 0
            while let question = search.question {
                questions += 1
                #expect(question.to == "here")
                // The island before gap n has the number n - 1: its end is e(n - 1), and its beginning f(n - 1).
                let island = try #require(Int(question.from.dropFirst()))
                search.take(isLater: place > island)
                try #require(questions < 10)
            }
            #expect(search.gaps.map(\.from) == ["f\(place)"])
            #expect(1 << questions < 2 * count || questions == 0)
        }
    }

    @Test func `without a token nothing is asked, and a question may stay open`() throws {
        #expect(IslandSearch(try Self.gaps(4), try Self.page(nil)).question == nil)
        #expect(IslandSearch(try Self.gaps(1), try Self.page("here")).question == nil)
        #expect(IslandSearch([], try Self.page("here")).question == nil)
        var search = IslandSearch(try Self.gaps(4), try Self.page("here"))
        search.giveUp()
        #expect(search.question == nil && search.gaps.count == 4)
    }

    @Test func `what is left of a gap is a place, and others are not`() throws {
        let gaps = try Self.gaps(3)
        var search = IslandSearch(gaps, try Self.page("here"))
        search.take(isLater: false)
        search.take(isLater: true)
        #expect(gaps.map(search.holds) == [false, true, false] || gaps.map(search.holds) == [false, false, true])
        let place = try #require(search.gaps.first)
        let rest = SyncGap(edge: place.edge.before ?? place.edge, older: place.older?.after, from: "f", to: nil)
        #expect(search.holds(rest))
    }
}
