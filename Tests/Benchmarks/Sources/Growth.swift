import Benchmark
import Foundation

/// The table of a run: each suite with its sizes, and how much longer a size takes than the first one of its suite.
struct Growth: CustomStringConvertible {
    private let results: [BenchmarkResult]

    init(_ results: [BenchmarkResult]) { self.results = results }

    var description: String {
        var lines: [String] = []
        var suite: String?
        var first = 0.0
        for result in results {
            let median = result.median
            if result.suiteName != suite {
                suite = result.suiteName
                first = median
                lines.append("\n" + row(result.suiteName, "median µs", "least µs", "times", "ratio"))
            }
            lines.append(
                row(
                    "  " + result.benchmarkName, micros(median), micros(result.measurements.min() ?? 0),
                    "\(result.measurements.count)", String(format: "%.2f", median / first)))
        }
        return lines.joined(separator: "\n")
    }

    private func row(_ name: String, _ figures: String...) -> String {
        let name = name.padding(toLength: 48, withPad: " ", startingAt: 0)
        return name + figures.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
    }

    private func micros(_ nanoseconds: Double) -> String { String(format: "%.1f", nanoseconds / 1_000) }
}

extension BenchmarkResult {
    fileprivate var median: Double {
        let sorted = measurements.sorted()
        return sorted.isEmpty ? 0 : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
