import Archive
import Foundation
import Logging
import Messages
import Search
import TestSupport
import Testing

struct PublicSearchTests {
    /// Uses the index. SearchCommandTests run some queries through the program and without an index, too.
    @Test(
        .enabled(if: PublicArchiveTests.path != nil, "there is no public archive; KEDGE_PUBLIC_ARCHIVE may name one"))
    func `An independent reader finds 200 random words and phrases in exactly the same messages`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let path = try #require(PublicArchiveTests.path)
        let plain = try PlainSearch.shared(path)
        #expect(plain.messages.count > 258_000)
        let folder = NSTemporaryDirectory() + "/kedge-index-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let index = IndexFolder(cache: folder, archive: path)
        #expect(try ArchiveIndex(archive: path, in: index).make().isEmpty)
        let store = try JSONArchive.open(path: path, index: index, logger: Logger(label: "test"))
        var total = 0
        for query in plain.queries(200, &random) {
            let expected = plain.links(query.phrases)
            let links = try await store.hits(SearchRequest(Query(query.typed))).map(\.id.description)
            // Compared one by one, because a failed `#expect` would print all links.
            let difference = zip(links, expected).first { $0 != $1 }
            #expect(links.count == expected.count && difference?.0 == difference?.1, "seed \(seed): \(query)")
            #expect(!links.isEmpty, "seed \(seed): \(query)")
            total += links.count
        }
        print("\(total) hits")
    }
}
