import Benchmark
import Display
import Interface
import Messages
import Timeline

/// The whole cost of events: scrubbing and measuring new messages, the list, the layout, the row that must stay. Each
/// is measured on a window of its own, just opened, so that the measured time includes no copy of it.
enum WindowBenchmarks {
    static var suites: [BenchmarkSuite] {
        [
            suite("prepend 50 (from 1000 on, 50 are evicted)", cap, { Part($0, of: $1, at: 0) }) {
                $0.answer(.older, count: 50)
            },
            suite("append 50 (from 1000 on, 50 are evicted)", cap, { Part($0, of: $1, at: 1) }) {
                $0.answer(.newer, count: 50)
            },
            suite("append 1, followed (from 1000 on, 1 is evicted)", cap, { Part(last: $0, of: $1) }) {
                arrival($0.part)
            },
            suite("edit 1", [100, 1_000], { Part($0, of: $1, at: 0.5) }) { edit($0.part) },
            suite("resize 200x60 to 100x30", [100, 1_000], { Part($0, of: $1, at: 0.5) }) { _ in .resized(.medium) },
        ]
    }

    /// Messages loaded: few, the largest number, and one page less.
    private static let cap = [100, 950, 1_000]

    /// One kind of event on windows of these sizes, and on the largest one in a conversation 500 times as long.
    private static func suite(
        _ name: String, _ counts: [Int], _ part: (_ count: Int, _ total: Int) -> Part,
        _ event: @escaping (Window) -> Event?
    ) -> BenchmarkSuite {
        let suite = BenchmarkSuite(name: name, settings: MaxIterations(500))
        let sizes = counts.map { ($0, 2_000) } + [(counts.last ?? 0, 1_000_000)]
        for (count, total) in sizes {
            let part = part(count, total)
            suite.benchmark("\(count) loaded of \(total)") { state in
                var window = Window(part)
                guard let event = event(window) else { preconditionFailure("the window asked for nothing") }
                try state.measure { window.send(event) }
            }
        }
        return suite
    }

    private static func arrival(_ part: Part) -> Event {
        .changed(Talk.conversation.id, [.arrived(Talk.message(part.total))])
    }

    /// The message at which the user looks becomes longer.
    private static func edit(_ part: Part) -> Event {
        var message = Talk.message(part.focus)
        message.text += " (and some more of it, since it was not clear enough what was meant at first)"
        message.isEdited = true
        return .changed(Talk.conversation.id, [.updated(message)])
    }
}
