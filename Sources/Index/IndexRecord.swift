/// The type of a record, with flags that save reading its line.
package struct RecordKind: Hashable, Sendable, BitwiseCopyable {
    package var code: UInt16

    package static let text: UInt16 = 0
    package static let action: UInt16 = 1
    package static let system: UInt16 = 2
    package static let edit: UInt16 = 4
    package static let delete: UInt16 = 5
    package static let reaction: UInt16 = 6
    private static let types: UInt16 = 0x0F
    /// A message of the main timeline; also a reply whose root does not stand before it.
    package static let main: UInt16 = 0x10
    package static let attachments: UInt16 = 0x20
    /// The record repeats the ID of an earlier one and has no effect.
    package static let repeated: UInt16 = 0x40
    /// A reply that belongs to the main timeline only because its root does not stand before it.
    package static let orphan: UInt16 = 0x80
    /// A message that its own record calls deleted.
    package static let deleted: UInt16 = 0x100
    /// A message about somebody's presence.
    package static let presence: UInt16 = 0x200
    /// The record has a target: the message that it changes, or the root of its thread.
    package static let target: UInt16 = 0x400
    /// The message replies to another one.
    package static let reply: UInt16 = 0x800

    package init(code: UInt16) { self.code = code }

    package func has(_ flag: UInt16) -> Bool { code & flag != 0 }
    /// Without flags.
    package var type: UInt16 { code & RecordKind.types }
    package var isRepeated: Bool { has(RecordKind.repeated) }
    /// True for a message, even one that repeats an ID.
    package var isAnyMessage: Bool { type < RecordKind.edit }
    package var isMessage: Bool { isAnyMessage && !isRepeated }
    package var isMain: Bool { has(RecordKind.main) && !isRepeated }
    package var isPresence: Bool { has(RecordKind.presence) && isMessage }
}

/// A record as the index stores it: 40 bytes, so that its place in a file follows from its number.
package struct IndexRecord: Hashable, Sendable, BitwiseCopyable {
    static let size = 40

    /// The hash of its ID.
    package var hash: UInt64
    /// The hash of its target; 0 if its kind has none.
    package var target: UInt64
    /// The time in milliseconds since 1970.
    package var at: Int64
    /// The offset of its line in the segment, in bytes (48 bits), and its kind (16 bits).
    private var packed: UInt64
    /// The bytes of the line, the line feed included.
    package var length: UInt32
    /// The number of a person; 0 for none.
    package var sender: UInt32

    package init(
        kind: RecordKind, hash: UInt64, target: UInt64 = 0, at: Int64, offset: Int64, length: UInt32, sender: UInt32 = 0
    ) {
        (self.hash, self.target, self.at, self.length, self.sender) = (hash, target, at, length, sender)
        packed = UInt64(truncatingIfNeeded: offset) << 16 | UInt64(kind.code)
    }

    package var offset: Int64 { Int64(packed >> 16) }

    package var kind: RecordKind {
        get { RecordKind(code: UInt16(truncatingIfNeeded: packed)) }
        set { packed = packed & ~0xFFFF | UInt64(newValue.code) }
    }
}

/// Counts of messages.
package struct RecordCounts: Hashable, Sendable {
    /// Messages of the main timeline.
    package var mains = 0
    /// All messages, thread replies included.
    package var messages = 0
    /// Messages about somebody's presence.
    package var presence = 0

    package init() {}

    mutating func add(_ kind: RecordKind, _ factor: Int = 1) {
        guard kind.isMessage else { return }
        messages += factor
        if kind.isMain { mains += factor }
        if kind.isPresence { presence += factor }
    }

    mutating func add(_ other: RecordCounts, _ factor: Int = 1) {
        mains += factor * other.mains
        messages += factor * other.messages
        presence += factor * other.presence
    }
}
