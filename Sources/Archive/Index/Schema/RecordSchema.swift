internal import SQLite
internal import Messages

/// The tables of the records.
///
/// A record of a message takes some 50 bytes and its ID 20 more. Three decisions make it fast: IDs and targets are kept
/// as hashes of 64 bits (whoever finds one looks into the file whether the ID is the same); their indexes are made
/// after the first million rows, sorted, not row by row (0.7 s instead of 3), and until then `ready` is 0; and counts
/// stand beside each segment, of its own records alone, so that a segment that comes before a million messages changes
/// none of their rows.
enum RecordSchema {
    /// An index of another version is made anew.
    static let version: Int64 = 6

    /// What the words of these records name them by; never 0.
    static func identity(_ database: Database) throws -> Int64 {
        try database.first(Int64.self, "SELECT identity FROM state") ?? 0
    }

    /// Whether all records are there, and are found by their IDs.
    static func isReady(_ database: Database) throws -> Bool {
        try database.first(Bool.self, "SELECT ready FROM state") ?? false
    }

    static func create(_ database: Database) throws {
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
