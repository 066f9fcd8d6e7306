internal import SQLite
internal import Messages

/// The tables of the records.
///
/// The record of a message takes 64 bytes, and its ID some 20 more. Three decisions make the database fast. Records and
/// the hashes of their IDs stand in blobs of the size of a page (`RecordTable`), since SQLite takes as long to store a
/// blob as to store a row. IDs and targets are stored as 64-bit hashes; a lookup compares the ID itself in the file. The
/// look-ups are made after all initial records, sorted instead of record by record; until then `ready` is 0. Counts are
/// stored for each segment separately, so that a new segment before a million messages changes none of their records.
enum RecordSchema {
    /// A database of another version is replaced.
    static let version: Int64 = 15

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
            -- folder: stamps and a text (IndexedFolder).
            CREATE TABLE conversation(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, folder BLOB);
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
            \(RecordTable.createSQL)
            -- Messages whose words are outdated, because edits or deletions were removed with their files, or because
            -- other records count as repeats now.
            CREATE TABLE stale(number INTEGER PRIMARY KEY AUTOINCREMENT, row INTEGER NOT NULL);
            -- Records of which nothing speaks (QuietRows).
            CREATE TABLE quiet(word INTEGER PRIMARY KEY, bits INTEGER NOT NULL);
            CREATE TABLE problem(
              conversation INTEGER NOT NULL, segment INTEGER NOT NULL, line INTEGER NOT NULL, text TEXT NOT NULL);
            """)
    }
}
