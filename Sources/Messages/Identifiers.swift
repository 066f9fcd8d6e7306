/// Names a message within its conversation. Opaque: only compared, never parsed.
package struct MessageID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

/// Names a conversation within its store. Holds no "/", so that a link can be split at the first one.
package struct ConversationID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

/// Names a person within a store.
package struct PersonID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }
}

/// CONVERSATION or CONVERSATION/MESSAGE-ID, as people paste it.
package struct Link: Hashable, Sendable, CustomStringConvertible {
    package let conversation: ConversationID
    package let message: MessageID?

    package init(conversation: ConversationID, message: MessageID?) {
        self.conversation = conversation
        self.message = message
    }

    /// Splits at the first "/": a conversation's ID holds none, a message's may.
    package init(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        conversation = ConversationID(String(parts[0]))
        message = parts.count > 1 && !parts[1].isEmpty ? MessageID(String(parts[1])) : nil
    }

    package var description: String {
        message.map { "\(conversation)/\($0)" } ?? conversation.rawValue
    }
}
