import Archive
import Foundation
import Logging
import Messages
import Search
import TestSupport
import Testing

@Suite("Searches of the public archive, where it is there")
struct PublicSearchTests {
    /// In this process, where the archive is surveyed once: the program surveys it anew for each of its runs, which takes
    /// seconds in a debug build. Some queries go through the program too, see SearchCommandTests.
    @Test(
        "180 random words and phrases are found exactly where an independent reading finds them",
        .enabled(if: PublicArchiveTests.path != nil, "there is no public archive; KEDGE_PUBLIC_ARCHIVE may name one"),
        .timeLimit(.minutes(10)))
    func queries() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let path = try #require(PublicArchiveTests.path)
        let plain = try PlainSearch.shared(path)
        #expect(plain.messages.count > 258_000)
        let store = try JSONArchive.open(path: path, logger: Logger(label: "test"))
        var total = 0
        for query in plain.queries(180, &random) {
            let expected = plain.links(query.phrases)
            let links = try await store.hits(SearchRequest(Query(query.typed))).map(\.id.description)
            // Not as wholes: what is unequal would be printed.
            let difference = zip(links, expected).first { $0 != $1 }
            #expect(links.count == expected.count && difference?.0 == difference?.1, "seed \(seed): \(query)")
            #expect(!links.isEmpty, "seed \(seed): \(query)")
            total += links.count
        }
        print("\(total) hits")
    }
}
