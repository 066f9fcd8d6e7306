internal import Index
internal import Messages

/// The tables of entries in the index. Numbers in keys are big-endian, so that entries stand in the order of the log.
enum IndexTable: UInt8 {
    /// No key: `IndexState`.
    case state = 1
    /// ID: number of the conversation (8 bytes), `IndexedFolder`.
    case conversations
    /// Number: ID.
    case conversationIDs
    /// Conversation, segment: `IndexedSegment`.
    case segments
    /// Conversation, segment: the next sequence number. For removed segments: a new segment with this number continues
    /// from there.
    case retired
    /// ID: number (8 bytes).
    case people
    /// Number: ID.
    case peopleIDs
    /// Conversation, row: nothing. For records that repeat an ID.
    case repeats
    /// Conversation, segment, line: the reason why the line is skipped.
    case problems
    /// Number: row. For messages whose words are outdated, because edits or deletions were removed with their files, or because
    /// other records count as repeats now.
    case stale

    /// The key of some numbers.
    static func key(_ numbers: Int64...) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }
}

extension IndexSnapshot {
    func value(of key: [UInt8], in table: IndexTable) throws(IndexFault) -> [UInt8]? {
        try value(of: key, in: table.rawValue)
    }

    func forEachEntry(
        of table: IndexTable, startingWith prefix: [UInt8] = [],
        _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws(IndexFault) -> Bool
    ) throws(IndexFault) {
        try forEachEntry(of: table.rawValue, startingWith: prefix, body)
    }

    /// The state of the whole index; nil if another version of Kedge has written it.
    func state() throws(IndexFault) -> IndexState? { try value(of: [], in: .state).flatMap { IndexState($0) } }

    /// The ID of a person; nil if there is none with this number.
    func personID(_ number: UInt32) throws(IndexFault) -> String? {
        try value(of: IndexTable.key(Int64(number)), in: .peopleIDs).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The rows of a conversation's records that repeat an ID, rising.
    func repeats(in rows: Range<Int64>) throws(IndexFault) -> [Int64] {
        var found: [Int64] = []
        let conversation = RecordRow(rows.lowerBound).conversation
        try forEachEntry(of: .repeats, startingWith: IndexTable.key(conversation)) { key, _ in
            var reader = ByteReader(key)
            _ = reader.key()
            let row = reader.key()
            if rows.contains(row) { found.append(row) }
            return row < rows.upperBound
        }
        return found
    }

    /// The rows of the messages whose words are outdated.
    /// - Parameter number: that of the last entry whose message is not any more.
    func stale(after number: Int64) throws(IndexFault) -> Set<Int64> {
        var rows: Set<Int64> = []
        try forEachEntry(of: .stale) { key, value in
            var (key, value) = (ByteReader(key), ByteReader(value))
            if key.key() > number { rows.insert(value.number()) }
            return true
        }
        return rows
    }
}

extension IndexWriter {
    func value(of key: [UInt8], in table: IndexTable) throws(IndexFault) -> [UInt8]? {
        try value(of: key, in: table.rawValue)
    }

    func set(_ key: [UInt8], in table: IndexTable, to value: [UInt8]?) {
        part.set(key, in: table.rawValue, to: value)
    }
}

/// Reads the numbers of an entry.
extension ByteReader {
    /// The next number of a key.
    mutating func key() -> Int64 { Int64(bigEndian: number()) }

    /// The number of a person, from the value of an entry in the table `people`.
    static func person(_ value: [UInt8]) -> UInt32 {
        value.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            return UInt32(truncatingIfNeeded: reader.number())
        }
    }

    /// The rest as a text.
    var text: String { String(decoding: rest, as: UTF8.self) }
}

/// Numbers as the value of an entry.
func entry(_ numbers: Int64...) -> [UInt8] { numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } } }

/// The state of the whole index: its readiness, and the last numbers in use.
struct IndexState: Equatable {
    private static let version: Int64 = 1

    /// True if all records are there, and if it is known which of them repeat an ID, and which replies have no root before them.
    var isReady = false
    /// The last numbers in use. None is used twice.
    var conversations: Int64 = 0
    var people: Int64 = 0
    var stale: Int64 = 0

    init() {}

    /// Returns nil for another version.
    init?(_ bytes: [UInt8]) {
        let numbers = bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            return (0..<5).map { _ in reader.number() }
        }
        guard numbers[0] == IndexState.version else { return nil }
        isReady = numbers[1] == 1
        (conversations, people, stale) = (numbers[2], numbers[3], numbers[4])
    }

    var bytes: [UInt8] { entry(IndexState.version, isReady ? 1 : 0, conversations, people, stale) }
}
