internal import JSON
internal import Messages

/// Parses and validates records. Scanning and decoding share the same checks, so that they agree on which lines are
/// invalid.
final class RecordReader {
    private let lines = JSONReader(
        names: "type id at from text replyTo thread broadcast kind attachments target emoji removed edited deleted "
            + "reactions by presence name transaction")
    private let attachments = JSONReader(names: "name path bytes")
    private let reactions = JSONReader(names: "emoji count people")
    /// Reads a list of strings within a value of another reader.
    private let strings = JSONReader(names: "")
    private var clock = FastClock()
    /// The longest text of messages and edits, in Unicode scalars; a longer one is cut. Callers that need no texts must not hold
    /// hundreds of long ones in memory.
    private(set) var longestText = Int.max

    /// - Parameter longestText: in Unicode scalars.
    init(longestText: Int = .max) { self.longestText = longestText }

    /// Frees the memory that a long line has needed.
    func trim() { lines.trim() }

    /// Cuts the texts of the messages and edits that are read during `read`.
    func cuttingTexts<Value>(to count: Int, _ read: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        let longest = longestText
        longestText = min(longest, count)
        defer { longestText = longest }
        return try read()
    }

    /// A record, or the error of the line; nil for an unknown type of record, which a later version may have written.
    typealias Reading = Result<(head: RecordHead, fields: JSONFields)?, LineFault>

    /// - Throws: `unavailable` if there is not enough memory; the line may still be valid.
    func read(_ line: LogLine) throws(StoreError) -> Reading {
        guard let content = line.content else { return .failure(.tooLong) }
        let fields: JSONFields
        do {
            fields = try lines.object(content.bytes, readable: content.readable)
        } catch {
            switch error {
            case .notJSON: return .failure(.notJSON)
            case .wrongKind: return .failure(.notObject)
            case .noMemory: throw .noMemory
            }
        }
        do throws(LineFault) {
            return .success(try head(fields).map { ($0, fields) })
        } catch {
            return .failure(error)
        }
    }

    private func head(_ fields: JSONFields) throws(LineFault) -> RecordHead? {
        guard fields.kind(RecordKey.type) != .absent else { throw .missing("type") }
        guard fields.kind(RecordKey.type) == .string else { throw .wrongType("type") }
        guard let kind = RecordHead.Kind(fields.bytes(RecordKey.type)) else { return nil }
        try require(RecordKey.id, "id", in: fields)
        let at = try time(fields)
        try check(fields, [.string, .nothing], RecordKey.from, "from")
        return kind == .message ? try messageHead(fields, at: at) : try amendmentHead(fields, kind: kind, at: at)
    }

    private func messageHead(_ fields: JSONFields, at: Timestamp) throws(LineFault) -> RecordHead {
        try check(fields, [.string, .nothing], RecordKey.text, "text")
        try check(fields, [.string, .nothing], RecordKey.replyTo, "replyTo")
        try check(fields, [.string, .nothing], RecordKey.thread, "thread")
        try check(fields, [.string, .nothing], RecordKey.kind, "kind")
        try check(fields, [.truth, .nothing], RecordKey.broadcast, "broadcast")
        try check(fields, [.array, .nothing], RecordKey.attachments, "attachments")
        try check(fields, [.truth, .nothing], RecordKey.edited, "edited")
        try check(fields, [.truth, .nothing], RecordKey.deleted, "deleted")
        try check(fields, [.array, .nothing], RecordKey.reactions, "reactions")
        try check(fields, [.string, .nothing], RecordKey.presence, "presence")
        let thread = threadBytes(fields)
        return RecordHead(
            kind: .message, id: fields.bytes(RecordKey.id), at: at, target: thread,
            isMain: thread.isEmpty || fields.kind(RecordKey.broadcast) == .yes,
            isDeleted: fields.kind(RecordKey.deleted) == .yes,
            isPresence: thread.isEmpty && RecordReader.presence(fields) != nil)
    }

