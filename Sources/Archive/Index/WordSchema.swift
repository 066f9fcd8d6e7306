internal import SQLite
internal import Search

/// The tables of the words.
///
/// FTS5 without content: the texts stand in the archive. Such a table cannot delete (SQLite 3.40), so that each version of
/// a text has a row of its own, and `changed` says which one counts; what no record speaks of any more is garbage.
/// The row of a text is the row of its message and the number of the version, so that the order of rows is the order of
/// the log: the newest hits of a word of a million messages are there in 0.3 ms.
///
/// What made it fast, on a million lines of IRC: no `columnsize` (nothing here is ranked), and no merging on the way. FTS5
/// writes whenever it has a mebibyte of words in memory: with four it takes a tenth less time, and 4 MB more. Indexes of
/// prefixes would take as long again.
enum WordSchema {
    static let versionBits: Int64 = 6
    /// More versions of one text than this make the words anew.
    static let lastVersion = (1 << versionBits) - 1

    /// What `changed` says of a message that is deleted: no version of its text is the current one, this was the last.
    static func deleted(after version: Int64) -> Int64 { -version - 1 }

    /// The last version of a text, whether it is deleted or not.
    static func last(_ version: Int64) -> Int64 { version < 0 ? -version - 1 : version }

    static func database(in folder: IndexFolder) -> IndexDatabase {
        IndexDatabase(path: folder.words, version: 3, create: create)
    }

    /// Makes words those of some records.
    /// - Returns: false when they are of others, which they name by the same numbers.
    static func adopt(_ records: Int64, _ database: Database) throws -> Bool {
        try database.run("UPDATE state SET records = ?1 WHERE records IN (0, ?1)", records)
        return database.changes == 1
    }

    /// Whether words are of some records.
    static func are(of records: Int64, _ database: Database) throws -> Bool {
        try database.first(Int64.self, "SELECT records FROM state") == records
    }

    private static func create(_ database: Database) throws {
        try database.runAll(
            """
            CREATE VIRTUAL TABLE words USING fts5(text, content = '', columnsize = 0, tokenize = 'ascii');
            INSERT INTO words(words, rank) VALUES ('hashsize', 1048576);
            INSERT INTO words(words, rank) VALUES ('automerge', 0);
            INSERT INTO words(words, rank) VALUES ('crisismerge', 64);
            -- Up to which rows of records all messages, and all edits and deletions, are in.
            CREATE TABLE done(
              conversation INTEGER PRIMARY KEY, messages INTEGER NOT NULL, rewrites INTEGER NOT NULL);
            CREATE TABLE changed(row INTEGER PRIMARY KEY, version INTEGER NOT NULL);
            -- stale: up to which number of the records' table of that name the words are made again.
            -- records: the identity of the records that they are of, 0 before there are any.
            CREATE TABLE state(texts INTEGER NOT NULL, stale INTEGER NOT NULL, records INTEGER NOT NULL);
            INSERT INTO state VALUES (0, 0, 0);
            """)
    }
}

/// A text as its words, as FTS5 is given it: each folded, with blanks between them. FTS5's tokenizer `ascii` takes them
/// apart again at the blanks and nowhere else, so that Kedge's tokenizer is the only one.
struct WordText {
    /// FTS5 cuts words off at 32 KiB; longer ones than this are cut here, so that nothing else is taken for them.
    static let longestWord = 1_024

    private(set) var bytes: [UInt8] = []

    mutating func set(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.removeAll(keepingCapacity: true)
        var tokenizer = Tokenizer(text)
        while tokenizer.next() {
            WordText.append(tokenizer.folded, to: &bytes)
            bytes.append(0x20)
        }
    }

    /// A word as it stands in the index.
    static func stored(_ word: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        append(word, to: &bytes)
        return bytes
    }

    /// Appends a word with nothing in it that separates words in FTS5: what is ASCII and no letter or digit (the folded form
    /// of ⒈ has a point) is written as a character for private use.
    static func append(_ word: [UInt8], to bytes: inout [UInt8]) {
        for byte in word.prefix(longestWord) {
            let isPlain = byte >= 0x80 || (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
            if isPlain { bytes.append(byte) } else { bytes += [0xEE, 0x80 + byte >> 6, 0x80 + byte & 0x3F] }
        }
        if word.count > longestWord { bytes += [0xEE, 0x83, 0xBF] }
    }
}
