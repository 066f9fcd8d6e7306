import Display
import Synchronization

import Glibc

/// The progress of long work, in one line on a terminal's stderr: a bar, the speed, and the time left.
final class ProgressBar: Sendable {
    private struct State {
        let start = ContinuousClock.now
        var shown: ContinuousClock.Instant?
    }

    /// Shorter work shows no line, and nobody can read more than ten lines a second.
    private static let patience = Duration.milliseconds(300)
    private static let pause = Duration.milliseconds(100)
    private static let width = 24

    private let isVisible = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    /// - Parameters: the bytes that are done, and all bytes.
    func show(_ done: Int64, of total: Int64) {
        guard isVisible, total > 0 else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            let elapsed = now - state.start
            guard elapsed >= ProgressBar.patience, state.shown.map({ now - $0 >= ProgressBar.pause }) ?? true else {
                return
            }
            state.shown = now
            write(ProgressBar.line(done, of: total, after: elapsed))
        }
    }

    deinit { finish() }

    /// Removes the line.
    func finish() {
        state.withLock { state in
            if state.shown != nil { write("\r\u{1B}[K") }
            state.shown = nil
        }
    }

    static func line(_ done: Int64, of total: Int64, after elapsed: Duration) -> String {
        let share = min(1, Double(done) / Double(total))
        let filled = Int(share * Double(width))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        let rate = Double(done) / seconds
        let left = rate > 0 ? Int((Double(total - done) / rate).rounded(.up)) : 0
        return "\r\u{1B}[K\(bar) \(Int(share * 100))%  \(Int(rate / 1e6)) MB/s  \(left) s left"
    }

    private func write(_ text: String) {
        var text = Width.isUTF8 ? text : Substitutes.ascii(text)
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