    /// Nil for any message but a system line with a known change.
    private static func presence(_ fields: JSONFields) -> Presence.Change? {
        guard fields.kind(RecordKey.presence) == .string, fields.text(RecordKey.kind) == "system" else { return nil }
        return switch fields.text(RecordKey.presence) {
        case "join": .join
        case "leave": .leave
        case "nick": fields.text(RecordKey.name).map { .nick($0) }
        case "mode": .mode
        default: nil
        }
    }

    /// The root's ID. Empty for a message outside threads, and for one that names itself as root, as some exporters
    /// write roots.
    private func threadBytes(_ fields: JSONFields) -> UnsafeRawBufferPointer {
        let thread = fields.bytes(RecordKey.thread)
        return thread.elementsEqual(fields.bytes(RecordKey.id)) ? UnsafeRawBufferPointer(start: nil, count: 0) : thread
    }

    private func amendmentHead(_ fields: JSONFields, kind: RecordHead.Kind, at: Timestamp) throws(LineFault)
        -> RecordHead
    {
        try require(RecordKey.target, "target", in: fields)
        if kind == .edit {
            guard fields.kind(RecordKey.text) != .absent else { throw .missing("text") }
            try check(fields, .string, RecordKey.text, "text")
        }
        if kind == .reaction {
            try require(RecordKey.emoji, "emoji", in: fields)
            try check(fields, [.truth, .nothing], RecordKey.removed, "removed")
        }
        if kind == .delete { try check(fields, [.string, .nothing], RecordKey.by, "by") }
        return RecordHead(
            kind: kind, id: fields.bytes(RecordKey.id), at: at, target: fields.bytes(RecordKey.target), isMain: false)
    }

    /// Requires a string that is not empty.
    private func require(_ key: Int, _ name: String, in fields: JSONFields) throws(LineFault) {
        switch fields.kind(key) {
        case .string where !fields.bytes(key).isEmpty: return
        case .string, .absent, .null: throw .missing(name)
        default: throw .wrongType(name)
        }
    }

    private func check(_ fields: JSONFields, _ kinds: JSONFields.Kinds, _ key: Int, _ name: String) throws(LineFault) {
        guard kinds.allows(fields.kind(key)) else { throw .wrongType(name) }
    }

    private func time(_ fields: JSONFields) throws(LineFault) -> Timestamp {
        try require(RecordKey.at, "at", in: fields)
        guard let at = clock.timestamp(fields.bytes(RecordKey.at)) else { throw .badTime }
        return at
    }
}

extension RecordReader {
    /// - Throws: `unavailable` if there is not enough memory.
    func message(
        _ head: RecordHead, _ fields: JSONFields, at place: LinePlace
    ) throws(StoreError) -> StoredMessage {
        StoredMessage(
            id: head.messageID, at: head.at,
            sender: fields.text(RecordKey.from).map { PersonID($0) },
            kind: fields.text(RecordKey.kind).flatMap(Message.Kind.init(record:)) ?? .text,
            presence: head.isPresence
                ? RecordReader.presence(fields).map { Presence($0, stretch: place.presenceStretch) } : nil,
            text: head.isDeleted ? "" : text(fields),
            replyTo: fields.text(RecordKey.replyTo).map { MessageID($0) },
            thread: head.target.isEmpty ? nil : MessageID(String(decoding: head.target, as: UTF8.self)),
            isBroadcast: fields.kind(RecordKey.broadcast) == .yes || (head.isMain && !head.target.isEmpty),
            attachments: head.isDeleted ? [] : try attachments(fields), isEdited: fields.kind(RecordKey.edited) == .yes,
            isDeleted: head.isDeleted, reactions: head.isDeleted ? [] : try reactions(fields),
            transaction: fields.text(RecordKey.transaction).map { MessageID($0) }, place: place)
    }

