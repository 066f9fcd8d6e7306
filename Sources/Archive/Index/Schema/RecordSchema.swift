internal import SQLite
internal import Messages

/// The tables of the records.
///
/// The record of a message takes some 50 bytes, and its ID 20 more. Three decisions make the database fast. IDs and
/// targets are stored as 64-bit hashes; a lookup compares the ID itself in the file. Their SQL indexes are created
/// after the first million rows, sorted instead of row by row (0.7 s instead of 3 s); until then `ready` is 0. Counts
/// are stored for each segment separately, so that a new segment before a million messages changes none of their rows.
enum RecordSchema {
    /// A database of another version is replaced.
    static let version: Int64 = 10

    /// The number by which the word index refers to these records; never 0.
    static func identity(_ database: Database) throws -> Int64 {
        try database.first(Int64.self, "SELECT identity FROM state") ?? 0
    }

    /// Whether all records are present and can be looked up by ID.
    static func isReady(_ database: Database) throws -> Bool {
        try database.first(Bool.self, "SELECT ready FROM state") ?? false
    }

    static func create(_ database: Database) throws {
        try database.runAll(
            """
            -- identity: a random number, by which the word index refers to the records of this file.
            CREATE TABLE state(
              conversations INTEGER NOT NULL, ready INTEGER NOT NULL, identity INTEGER NOT NULL);
            INSERT INTO state VALUES (0, 0, random() | 1);
            CREATE TABLE conversation(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
            -- number: rises in the order of the log; a segment keeps it when others are added or removed. next: the
            -- sequence number of its next record. mains to presence: the counts of its own records.
            CREATE TABLE segment(
              conversation INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
              seen INTEGER NOT NULL, inode INTEGER NOT NULL, seconds INTEGER NOT NULL, nanoseconds INTEGER NOT NULL,
              lines INTEGER NOT NULL, tail INTEGER NOT NULL, next INTEGER NOT NULL, mains INTEGER NOT NULL,
              messages INTEGER NOT NULL, peak INTEGER NOT NULL, first INTEGER, last INTEGER,
              problems INTEGER NOT NULL, presence INTEGER NOT NULL, PRIMARY KEY(conversation, number)) WITHOUT ROWID;
            -- The numbers of removed segments. A new segment with such a number continues its sequence.
            CREATE TABLE retired(
              conversation INTEGER NOT NULL, number INTEGER NOT NULL, next INTEGER NOT NULL,
              PRIMARY KEY(conversation, number)) WITHOUT ROWID;
            CREATE TABLE person(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
            -- row: contains the segment (RecordRow). main: how many messages of the main timeline stand before the record
            -- in its segment. peak: the latest time of these messages and the record itself; null if it is the record's own
            -- time. target: the hash of the message that the record edits, deletes or reacts to, or of the root of its
            -- thread. reply: the hash of the message that it replies to.
            CREATE TABLE record(
              row INTEGER PRIMARY KEY, kind INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL,
              at INTEGER NOT NULL, peak INTEGER, sender INTEGER, main INTEGER NOT NULL, hash INTEGER NOT NULL,
              target INTEGER, reply INTEGER);
            -- Messages whose words are outdated, because edits or deletions were removed with their files, or because
            -- other records count as repeats now.
            CREATE TABLE stale(number INTEGER PRIMARY KEY AUTOINCREMENT, row INTEGER NOT NULL);
            -- Records of which nothing speaks (QuietRows).
            CREATE TABLE quiet(word INTEGER PRIMARY KEY, bits INTEGER NOT NULL);
            CREATE TABLE problem(
              conversation INTEGER NOT NULL, segment INTEGER NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL);
            """)
    }

    /// Creates the indexes after all initial rows are present.
    static func createIndexes(_ database: Database) throws {
        try database.runAll(
            """
            CREATE INDEX IF NOT EXISTS record_hash ON record(hash);
            -- Two indexes, so that a message with a hundred thousand replies is shown at once, and its replies are
            -- counted without reading their records.
            CREATE INDEX IF NOT EXISTS record_target ON record(target)
              WHERE target IS NOT NULL AND \(RecordKind.isNoMessageSQL);
            CREATE INDEX IF NOT EXISTS record_thread ON record(target)
              WHERE target IS NOT NULL AND \(RecordKind.isMessageSQL);
            -- Contains only the few repeats.
            CREATE INDEX IF NOT EXISTS record_repeat ON record(row) WHERE kind & 64;
            """)
    }
}
