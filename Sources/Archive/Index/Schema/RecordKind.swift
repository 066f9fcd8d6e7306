internal import Index
internal import JSON
internal import Messages

extension RecordKind {
    /// The kind of a record. A reply counts as one whose root stands before it.
    init(_ head: RecordHead, _ fields: JSONFields) {
        var code: UInt16
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
            if !fields.bytes(RecordKey.replyTo).isEmpty { code |= RecordKind.reply }
        }
        if head.isMain { code |= RecordKind.main }
        if head.isDeleted { code |= RecordKind.deleted }
        if head.isPresence { code |= RecordKind.presence }
        if !head.target.isEmpty { code |= RecordKind.target }
        if fields.kind(RecordKey.attachments) == .array { code |= RecordKind.attachments }
        self.init(code: code)
    }

    /// The same kind marked as a repeat. A repeat is never an orphan.
    var asRepeat: RecordKind { RecordKind(code: (isOrphan ? asOrphan(false) : self).code | RecordKind.repeated) }
    /// The same kind without the mark of a repeat.
    var asFirst: RecordKind { RecordKind(code: code & ~RecordKind.repeated) }
    /// The same kind with or without the mark of a reply that has no root before it.
    func asOrphan(_ isOrphan: Bool) -> RecordKind {
        let bits = RecordKind.main | RecordKind.orphan
        return RecordKind(code: isOrphan ? code | bits : code & ~bits)
    }
    var isOrphan: Bool { has(RecordKind.orphan) }
    /// A reply in a thread that is not in the main timeline.
    var isHiddenReply: Bool { isMessage && !has(RecordKind.main) }
    /// True if it is an edit; includes repeats.
    var isAnyEdit: Bool { type == RecordKind.edit }
    var isEdit: Bool { isAnyEdit && !isRepeated }
    /// True if it is an edit or a deletion; includes repeats.
    var isAnyTextChange: Bool { isAnyEdit || type == RecordKind.delete }
    var isTextChange: Bool { isAnyTextChange && !isRepeated }
    var isDeleted: Bool { has(RecordKind.deleted) }
    var hasAttachments: Bool { has(RecordKind.attachments) }
}
