import Benchmark

// How fast Kedge is, and how its times grow: each benchmark at several sizes in one run.
//
//     make bench                                   all, from the project's folder
//     make bench BENCH="--filter prepend"          those whose names match
//     make bench BENCH="--help"                    more of these
//
// Figures of two machines, or of one machine at two times, cannot be compared; the ratios within a run can. Only named
// operations are measured: windows, texts, archives and surveys are made before.

let archives = [10_000, 200_000].map(LargeArchive.init)
let suites =
    WindowBenchmarks.suites + FrameBenchmarks.suites + TextBenchmarks.suites + PageBenchmarks.suites(archives)
    + ConversionBenchmarks.suites + MirrorBenchmarks.suites
var runner = BenchmarkRunner(
    suites: suites, settings: parseArguments(), customDefaults: [Format(.none), MinTime(seconds: 0.2)])
try runner.run()
print(Growth(runner.results))
for archive in archives { archive.remove() }
