import Benchmark
import Display

/// The cost of text: making it safe to draw, and breaking it into rows.
enum TextBenchmarks {
    static var suites: [BenchmarkSuite] {
        samples.flatMap { name, words in
            [
                suite("wrap \(name) at 80 columns, characters:", words) { text in
                    let clean = CleanText(text)
                    return { withExtendedLifetime(wrap(clean, columns: 80)) {} }
                },
                suite("scrub \(name), characters:", words) { text in
                    { withExtendedLifetime(CleanText.lines(text)) {} }
                },
            ]
        }
    }

    private static let samples = [
        ("ASCII", "The tide comes in at half past nine; whoever wants to sail should be at the berth by then. "),
        ("CJK", "潮は九時半に満ちます。出航する人はそれまでに桟橋に集まってください。"),
        ("emoji", "👍🎉 👩‍💻 🇩🇪❤️ 🧑🏽‍🚀😀 "),
    ]

    private static func suite(
        _ name: String, _ words: String, _ run: (String) -> () -> Void
    ) -> BenchmarkSuite {
        let suite = BenchmarkSuite(name: name)
        for count in [100, 1_000, 10_000] {
            let run = run(String(String(repeating: words, count: count / words.count + 1).prefix(count)))
            suite.benchmark("\(count)") { run() }
        }
        return suite
    }
}
