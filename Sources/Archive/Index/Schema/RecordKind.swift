internal import Messages

/// What a record is, in one small number: the kind, and some answers that spare a look into the file.
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
    /// A message of the main timeline; loose replies are among them.
    static let main: Int64 = 0x10
    static let attachments: Int64 = 0x20
    /// It repeats the ID of an earlier record, and counts for nothing.
    static let repeatedFlag: Int64 = 0x40
    /// A reply that is of the main timeline only because its root is not before it.
    static let looseFlag: Int64 = 0x80

    init(code: Int64) { self.code = code }

    /// - Parameter isLoose: whether it is a reply without a root before it (`RootFinder`).
    init(_ head: RecordHead, _ fields: Fields, isLoose: Bool = false) {
        var code: Int64
        switch head.kind {
        case .edit: code = RecordKind.edit
        case .delete: code = RecordKind.delete
        case .reaction: code = RecordKind.reaction
        case .message:
            switch fields.text(RecordReader.Key.kind).flatMap(Message.Kind.init(record:)) {
            case .action: code = RecordKind.action
            case .system: code = RecordKind.system
            default: code = RecordKind.text
            }
        }
        if head.isMain { code |= RecordKind.main }
        if fields.kind(RecordReader.Key.attachments) == .array { code |= RecordKind.attachments }
        self.code = isLoose ? code | RecordKind.loose : code
    }

    /// The same for a repeat, which is no loose reply.
    var repeated: RecordKind {
        RecordKind(code: (isLoose ? code & ~RecordKind.loose : code) | RecordKind.repeatedFlag)
    }
    /// The same for a record that is no repeat.
    var unrepeated: RecordKind { RecordKind(code: code & ~RecordKind.repeatedFlag) }
    /// The same for a reply that is loose, or is not.
    func loose(_ isLoose: Bool) -> RecordKind {
        RecordKind(code: isLoose ? code | RecordKind.loose : code & ~RecordKind.loose)
    }
    var isRepeated: Bool { code & RecordKind.repeatedFlag != 0 }
    var isLoose: Bool { code & RecordKind.looseFlag != 0 }
    var isMessage: Bool { code & RecordKind.kinds < RecordKind.edit && !isRepeated }
    var isMain: Bool { code & RecordKind.main != 0 && !isRepeated }
    var isTextChange: Bool {
        let kind = code & RecordKind.kinds
        return (kind == RecordKind.edit || kind == RecordKind.delete) && !isRepeated
    }
    var isEdit: Bool { code & (RecordKind.kinds | RecordKind.repeatedFlag) == RecordKind.edit }
    /// Whether it is a message, repeats too.
    var isAnyMessage: Bool { code & RecordKind.kinds < RecordKind.edit }
    /// Whether it is an edit, repeats too.
    var isAnyEdit: Bool { code & RecordKind.kinds == RecordKind.edit }
    /// Whether it is an edit or a deletion, repeats too.
    var isAnyTextChange: Bool { isAnyEdit || code & RecordKind.kinds == RecordKind.delete }
    var hasAttachments: Bool { code & RecordKind.attachments != 0 }

    // The same in SQL.
    static let isMessageSQL = "kind & 0x4F < 4"
    static let isAnyMessageSQL = "kind & 0x0F < 4"
    static let isNoMessageSQL = "kind & 0x4F >= 4"
    static let isMainSQL = "kind & 0x50 = 0x10"
    static let isReplySQL = "kind & 0x5F < 4"
    static let isTextChangeSQL = "kind & 0x4F IN (4, 5)"
}
