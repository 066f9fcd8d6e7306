import Messages

/// Changes in the store since a list was shown, as far as they are not on the screen yet.
struct LateChanges: Sendable {
    /// Told in the first moments after a list was shown: they come into it as one update.
    var waiting: [StoreChange] = []
    /// Names the pause after the last of them.
    var quiet: PaneTicket?
    /// Names the first moments; nil when they are over.
    var settling: PaneTicket?
    /// Messages as they are now, while pages are on their way that may have been read before.
    private(set) var newest: [MessageID: Message] = [:]
    /// Those of them that came in after the newest one there was, in order.
    private(set) var arrived: [Message] = []

    /// Whether the messages may be others than they were while a list was on its way, which may have been read before.
    var mustReload = false
    /// Whether a place of the window has come in that may count the changes that still wait.
    var mustLocate = false
    /// Names the pause after which it is asked how many messages there are; nil when that is known.
    var counting: PaneTicket?

    mutating func remember(_ change: StoreChange) {
        switch change {
        case .updated(let message): newest[message.id] = message
        case .arrived(let message):
            newest[message.id] = message
            arrived.append(message)
        case .indexed, .replaced, .typing, .passedOver: break
        }
    }

    /// The messages of a page, none in a form that has been overruled since.
    func overrule(_ messages: [Message]) -> [Message] {
        newest.isEmpty ? messages : messages.map { newest[$0.id] ?? $0 }
    }

    mutating func forget() {
        newest = [:]
        arrived = []
    }
}
