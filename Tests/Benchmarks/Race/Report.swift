import Foundation

/// Several measurements of the same task.
struct Samples {
    /// In ascending order; not empty.
    let values: [Double]

    init(_ values: [Double]) { self.values = values.isEmpty ? [.nan] : values.sorted() }

    var count: Int { values.count }
    var least: Double { values[0] }
    var most: Double { values[values.count - 1] }
    var median: Double { (values[(values.count - 1) / 2] + values[values.count / 2]) / 2 }

    /// The lowest value that at least this percentage does not exceed.
    func percentile(_ percent: Int) -> Double { values[max(0, (values.count * percent + 99) / 100 - 1)] }
}

/// A figure with its unit, three digits of it.
enum Unit {
    case seconds, bytes, count

    func text(_ value: Double) -> String {
        switch self {
        case .seconds where value < 0.000_999_5: return figure(value * 1e6) + " µs"
        case .seconds where value < 0.999_5: return figure(value * 1e3) + " ms"
        case .seconds: return figure(value) + " s"
        case .bytes where value < 10_000: return String(format: "%.0f B", value)
        case .bytes: return figure(value / 1_048_576) + " MiB"
        case .count: return String(format: "%.0f", value)
        }
    }

    private func figure(_ value: Double) -> String {
        String(format: value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value)
    }
}

/// The table of one race: for each program, its figures and their ratio to the first line.
struct Table {
    private let title: String
    private let columns: [String]
    private let unit: Unit
    private var base: Double?
    private static let widths = (name: 52, figure: 11)

    /// Prints the head, and then each line as soon as it is added, since a race may take long.
    init(_ title: String, unit: Unit = .seconds, columns: [String] = ["median", "min", "max", "runs"]) {
        self.title = title
        self.columns = columns
        self.unit = unit
        show("\n" + title)
        show(Table.line("", columns + ["ratio"]))
    }

    /// Median, minimum and maximum.
    mutating func add(_ name: String, _ samples: Samples) {
        add(name, [samples.median, samples.least, samples.most], count: samples.count)
    }

    /// The first figure is the one for comparison.
    mutating func add(_ name: String, _ figures: [Double], count: Int? = nil) {
        let first = figures.first ?? .nan
        let texts = figures.map(unit.text) + (count.map { ["\($0)"] } ?? [])
        let ratio = base.map { $0 > 0 ? String(format: first / $0 < 9.95 ? "%.2f" : "%.0f", first / $0) : "-" } ?? "1"
        if base == nil { base = first }
        show(Table.line(name, texts + [ratio]))
    }

    /// A program that was not measured, and the reason. A longer reason continues on the next lines.
    func skip(_ name: String, _ reason: String) {
        let lines = reason.split(separator: "\n", maxSplits: 1)
        show("  " + name.padded(to: Table.widths.name) + "  skipped: " + (lines.first ?? ""))
        if lines.count > 1 { show(String(lines[1])) }
    }

    func note(_ text: String) { show("  " + text) }

    private static func line(_ name: String, _ figures: [String]) -> String {
        "  " + name.padded(to: widths.name) + figures.map { $0.leftPadded(to: widths.figure) }.joined()
    }
}

/// Prints a line at once, whatever stdout is.
func show(_ line: String) {
    print(line)
    fflush(nil)
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(1, width - count)) + self }
}
