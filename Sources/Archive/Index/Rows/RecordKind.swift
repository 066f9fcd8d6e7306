internal import Messages

/// The type of a record with some flags, as one small number. The flags avoid reading the file.
struct RecordKind: Equatable {
    let code: Int64

    static let text: Int64 = 0
    static let action: Int64 = 1
    static let system: Int64 = 2
    static let edit: Int64 = 4
    static let delete: Int64 = 5
    static let reaction: Int64 = 6
    private static let kinds: Int64 = 0x0F
    private static let loose = main | looseFlag
    /// A message of the main timeline, loose replies included.
    static let main: Int64 = 0x10
    static let attachments: Int64 = 0x20
    /// The record repeats the ID of an earlier one and has no effect.
    static let repeatedFlag: Int64 = 0x40
    /// A reply that belongs to the main timeline only because its root does not stand before it.
    static let looseFlag: Int64 = 0x80
    /// A message that its own record calls deleted.
    static let deleted: Int64 = 0x100
    /// A message about somebody's presence.
    static let presence: Int64 = 0x200

    init(code: Int64) { self.code = code }

    /// - Parameter isLoose: whether the record is a reply without a root before it (see `RootFinder`).
    init(_ head: RecordHead, _ fields: Fields, isLoose: Bool = false) {
        var code: Int64
        switch head.kind {
        case .edit: code = RecordKind.edit
        case .delete: code = RecordKind.delete
        case .reaction: code = RecordKind.reaction
        case .message:
            switch fields.text(RecordKey.kind).flatMap(Message.Kind.init(record:)) {
            case .action: code = RecordKind.action
            case .system: code = RecordKind.system
            default: code = RecordKind.text
            }
        }
        if head.isMain { code |= RecordKind.main }
        if head.isDeleted { code |= RecordKind.deleted }
        if head.isPresence { code |= RecordKind.presence }
        if fields.kind(RecordKey.attachments) == .array { code |= RecordKind.attachments }
        self.code = isLoose ? code | RecordKind.loose : code
    }

    /// The same kind marked as a repeat. A repeat is never a loose reply.
    var repeated: RecordKind {
        RecordKind(code: (isLoose ? code & ~RecordKind.loose : code) | RecordKind.repeatedFlag)
    }
    /// The same kind without the mark of a repeat.
    var unrepeated: RecordKind { RecordKind(code: code & ~RecordKind.repeatedFlag) }
    /// The same kind with or without the mark of a loose reply.
    func loose(_ isLoose: Bool) -> RecordKind {
        RecordKind(code: isLoose ? code | RecordKind.loose : code & ~RecordKind.loose)
    }
    var isRepeated: Bool { code & RecordKind.repeatedFlag != 0 }
    var isLoose: Bool { code & RecordKind.looseFlag != 0 }
    var isMessage: Bool { code & RecordKind.kinds < RecordKind.edit && !isRepeated }
    /// A reply in a thread that is not in the main timeline.
    var isHiddenReply: Bool { isMessage && code & RecordKind.main == 0 }
    var isMain: Bool { code & RecordKind.main != 0 && !isRepeated }
    var isTextChange: Bool {
        let kind = code & RecordKind.kinds
        return (kind == RecordKind.edit || kind == RecordKind.delete) && !isRepeated
    }
    var isEdit: Bool { code & (RecordKind.kinds | RecordKind.repeatedFlag) == RecordKind.edit }
    /// Whether it is a message; includes repeats.
    var isAnyMessage: Bool { code & RecordKind.kinds < RecordKind.edit }
    /// Whether it is an edit; includes repeats.
    var isAnyEdit: Bool { code & RecordKind.kinds == RecordKind.edit }
    /// Whether it is an edit or a deletion; includes repeats.
    var isAnyTextChange: Bool { isAnyEdit || code & RecordKind.kinds == RecordKind.delete }
    var isDeleted: Bool { code & RecordKind.deleted != 0 }
    var isPresence: Bool { code & RecordKind.presence != 0 }
    var hasAttachments: Bool { code & RecordKind.attachments != 0 }
}
