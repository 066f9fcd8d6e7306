import Benchmark

/// The work of kedge-matrix on the pages of a room, without the server's: 100,000 events in a second are wanted.
enum MirrorBenchmarks {
    static var suites: [BenchmarkSuite] {
        let suite = BenchmarkSuite(name: "mirror Matrix, events:")
        for count in [10_000, 100_000] {
            let room = RecordedRoom(count: count)
            suite.benchmark("\(count)") { room.run() }
        }
        let formatted = RecordedRoom(count: 100_000, isFormatted: true)
        suite.benchmark("100000 with formatted texts") { formatted.run() }
        return [suite]
    }
}
