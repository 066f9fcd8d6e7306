import Messages

/// The messages that were known before a log was rewritten: when they come in again, they are not new.
struct KnownBefore: Sendable {
    /// Messages that went out of the window and have not come back.
    private var missing: Set<MessageID> = []
    /// The messages among them that had not been seen.
    private var unseen: Set<MessageID> = []
    /// Messages that were sent until then were there before; nil while nothing was rewritten.
    private var moment: Timestamp?

    /// Messages of several windows: older ones hardly come back.
    private static let most = 4_096

    func contains(_ message: Message) -> Bool {
        missing.contains(message.id) || moment.map { message.at <= $0 } ?? false
    }

    func isUnseen(_ id: MessageID) -> Bool { unseen.contains(id) }
    mutating func note(_ moment: Timestamp) { self.moment = max(self.moment ?? moment, moment) }

    /// Messages have gone.
    /// - Parameter unseen: those of them that were new.
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
