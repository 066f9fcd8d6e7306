import Glibc
import Interface
import Logging
import Settings

/// What the event loop does, as lines of the log, each with the milliseconds since the start: for whoever looks for a slow or
/// lost step. IDs and numbers alone; never anything that somebody wrote or typed.
struct Trace {
    private let logger: Logger
    private let start = ContinuousClock.now

    /// - Returns: nil unless `KEDGE_LOG` asks for it: then nothing is formatted either.
    /// - Throws: when `KEDGE_LOG` asks for what there is not.
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

    /// The frame of all events so far has been given to the terminal.
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
