internal import Messages

/// A sequence of messages that is read as a whole: the main timeline of a conversation, or the replies in one thread.
enum TimelineID: Hashable {
    case main
    case thread(MessageID)

    var root: MessageID? {
        if case .thread(let root) = self { root } else { nil }
    }

    func holds(_ head: RecordHead) -> Bool {
        guard let root else { return head.isMain }
        return head.isMessage && head.target.elementsEqual(root.rawValue.utf8)
    }

    func holds(_ message: StoredMessage) -> Bool { root.map { message.thread == $0 } ?? message.isMain }
}
