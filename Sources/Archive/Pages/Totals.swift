internal import Messages

/// The messages of a conversation, thread replies included.
struct Totals: Equatable {
    private(set) var messages: Int
    /// Of the first and the last one in the order of the log.
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?

    /// - Parameters: times in milliseconds.
    init(messages: Int, first: Int64?, last: Int64?) {
        self.messages = messages
        self.first = first.map { Timestamp(milliseconds: $0) }
        self.last = last.map { Timestamp(milliseconds: $0) }
    }

    /// Of a conversation without messages.
    init() { messages = 0 }

    /// Counts one more, after all others.
    mutating func add(_ at: Timestamp) {
        messages += 1
        first = first ?? at
        last = at
    }
}
