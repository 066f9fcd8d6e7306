import Messages

/// The root of a thread, which stands above its replies.
struct ThreadRoot: Sendable {
    let message: Message
    /// It is laid out for each frame, so it holds no more text than fits on any screen.
    let entry: Entry

    /// The characters of the root that are looked at: enough for a third of a large screen.
    fileprivate static let longestText = 4_000

    init(_ message: Message, zone: Zone) {
        (self.message, entry) = (message, Entry(root: message.asRoot, zone: zone))
    }

    /// The same message with new content, in the same place.
    init(_ message: Message, replacing old: ThreadRoot) {
        (self.message, entry) = (message, Entry(message.asRoot, replacing: old.entry))
    }
}

extension Message {
    /// The message as it stands above its replies: without their number, and with no more text than fits on any screen.
    fileprivate var asRoot: Message {
        var root = self
        root.replyCount = 0
        root.text = text.beginning(ThreadRoot.longestText)
        return root
    }
}
