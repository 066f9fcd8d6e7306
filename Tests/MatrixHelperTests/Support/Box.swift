import Threads

/// A value that a script sets and its test reads.
final class Box<Value: Sendable>: Sendable {
    private let monitor: Monitor<Value>

    init(_ value: Value) { monitor = Monitor(value) }

    var value: Value {
        get { monitor.withLock { $0 } }
        set { monitor.withLock { $0 = newValue } }
    }
}
