internal import SQLite
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
    var isRewrite: Bool {
        let kind = code & RecordKind.kinds
        return (kind == RecordKind.edit || kind == RecordKind.delete) && !isRepeated
    }
    var isEdit: Bool { code & (RecordKind.kinds | RecordKind.repeatedFlag) == RecordKind.edit }
    /// Whether it is a message, repeats too.
    var isAnyMessage: Bool { code & RecordKind.kinds < RecordKind.edit }
    /// Whether it is an edit, repeats too.
    var isAnyEdit: Bool { code & RecordKind.kinds == RecordKind.edit }
    /// Whether it is an edit or a deletion, repeats too.
    var isAnyRewrite: Bool { isAnyEdit || code & RecordKind.kinds == RecordKind.delete }
    var hasAttachments: Bool { code & RecordKind.attachments != 0 }

    // The same in SQL.
    static let isMessageSQL = "kind & 0x4F < 4"
    static let isAnyMessageSQL = "kind & 0x0F < 4"
    static let isNoMessageSQL = "kind & 0x4F >= 4"
    static let isMainSQL = "kind & 0x50 = 0x10"
    static let isReplySQL = "kind & 0x5F < 4"
    static let isRewriteSQL = "kind & 0x4F IN (4, 5)"
}

/// The tables of the records.
///
/// A record of a message takes some 50 bytes and its ID 20 more. Three decisions make it fast: IDs and targets are kept
/// as hashes of 64 bits (whoever finds one looks into the file whether the ID is the same); their indexes are made
/// after the first million rows, sorted, not row by row (0.7 s instead of 3), and until then `ready` is 0; and counts
/// stand beside each segment, of its own records alone, so that a segment that comes before a million messages changes
/// none of their rows.
enum RecordSchema {
    static func database(in folder: IndexFolder) -> IndexDatabase {
        IndexDatabase(path: folder.records, version: 6, create: create)
    }

    /// What the words of these records name them by; never 0.
    static func identity(_ database: Database) throws -> Int64 {
        try database.first(Int64.self, "SELECT identity FROM state") ?? 0
    }

    /// Whether all records are there, and are found by their IDs.
    static func isReady(_ database: Database) throws -> Bool {
        try database.first(Bool.self, "SELECT ready FROM state") ?? false
    }

    private static func create(_ database: Database) throws {
        try database.runAll(
            """
            -- identity: of this very file, by which words are known to be of these records.
            CREATE TABLE state(
              conversations INTEGER NOT NULL, ready INTEGER NOT NULL, identity INTEGER NOT NULL);
            INSERT INTO state VALUES (0, 0, random() | 1);
            CREATE TABLE conversation(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
            -- number: rises in the order of the log, and stays when other segments come and go. next: the sequence of its
            -- next record. mains to problems: of its own records alone.
            CREATE TABLE segment(
              conversation INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
              seen INTEGER NOT NULL, inode INTEGER NOT NULL, seconds INTEGER NOT NULL, nanoseconds INTEGER NOT NULL,
              lines INTEGER NOT NULL, tail INTEGER NOT NULL, next INTEGER NOT NULL, mains INTEGER NOT NULL,
              messages INTEGER NOT NULL, peak INTEGER NOT NULL, first INTEGER, last INTEGER,
              problems INTEGER NOT NULL, PRIMARY KEY(conversation, number)) WITHOUT ROWID;
            -- Numbers of segments that are gone: whichever segment gets such a number goes on with its sequence.
            CREATE TABLE retired(
              conversation INTEGER NOT NULL, number INTEGER NOT NULL, next INTEGER NOT NULL,
              PRIMARY KEY(conversation, number)) WITHOUT ROWID;
            CREATE TABLE person(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
            -- The segment is part of the row (RecordRow). main: messages of the main timeline before it in its segment.
            -- peak: the latest time of such a message of the segment up to and with it, null when it is its own time.
            -- target: the record that it edits, deletes or reacts to, or the root of its thread. reply: the message that it
            -- replies to.
            CREATE TABLE record(
              row INTEGER PRIMARY KEY, kind INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
              at INTEGER NOT NULL, peak INTEGER, sender INTEGER, main INTEGER NOT NULL, hash INTEGER NOT NULL,
              target INTEGER, reply INTEGER);
            -- Messages that say something else since edits or deletions of theirs are gone with their files: their words
            -- have to be made again.
            CREATE TABLE stale(number INTEGER PRIMARY KEY AUTOINCREMENT, row INTEGER NOT NULL);
            CREATE TABLE problem(
              conversation INTEGER NOT NULL, segment INTEGER NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL);
            """)
    }

    /// Made when the first rows are all there.
    static func createIndexes(_ database: Database) throws {
        try database.runAll(
            """
            CREATE INDEX IF NOT EXISTS record_hash ON record(hash);
            -- Apart, so that a message of which nothing but a hundred thousand replies is known is shown at once, and
            -- that they are counted without a look at them.
            CREATE INDEX IF NOT EXISTS record_target ON record(target)
              WHERE target IS NOT NULL AND \(RecordKind.isNoMessageSQL);
            CREATE INDEX IF NOT EXISTS record_thread ON record(target)
              WHERE target IS NOT NULL AND \(RecordKind.isMessageSQL);
            -- Of the few repeats.
            CREATE INDEX IF NOT EXISTS record_repeat ON record(row) WHERE kind & 64;
            """)
    }
}
