/// The counts of a segment's records, or of several successive segments.
struct RecordCounts: Equatable {
    /// Messages of the main timeline.
    var mainCount = 0
    /// All messages, thread replies included.
    var messages = 0
    /// Messages about somebody's presence.
    var presence = 0
    /// The latest time of a message of the main timeline, in milliseconds; `Int64.min` if there is none.
    var peak = Int64.min
    /// The times of the first and the last message in the order of the log, in milliseconds.
    var first: Int64?
    var last: Int64?
    /// The number of skipped lines.
    var problems = 0

    /// Adds a record.
    /// - Parameter at: its time in milliseconds.
    mutating func add(_ kind: RecordKind, at: Int64) {
        guard kind.isMessage else { return }
        messages += 1
        if kind.isPresence { presence += 1 }
        first = first ?? at
        last = at
        guard kind.isMain else { return }
        mainCount += 1
        peak = max(peak, at)
    }

    /// Adds the counts of the segments that follow.
    mutating func append(_ other: RecordCounts) {
        mainCount += other.mainCount
        messages += other.messages
        presence += other.presence
        peak = max(peak, other.peak)
        first = first ?? other.first
        last = other.last ?? last
        problems += other.problems
    }
}
