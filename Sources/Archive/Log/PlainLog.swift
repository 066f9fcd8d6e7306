internal import Messages

/// A log of which nothing else is known.
struct PlainLog: Log {
    let segments: [Segment]
    var repeats: [LinePlace] = []
    var loose: [LinePlace] = []
}
