import Glibc
import Interface
import Logging
import Settings

/// Writes the steps of the event loop into the log, with the milliseconds since the start, to find a slow or lost step. It
/// writes IDs and numbers, and never a text.
struct Trace {
    private let logger: Logger
    private let start = ContinuousClock.now

    /// - Returns: nil unless `KEDGE_LOG` asks for it. Then nothing is formatted.
    /// - Throws: when `KEDGE_LOG` has an unknown value.
    static func wanted(in folders: Folders) throws(Failure) -> Trace? {
        switch getenv("KEDGE_LOG").map({ String(cString: $0) }) ?? "" {
        case "": return nil
        case "debug": return Trace(logger: Log.logger(in: folders))
        case let other: throw Failure(.usage, "KEDGE_LOG is \"\(other)\"; it may be debug, or not set")
        }
    }

    private init(logger: Logger) {
        var logger = logger
        logger.logLevel = .debug
        self.logger = logger
    }

    func note(_ event: Event) {
        guard let text = event.traceText else { return }
        note("event " + text)
    }

    func note(_ effect: Effect) { note("effect " + effect.traceText) }

    /// The terminal has got the frame of all events so far.
    func noteFrame() { note("frame") }

    private func note(_ text: String) {
        logger.debug("\(Trace.milliseconds(.now - start)) ms \(text)")
    }

    /// With three digits after the point.
    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let fraction = String(microseconds % 1_000)
        return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
