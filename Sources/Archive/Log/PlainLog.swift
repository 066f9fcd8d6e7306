internal import Messages

/// A log as a plain value: repeats and loose replies are unknown unless they are set.
struct PlainLog: Log {
    let segments: [Segment]
    var repeats: [LinePlace] = []
    var loose: [LinePlace] = []
}
