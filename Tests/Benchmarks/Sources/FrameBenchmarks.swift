import Benchmark
import Display
import Interface
import Messages

/// The cost of a frame, and of a key with its frame.
enum FrameBenchmarks {
    static var suites: [BenchmarkSuite] {
        [
            suite("a frame") { window in
                { withExtendedLifetime(render(window.model)) {} }
            },
            suite("the next message, or back, and a frame") { keys(.down, .up, in: $0) },
            suite("the next screen, or back, and a frame") { keys(.pageDown, .pageUp, in: $0) },
        ]
    }

    /// Screens of three sizes; then, with the last size, windows of two sizes, and one in a conversation 500 times as
    /// long.
    private static let sizes: [(size: Size, loaded: Int, total: Int)] = [
        (Size(columns: 40, rows: 10), 1_000, 2_000), (.medium, 1_000, 2_000), (.large, 1_000, 2_000),
        (.large, 300, 2_000), (.large, 1_000, 1_000_000),
    ]

    private static func suite(_ name: String, _ run: (Window) -> () -> Void) -> BenchmarkSuite {
        let suite = BenchmarkSuite(name: name)
        for (size, loaded, total) in sizes {
            let run = run(Window(Part(loaded, of: total, at: 0.5), size: size))
            suite.benchmark("\(size.columns)x\(size.rows), \(loaded) loaded of \(total)") { run() }
        }
        return suite
    }

    private static func keys(_ there: Key, _ back: Key, in window: Window) -> () -> Void {
        var window = window
        var isThere = false
        return {
            window.send(.input([.key(isThere ? back : there)]))
            isThere.toggle()
            withExtendedLifetime(render(window.model)) {}
        }
    }
}

extension Size {
    static let large = Size(columns: 200, rows: 60)
    static let medium = Size(columns: 100, rows: 30)
}
