package import Dates

/// An ID that is only compared, never parsed. IDs are equal if their bytes are. (Strings consider the two spellings of "é" equal,
/// but they identify two messages.)
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

/// The things that have such IDs.
package enum Named {
    package enum Message {}
    package enum Conversation {}
    package enum Person {}
    package enum Gap {}
}

/// Identifies a message within its conversation.
package typealias MessageID = OpaqueID<Named.Message>

/// Identifies a conversation within its store. Contains no "/", so that a link can be split at the first one.
package typealias ConversationID = OpaqueID<Named.Conversation>

/// Identifies a person within a store.
package typealias PersonID = OpaqueID<Named.Person>

/// Identifies a gap within its conversation, as seen from one of its sides.
package typealias GapID = OpaqueID<Named.Gap>

/// A place between two messages of a conversation. Opaque: only the store that made it can read it.
package struct Cursor: Hashable, Sendable {
    package let token: String

    package init(token: String) { self.token = token }
}

/// CONVERSATION or CONVERSATION/MESSAGE-ID, as people paste it.
package struct Link: Hashable, Sendable, CustomStringConvertible {
    package let conversation: ConversationID
    package let message: MessageID?

    package init(conversation: ConversationID, message: MessageID?) {
        self.conversation = conversation
        self.message = message
    }

    /// Splits at the first "/": the ID of a conversation contains none, but the ID of a message may.
    package init(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        conversation = ConversationID(String(parts[0]))
        message = parts.count > 1 && !parts[1].isEmpty ? MessageID(String(parts[1])) : nil
    }

    package var description: String {
        message.map { "\(conversation)/\($0)" } ?? conversation.rawValue
    }
}

/// Unique IDs that sort by time of creation: 48 bits of milliseconds and 80 random bits, as 26 characters
/// (https://github.com/ulid/spec).
package enum ULID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A time before 1970 or after the year 10889 becomes the nearest time that an ID can contain.
    package static func make(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> String {
        let milliseconds = UInt64(min(max(0, time.milliseconds), (1 << 48) - 1))
        var digits = stride(from: 45, through: 0, by: -5).map { milliseconds >> UInt64($0) & 31 }
        for _ in 0..<16 { digits.append(generator.next(upperBound: UInt64(32))) }
        return String(decoding: digits.map { alphabet[Int($0)] }, as: UTF8.self)
    }
}
