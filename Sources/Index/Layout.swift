package import Files
import Glibc

/// The sections of a part, in the order of the file. Each begins at a multiple of eight bytes; all numbers are little-endian.
enum Section: Int, CaseIterable {
    /// `IndexRecord`, in the order of their rows.
    case records
    /// `RecordRun`, rising.
    case runs
    /// A `RecordMark` before each 64 records.
    case marks
    /// The hashes of the IDs of all records, rising, and the records of these hashes.
    case idHashes, idRecords
    /// The same for the targets of edits, deletions and reactions.
    case changeHashes, changeRecords
    /// The same for the roots of replies in threads.
    case replyHashes, replyRecords
    /// `KindOverride`: new kinds of records, which may stand in other parts.
    case overrides
    /// `RowRange`: rows that are gone, in whichever part they stand.
    case removals
    /// `EntryPlace`, in the order of their tables and keys, and the bytes of keys and values.
    case entries, entryBytes
}

/// Successive records with successive rows.
struct RecordRun: BitwiseCopyable {
    static let size = 16
    var row: Int64
    /// The number of the first record in the part.
    var first: UInt32
    var count: UInt32
}

/// The facts about the records before a stretch of 64 records, and about the stretch.
struct RecordMark: BitwiseCopyable {
    static let size = 32
    /// Records in a stretch.
    static let width = 64
    /// The counts of all records before the stretch.
    var mains: UInt32 = 0
    var messages: UInt32 = 0
    var presence: UInt32 = 0
    var unused: UInt32 = 0
    /// The latest time of a message in the stretch; `Int64.min` if it has none.
    var latest = Int64.min
    /// A bit for each record to which no other record of this part refers as its target.
    var unreferenced: UInt64 = 0

    /// The initial mark of a stretch, for which only the counts before it are known.
    init(after counts: RecordCounts) {
        mains = UInt32(counts.mains)
        messages = UInt32(counts.messages)
        presence = UInt32(counts.presence)
    }
}

struct KindOverride: BitwiseCopyable {
    static let size = 16
    var row: Int64
    var code: UInt16
    var unused: UInt16 = 0
    var alsoUnused: UInt32 = 0
}

struct RowRange: BitwiseCopyable {
    static let size = 16
    var lower: Int64
    var upper: Int64
}

/// The place of an entry in the bytes of its table. An entry is a key, followed by its value.
struct EntryPlace: BitwiseCopyable {
    static let size = 16
    /// The length of a value that removes the entry from earlier parts.
    static let removed = UInt32.max
    /// The table (8 bits) and the offset (56 bits).
    var packed: UInt64
    var key: UInt32
    var value: UInt32

    var table: UInt8 { UInt8(truncatingIfNeeded: packed >> 56) }
    var offset: Int { Int(packed & (1 << 56 - 1)) }
}

/// The header of a file of the index:
///
///     magic | size of the file | sum of the top sums | number of sections | each section: offset, bytes | … | sum of the header
///
/// After the sections stand the sums of all blocks, and after these the top sums: one for each block of sums. A reader checks
/// the header and the top sums at once, and each block when it is first read.
package enum FileLayout {
    static let magic: UInt64 = 0x3230_5450_6764_656B
    package static let header = 512
    /// The most sections for which the header has room.
    static let mostSections = (header - 4 - 4 * 8) / 16
    /// The bytes to which a sum belongs. Blocks are counted from the end of the header.
    static let block = 4_096
    static let sumsInBlock = block / 4

    static func header(_ sections: [Range<Int>], size: Int, topSum: UInt32) -> [UInt8] {
        let places = sections.flatMap { [UInt64($0.lowerBound), UInt64($0.count)] }
        var bytes: [UInt8] = []
        for number in [magic, UInt64(size), UInt64(topSum), UInt64(sections.count)] + places {
            withUnsafeBytes(of: number) { bytes += $0 }
        }
        bytes += [UInt8](repeating: 0, count: header - 4 - bytes.count)
        let sum = bytes.withUnsafeBytes { BlockSum.of($0) }
        withUnsafeBytes(of: sum) { bytes += $0 }
        return bytes
    }

    /// The sum of the header with which some bytes begin.
    static func sum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
        bytes.loadUnaligned(fromByteOffset: header - 4, as: UInt32.self)
    }

    /// The place of a section of some bytes after another one; after the header if it is the first.
    static func place(of bytes: Int, after last: Range<Int>?) -> Range<Int> {
        let start = ((last?.upperBound ?? header) + 7) & ~7
        return start..<start + bytes
    }

    static func blocks(_ bytes: Int) -> Int { (bytes + block - 1) / block }
}

/// The checksum of a block. It takes four numbers of eight bytes at a step, which the processor multiplies at once.
enum BlockSum {
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let seed = UInt64(truncatingIfNeeded: bytes.count) &* 0x9E37_79B9_7F4A_7C15 | 1
        var lanes = SIMD4<UInt64>(seed, seed &+ 2, seed &+ 4, seed &+ 6)
        var offset = 0
        while offset + 32 <= bytes.count {
            let words = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
            for lane in 0..<4 { lanes[lane] = mixed(lanes[lane], words[lane]) }
            offset += 32
        }
        var sum = lanes[0]
        for lane in 1..<4 { sum = mixed(sum, lanes[lane]) }
        while offset < bytes.count {
            sum = mixed(sum, UInt64(bytes[offset]))
            offset += 1
        }
        return UInt32(truncatingIfNeeded: sum ^ sum >> 32)
    }

    @inline(__always)
    private static func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0xC4CE_B9FE_1A85_EC53
        return product ^ product >> 29
    }
}

/// The reason why the index cannot be read or written.
package enum IndexFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is damaged, or another version of Kedge has made it. The index must be built again.
    case damaged(file: String, reason: String)
    /// The system refused a call.
    case system(file: String, code: CInt)
    /// Another process did not release the index in time.
    case locked(folder: String, by: LockHolder?)

    /// The reasons why a file cannot be opened. A link, or a socket, has taken the place of one.
    static func opening(_ file: String, code: CInt) -> IndexFault {
        let isNone = [ELOOP, ENXIO].contains(code)
        return isNone ? .damaged(file: file, reason: "it is not a file") : .system(file: file, code: code)
    }

    package var description: String {
        switch self {
        case .damaged(let file, let reason): "\(file): \(reason)"
        case .system(let file, let code): "\(file): \(FileError.reason(forOwnFile: code))"
        case .locked(let folder, let holder): "\(folder): the index is locked by \(LockHolder.describe(holder))"
        }
    }
}

/// Reads the numbers of a key or of a value one after the other, and never beyond the end of the bytes.
package struct ByteReader {
    package let bytes: UnsafeRawBufferPointer
    package var offset = 0
    /// True if a read went beyond the end. It and all later reads return zero, so damaged bytes are no danger.
    package var isBroken = false

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    package var isAtEnd: Bool { offset >= bytes.count }

    /// The bytes that were not read.
    package var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[offset...]) }

    /// The next number of eight bytes.
    package mutating func number() -> Int64 { take(8)?.loadUnaligned(as: Int64.self) ?? 0 }

    package mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard !isBroken, count >= 0, count <= bytes.count - offset else {
            isBroken = true
            offset = bytes.count
            return nil
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}
