import Messages

/// Changes of the store after a list was shown that are not on the screen yet.
struct LateChanges: Sendable {
    /// Changes from the first moments after a list was shown. They are applied as one update.
    var waiting: [StoreChange] = []
    /// The ticket of the pause after the last of them.
    var quiet: PaneTicket?
    /// The ticket of the pause that covers the first moments; nil when it is over.
    var settling: PaneTicket?
    /// Messages in their newest form, while pages are on their way that may have been read before the change.
    private(set) var newest: [MessageID: Message] = [:]
    /// New messages among them, in order.
    private(set) var arrived: [Message] = []

    /// Whether messages have come into a gap that a page on its way may still report.
    private(set) var hasFilled = false

    /// Whether the list must be read again: messages may have changed while it was on its way.
    var mustReload = false
    /// Whether the place of the window must be asked for again: the known one may count changes that still wait.
    var mustLocate = false
    /// The ticket of the pause after which the number of messages is asked for; nil when the number is known.
    var counting: PaneTicket?

    mutating func remember(_ change: StoreChange) {
        switch change {
        case .updated(let message): newest[message.id] = message
        case .arrived(let message):
            newest[message.id] = message
            arrived.append(message)
        case .filled: hasFilled = true
        case .indexed, .replaced, .typing, .readers, .passedOver, .gap, .reach, .inOwnThreads: break
        }
    }

    /// The messages of a page in their newest form.
    func overrule(_ messages: [Message]) -> [Message] {
        newest.isEmpty ? messages : messages.map { newest[$0.id] ?? $0 }
    }

    mutating func forget() {
        newest = [:]
        arrived = []
        hasFilled = false
    }
}
