import Glibc
import Interface
import Logging
import Messages
import Settings
import Usage

/// Writes the steps of the event loop into the log, with the milliseconds since the start, to find a slow or lost step.
/// It writes IDs and numbers, never texts.
struct Trace {
    private let logger: Logger
    private let start = ContinuousClock.now

    /// - Returns: nil unless `KEDGE_LOG` asks for it.
    /// - Throws: when `KEDGE_LOG` has an unknown value.
    static func wanted(in folders: Folders) throws(CommandError) -> Trace? {
        switch getenv("KEDGE_LOG").map({ String(cString: $0) }) ?? "" {
        case "": return nil
        case "debug": return Trace(logger: LogFile.logger(in: folders))
        case let other: throw CommandError(.usage, "KEDGE_LOG is \"\(other)\"; set it to debug, or unset it")
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

    /// Records that the terminal has the frame of all events so far.
    func noteFrame() { note("frame") }

    private func note(_ text: String) {
        logger.debug("\(Trace.milliseconds(.now - start)) ms \(text)")
    }

    /// Milliseconds with three decimal places.
    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let fraction = String(microseconds % 1_000)
        return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}

extension Event {
    /// A line for the log. Nil for the clock and for empty input, which come with every turn of the loop.
    var traceText: String? {
        switch self {
        case .time: nil
        case .input(let inputs) where inputs.isEmpty: nil
        default: Traced(self).text
        }
    }
}

extension Effect {
    var traceText: String { Traced(self).text }
}

/// A value for the log: names of cases, IDs, times and numbers. A text or a list shows its length at most, so that no new case of an
/// event or an effect can bring what somebody wrote into the log.
private struct Traced {
    let text: String

    init(_ value: Any) {
        text =
            switch value {
            case let page as Page: Traced.page(page)
            case let text as String: "\(text.utf8.count) bytes"
            case let other: Traced.plain(other) ?? Traced.composed(other)
            }
    }

    /// An ID, a time or a number. A long ID is cut.
    private static func plain(_ value: Any) -> String? {
        switch value {
        case let id as MessageID: id.rawValue.shortened
        case let id as ConversationID: id.rawValue.shortened
        case let id as PersonID: id.rawValue.shortened
        case let time as Timestamp: time.iso8601
        case let number as any BinaryInteger: "\(number)"
        case let number as any BinaryFloatingPoint: "\(number)"
        case is Bool, is Duration: "\(value)"
        default: nil
        }
    }

    private static func composed(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        let children = mirror.children
        switch mirror.displayStyle {
        case .enum:
            guard let payload = children.first else { return "\(value)" }
            switch payload.label {
            case "success": return Traced(payload.value).text
            case "failure": return "failed"
            case let name: return [name ?? "", Traced(payload.value).text].joined(separator: " ")
            }
        case .optional: return children.first.map { Traced($0.value).text } ?? "none"
        case .collection, .set, .dictionary: return "\(children.count)"
        case .tuple: return children.map { Traced($0.value).text }.joined(separator: " ")
        // Of a structure, only what identifies it.
        default: return children.compactMap { plain($0.value) ?? part($0.value) }.joined(separator: " ")
        }
    }

    private static func part(_ value: Any) -> String? {
        if value is any StringProtocol { return nil }
        switch Mirror(reflecting: value).displayStyle {
        case .enum, .struct:
            let text = composed(value)
            return text.isEmpty ? nil : text
        case .optional: return Mirror(reflecting: value).children.first.flatMap { plain($0.value) ?? part($0.value) }
        default: return nil
        }
    }

    private static func page(_ page: Page) -> String {
        let range = [page.messages.first, page.messages.last].compactMap { $0?.id.rawValue.shortened }
        let place = page.place.map { "\($0.index) of \($0.total)" } ?? "at an unknown place"
        let ends = "older \(page.older == .end ? "end" : "more"), newer \(page.newer == .end ? "end" : "more")"
        return "of \(page.messages.count) messages \(range.joined(separator: " to ")), first \(place), \(ends)"
    }
}
