/// How memory and the time of a page grow with the archive.
struct Plot {
    private let settings: Settings
    private let sizes: [Int]
    private static let width = 40

    init(_ settings: Settings, largest: Int) {
        self.settings = settings
        sizes = Array(sequence(first: 1_000) { $0 * 10 }.prefix { $0 <= largest })
    }

    private struct Figures {
        let size: Int
        /// In seconds.
        let pages: Samples
        /// In bytes.
        let memory: Double
    }

    func run() throws {
        var all: [Figures] = []
        for size in sizes {
            let corpus = try Corpus(size: size, folder: settings.folder)
            try corpus.warm()
            show("measuring with \(size) messages")
            let bench = try Bench(settings, corpus)
            let session = try bench.openInMiddle()
            let up = try Race.press(Key.pageUp, 300, in: session)
            let down = try Race.press(Key.pageDown, 300, in: session)
            let memory = try Race.memory(afterWalk: bench)
            all.append(Figures(size: size, pages: Samples(up.values + down.values), memory: memory[0]))
        }
        draw(all, "Memory after looking around (VmRSS)", .bytes) { $0.memory }
        draw(all, "A screen up or down, p50", .seconds) { $0.pages.percentile(50) }
        draw(all, "A screen up or down, p99", .seconds) { $0.pages.percentile(99) }
    }

    private func draw(_ all: [Figures], _ title: String, _ unit: Unit, _ value: (Figures) -> Double) {
        let most = all.map(value).max() ?? 0
        print("\n" + title)
        for figures in all {
            let figure = value(figures)
            let length = most > 0 ? Int((figure / most * Double(Plot.width)).rounded()) : 0
            let bar = String(repeating: "█", count: max(1, length)).padded(to: Plot.width + 2)
            print("  " + "\(figures.size)".leftPadded(to: 10) + "  " + bar + unit.text(figure))
        }
    }
}
