internal import Messages

/// The parts of a record that counting and indexing need. The bytes are valid until the next line is read.
struct RecordHead {
    enum Kind {
        case message, edit, delete, reaction

        /// Whether it changes the text of a message.
        var isTextChange: Bool { self == .edit || self == .delete }
    }

    let kind: Kind
    let id: UnsafeRawBufferPointer
    let at: Timestamp
    /// The ID of the message that the record refers to: the target of an amendment, or the root of a thread reply;
    /// empty if there is none.
    let target: UnsafeRawBufferPointer
    /// Whether it is a message of the main timeline. The record alone does not determine this for replies without a
    /// root before them (see `RootFinder`); for those, the reader that knows sets it.
    var isMain: Bool
    /// Whether it is a message that it calls deleted itself.
    var isDeleted = false
    /// Whether it is a message about somebody's presence.
    var isPresence = false

    var isMessage: Bool { kind == .message }
    /// Whether the message appears only in a thread, unless its root is missing.
    var isReply: Bool { isMessage && !isMain }
    var messageID: MessageID { MessageID(String(decoding: id, as: UTF8.self)) }
    /// The root that a thread reply names.
    var root: MessageID { MessageID(String(decoding: target, as: UTF8.self)) }
}

extension RecordHead {
    /// The text whose words searches find: none if the record calls itself deleted.
    func indexedText(_ fields: Fields) -> UnsafeRawBufferPointer {
        isDeleted ? UnsafeRawBufferPointer(start: nil, count: 0) : fields.bytes(RecordKey.text)
    }
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
