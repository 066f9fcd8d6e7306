import Messages

/// The messages that were there before a log was rewritten. They do not count as new when they arrive again.
struct KnownBefore: Sendable {
    /// Messages that left the window and have not come back.
    private var missing: Set<MessageID> = []
    /// The unseen ones of these messages.
    private var unseen: Set<MessageID> = []
    /// A message that was sent at this time or before it was there before the rewrite; nil when nothing was rewritten.
    private var moment: Timestamp?

    /// As many messages as several windows hold. Older ones hardly ever come back.
    private static let most = 4_096

    func contains(_ message: Message) -> Bool {
        missing.contains(message.id) || moment.map { message.at <= $0 } ?? false
    }

    /// Whether no message is missing.
    var isWhole: Bool { missing.isEmpty }
    func isUnseen(_ id: MessageID) -> Bool { unseen.contains(id) }
    mutating func forgetMoment() { moment = nil }
    mutating func note(_ moment: Timestamp) { self.moment = max(self.moment ?? moment, moment) }

    /// Messages are gone.
    /// - Parameter unseen: the messages among them that were new.
    mutating func lose(_ ids: [MessageID], unseen: [MessageID]) {
        if missing.count + ids.count > KnownBefore.most { (missing, self.unseen) = ([], []) }
        missing.formUnion(ids)
        self.unseen.formUnion(unseen)
    }

    mutating func regain(_ id: MessageID) {
        missing.remove(id)
        unseen.remove(id)
    }
}
