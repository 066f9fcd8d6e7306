import Benchmark
import Messages

/// The cost of a page of 50 messages, from the request to the response: the way to the archive's thread and back,
/// reading and decoding the blocks that hold it, and applying later lines to its messages. The archive has been
/// surveyed before, and its files are in the system's cache.
enum PageBenchmarks {
    static func suites(_ archives: [LargeArchive]) -> [BenchmarkSuite] {
        let none = BenchmarkSuite(name: "only the way to an archive and back, messages:")
        for archive in archives { none.benchmark("\(archive.count)") { try archive.askNothing() } }
        return [
            none,
            suite("the latest page, messages:", archives) { _ in .latest },
            suite("the earliest page, messages:", archives) { _ in .earliest },
            suite("the page around the middle message, messages:", archives) { .message(Talk.id($0 / 2)) },
            suite("the page around the middle index, messages:", archives) { .index($0 / 2) },
            suite("the page at the middle date, messages:", archives) { .date(NamedTime(Talk.at($0 / 2))) },
        ]
    }

    private static func suite(
        _ name: String, _ archives: [LargeArchive], _ position: (_ count: Int) -> PageRequest.Position
    ) -> BenchmarkSuite {
        let suite = BenchmarkSuite(name: name)
        for archive in archives {
            let position = position(archive.count)
            suite.benchmark("\(archive.count)", settings: WarmupIterations(1)) {
                withExtendedLifetime(try archive.page(position, 50)) {}
            }
        }
        return suite
    }
}
