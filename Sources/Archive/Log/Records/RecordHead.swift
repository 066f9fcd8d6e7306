internal import Messages

/// As much of a record as counting and indexing need. The bytes are valid until the next line is read.
struct RecordHead {
    enum Kind {
        case message, edit, delete, reaction

        /// Whether it changes what a message says.
        var isTextChange: Bool { self == .edit || self == .delete }
    }

    let kind: Kind
    let id: UnsafeRawBufferPointer
    let at: Timestamp
    /// The message that it amends: the target, or for a thread reply the root; empty for none.
    let target: UnsafeRawBufferPointer
    /// Whether it is a message of the main timeline. A record itself says so of all but replies without a root before them
    /// (`RootFinder`): those are marked by whoever knows.
    var isMain: Bool

    var isMessage: Bool { kind == .message }
    /// Whether it stands in no other timeline than that of a thread, unless there is no root.
    var isReply: Bool { isMessage && !isMain }
    /// The root that a thread reply names.
    var root: MessageID { MessageID(String(decoding: target, as: UTF8.self)) }
}

extension RecordHead.Kind {
    init?(_ type: UnsafeRawBufferPointer) {
        if RecordHead.Kind.spells("message", type) {
            self = .message
        } else if RecordHead.Kind.spells("edit", type) {
            self = .edit
        } else if RecordHead.Kind.spells("delete", type) {
            self = .delete
        } else if RecordHead.Kind.spells("reaction", type) {
            self = .reaction
        } else {
            return nil
        }
    }

    private static func spells(_ name: StaticString, _ type: UnsafeRawBufferPointer) -> Bool {
        name.utf8CodeUnitCount == type.count
            && type.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: type.count))
    }
}
