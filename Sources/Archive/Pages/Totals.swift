internal import Messages

/// The number of messages in a conversation, thread replies included, and the times of the first and the last one.
struct Totals: Equatable {
    private(set) var messages: Int
    /// How many of them are presence lines.
    private(set) var presence: Int
    /// The time of the first message in the order of the log.
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?

    init(_ counts: RecordCounts) {
        (messages, presence) = (counts.messages, counts.presence)
        first = counts.first.map { Timestamp(milliseconds: $0) }
        last = counts.last.map { Timestamp(milliseconds: $0) }
    }

    /// The totals of a conversation without messages.
    init() { self.init(RecordCounts()) }

    /// Counts a message that comes after all others.
    mutating func add(_ head: RecordHead) {
        messages += 1
        if head.isPresence { presence += 1 }
        first = first ?? head.at
        last = head.at
    }
}
