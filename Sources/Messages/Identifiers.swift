/// An ID that is only compared, never parsed. Two IDs are equal when their bytes are: strings compare the two spellings
/// of "é" as equal, but they name two messages.
package struct OpaqueID<Kind>: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static func == (a: OpaqueID, b: OpaqueID) -> Bool { a.rawValue.utf8.elementsEqual(b.rawValue.utf8) }

    package func hash(into hasher: inout Hasher) {
        var text = rawValue
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// Names a message within its conversation.
package typealias MessageID = OpaqueID<Message>

/// Names a conversation within its store. Holds no "/", so that a link can be split at the first one.
package typealias ConversationID = OpaqueID<Conversation>

/// Names a person within a store.
package typealias PersonID = OpaqueID<Person>

/// Names a gap within its conversation, as it is seen from one of its sides.
package typealias GapID = OpaqueID<Gap>

/// CONVERSATION or CONVERSATION/MESSAGE-ID, as people paste it.
package struct Link: Hashable, Sendable, CustomStringConvertible {
    package let conversation: ConversationID
    package let message: MessageID?

    package init(conversation: ConversationID, message: MessageID?) {
        self.conversation = conversation
        self.message = message
    }

    /// Splits at the first "/": the ID of a conversation holds none, the ID of a message may.
    package init(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        conversation = ConversationID(String(parts[0]))
        message = parts.count > 1 && !parts[1].isEmpty ? MessageID(String(parts[1])) : nil
    }

    package var description: String {
        message.map { "\(conversation)/\($0)" } ?? conversation.rawValue
    }
}
