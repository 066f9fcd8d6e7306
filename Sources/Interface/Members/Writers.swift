package import Messages

/// People who have written in a conversation, each with the time of the newest message; the latest first.
package struct Writers: Sendable {
    let people: [(Person, Timestamp)]
    /// Whether all messages have been read.
    let isLast: Bool

    package init(people: [(Person, Timestamp)], isLast: Bool) { (self.people, self.isLast) = (people, isLast) }
}