    private func text(_ fields: JSONFields) -> String {
        guard longestText < .max, fields.kind(RecordKey.text) == .string else {
            return fields.text(RecordKey.text) ?? ""
        }
        // A scalar has four bytes at most.
        let bytes = fields.bytes(RecordKey.text).prefix(longestText * 4)
        return String(decoding: bytes, as: UTF8.self).beginning(longestText)
    }

    /// Returns nil for a message outside threads.
    func amendment(_ head: RecordHead, _ fields: JSONFields, at place: LinePlace) -> Amendment? {
        guard !head.target.isEmpty else { return nil }
        let action: Amendment.Action =
            switch head.kind {
            case .message: .replies(1, last: head.at)
            case .edit: .edit(text(fields))
            case .delete: .delete(isModeration: fields.text(RecordKey.by) == "mod")
            case .reaction:
                .react(fields.text(RecordKey.emoji) ?? "", isRemoved: fields.kind(RecordKey.removed) == .yes)
            }
        return Amendment(
            target: MessageID(String(decoding: head.target, as: UTF8.self)),
            sender: fields.text(RecordKey.from).map { PersonID($0) }, action: action, place: place,
            isBlank: head.kind == .edit && fields.bytes(RecordKey.text).allSatisfy { $0 <= 0x20 })
    }

    /// Returns nil unless the record amends one of these messages and is after it.
    func amendment(
        _ head: RecordHead, _ fields: JSONFields, at place: LinePlace, of messages: [IDHash: [StoredMessage]]
    ) -> Amendment? {
        guard !head.target.isEmpty, let messages = messages[IDHash(head.target)],
            let amendment = amendment(head, fields, at: place),
            messages.contains(where: { $0.id == amendment.target && $0.place < place })
        else { return nil }
        return amendment
    }

    /// The attachments that have a name or a path; none if the list is invalid.
    /// - Throws: `unavailable` if there is not enough memory.
    private func attachments(_ fields: JSONFields) throws(StoreError) -> [Attachment] {
        guard fields.kind(RecordKey.attachments) == .array else { return [] }
        var list: [Attachment] = []
        do {
            try attachments.array(fields.bytes(RecordKey.attachments)) { values in
                let path = values.text(1)
                if let name = values.text(0) ?? path {
                    list.append(
                        Attachment(name: name, path: path, size: values.integer(2).flatMap { $0 < 0 ? nil : $0 }))
                }
                return true
            }
        } catch {
            if error == .noMemory { throw .noMemory }
        }
        return list
    }
}

extension RecordReader {
    /// More people than this do not react to a message; the count of an export may be anything.
    private static let mostPeople: Int64 = 1 << 40

    /// The reactions that have an emoji and a person; none if the list is invalid.
    /// - Throws: `unavailable` if there is not enough memory.
    private func reactions(_ fields: JSONFields) throws(StoreError) -> [CountedReaction] {
        guard fields.kind(RecordKey.reactions) == .array else { return [] }
        var list: [CountedReaction] = []
        var hasMemory = true
        do throws(JSONReader.Failure) {
            try reactions.array(fields.bytes(RecordKey.reactions)) { values in
                guard let emoji = values.text(0) else { return true }
                do throws(JSONReader.Failure) {
                    let people = try people(values)
                    let count = min(max(0, values.integer(1) ?? 0), RecordReader.mostPeople)
                    let reaction = CountedReaction(emoji: emoji, people: people, count: Int(count))
                    if reaction.count > 0 { list.append(reaction) }
                } catch {
                    hasMemory = error != .noMemory
                }
                return hasMemory
            }
        } catch {
            hasMemory = hasMemory && error != .noMemory
        }
        guard hasMemory else { throw .noMemory }
        return list
    }

    /// The people of a reaction, each once.
    private func people(_ reaction: JSONFields) throws(JSONReader.Failure) -> [PersonID] {
        guard reaction.kind(2) == .array else { return [] }
        var known: Set<PersonID> = []
        return try strings.strings(reaction.bytes(2)).filter { !$0.isEmpty }.map { PersonID($0) }
            .filter { known.insert($0).inserted }
    }
}

