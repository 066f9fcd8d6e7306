internal import Messages

/// The number of messages in a conversation, thread replies included, and the times of the first and the last one.
struct Totals: Equatable {
    private(set) var messages: Int
    /// The time of the first message in the order of the log.
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?

    /// - Parameters: times in milliseconds.
    init(messages: Int, first: Int64?, last: Int64?) {
        self.messages = messages
        self.first = first.map { Timestamp(milliseconds: $0) }
        self.last = last.map { Timestamp(milliseconds: $0) }
    }

    /// The totals of a conversation without messages.
    init() { messages = 0 }

    /// Counts a message that comes after all others.
    mutating func add(_ at: Timestamp) {
        messages += 1
        first = first ?? at
        last = at
    }
}