extension Message.Kind {
    /// The kind by its name in a record. An unknown kind is displayed as plain text.
    init?(record kind: String) {
        switch kind {
        case "action": self = .action
        case "system": self = .system
        default: return nil
        }
    }
}

/// The parts of a record that counting and indexing need. The bytes are valid until the next line is read.
struct RecordHead {
    enum Kind {
        case message, edit, delete, reaction

        /// True if a record of this kind changes the text of a message.
        var isTextChange: Bool { self == .edit || self == .delete }
    }

    let kind: Kind
    let id: UnsafeRawBufferPointer
    let at: Timestamp
    /// The ID of the message that the record refers to: the target of an amendment, or the root of a thread reply;
    /// empty if there is none.
    let target: UnsafeRawBufferPointer
    /// True for a message of the main timeline. The record alone does not decide this for replies without a root before them (see
    /// `RootFinder`); for those it is set later.
    var isMain: Bool
    /// True for a message that calls itself deleted.
    var isDeleted = false
    /// True for a message about somebody's presence.
    var isPresence = false

    var isMessage: Bool { kind == .message }
    /// True if the message appears only in a thread, unless its root is missing.
    var isReply: Bool { isMessage && !isMain }
    var messageID: MessageID { MessageID(String(decoding: id, as: UTF8.self)) }
    /// The root that a thread reply names.
    var root: MessageID { MessageID(String(decoding: target, as: UTF8.self)) }
}

extension RecordHead {
    /// The text whose words searches find: none if the record calls itself deleted.
    func indexedText(_ fields: JSONFields) -> UnsafeRawBufferPointer {
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

/// The places of a record's fields among those that `RecordReader` reads.
enum RecordKey {
    static let type = 0, id = 1, at = 2, from = 3, text = 4, replyTo = 5, thread = 6, broadcast = 7, kind = 8
    static let attachments = 9, target = 10, emoji = 11, removed = 12, edited = 13, deleted = 14
    static let reactions = 15, by = 16, presence = 17, name = 18, transaction = 19
}

/// The reason why a line is skipped.
enum LineFault: Error, Equatable {
    case notJSON
    case notObject
    case tooLong
    case missing(String)
    case wrongType(String)
    case badTime
    case repeated(MessageID)

    /// The problem as the index keeps it, without the place of the line.
    var text: String { "\(reason); the line is skipped" }

    /// The reason in words for the user.
    var reason: String {
        switch self {
        case .notJSON: "not valid JSON"
        case .notObject: "not a JSON object"
        case .tooLong: "longer than \(LineScanner.longestLine >> 20) MiB"
        case .missing(let key): "no \"\(key)\""
        case .wrongType(let key): "\"\(key)\" has a value of the wrong type"
        case .badTime: "\"at\" is not a time such as 2025-03-01T09:12:33Z"
        case .repeated(let id): "repeats the ID \"\(printable(id.rawValue))\""
        }
    }
}

/// The number of messages in a conversation, thread replies included, and the times of the first and the last one.
struct Totals: Equatable {
    private(set) var messages: Int
    /// The number of presence lines among the messages.
    private(set) var presence: Int
    /// The time of the first message in the order of the log.
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?

    /// - Parameters:
    ///   - first: the time of the first message in milliseconds, as of `last`.
    init(messages: Int = 0, presence: Int = 0, first: Int64? = nil, last: Int64? = nil) {
        (self.messages, self.presence) = (messages, presence)
        self.first = first.map { Timestamp(milliseconds: $0) }
        self.last = last.map { Timestamp(milliseconds: $0) }
    }

    /// Counts a message that comes after all others.
    mutating func add(_ head: RecordHead) {
        messages += 1
        if head.isPresence { presence += 1 }
        first = first ?? head.at
        last = head.at
    }
}
