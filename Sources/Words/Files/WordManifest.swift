import Glibc

/// Names the current word files of an archive, and the records whose words they hold. It is replaced as a whole, so
/// that a reader sees one state.
struct WordManifest: Equatable {
    private static let magic: UInt64 = 0x3277_6D72_6F77_656B
    private static let most: Int64 = 1 << 30

    /// The index to whose records the words belong.
    var identity: Int64 = 0
    /// The last applied entry of the index's list of stale messages (messages whose edits are gone).
    var stale: Int64 = 0
    /// The number of the next file. No number is used twice.
    var nextNumber: UInt32 = 1
    /// Oldest first.
    var shards: [Shard] = []
    /// The progress of each segment, by its number in the index.
    var done: [Int64: WordProgress] = [:]

    struct Shard: Equatable {
        let number: UInt32
        let documents: UInt32
        /// Documents that are messages.
        let messages: UInt32
        let bytes: Int64
    }

    /// Reads the manifest; nil when there is none.
    /// - Returns: also the open file, to detect later that another manifest has replaced it.
    /// - Throws: `broken` for a file that is not a manifest.
    static func read(_ path: String) throws(WordFault) -> (manifest: WordManifest, file: StoredFile)? {
        let file: StoredFile
        do throws(WordFault) {
            file = try StoredFile(path)
        } catch {
            if case .system(_, ENOENT) = error { return nil }
            throw error
        }
        guard file.size <= most else { throw .broken(file: path) }
        guard let manifest = WordManifest(try file.read(at: 0, count: Int(file.size))) else {
            throw .broken(file: path)
        }
        return (manifest, file)
    }

    func write(to path: String) throws(WordFault) {
        let file = try FileWriter(path)
        try file.write(bytes)
        try file.finish()
    }

    init() {}

    /// Nil for bytes that are not a manifest.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        let isWhole = bytes.withUnsafeBytes { bytes in
            let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(4))
            var end = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.suffix(4)))
            guard end.fixed(UInt32.self) == Checksum.of(content) else { return false }
            var reader = ByteReader(content)
            guard reader.fixed(UInt64.self) == WordManifest.magic else { return false }
            identity = reader.fixed(Int64.self)
            stale = reader.fixed(Int64.self)
            nextNumber = reader.fixed(UInt32.self)
            let (shards, segments) = (reader.fixed(UInt32.self), reader.fixed(UInt32.self))
            for _ in 0..<shards where !reader.isBroken {
                self.shards.append(
                    Shard(
                        number: reader.fixed(UInt32.self), documents: reader.fixed(UInt32.self),
                        messages: reader.fixed(UInt32.self), bytes: reader.fixed(Int64.self)))
            }
            for _ in 0..<segments where !reader.isBroken {
                let segment = reader.fixed(Int64.self)
                done[segment] = WordProgress(
                    messages: reader.fixed(Int64.self), edits: reader.fixed(Int64.self))
            }
            return !reader.isBroken && reader.isAtEnd
        }
        if !isWhole { return nil }
    }

    private var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(fixed: WordManifest.magic)
        bytes.append(fixed: identity)
        bytes.append(fixed: stale)
        bytes.append(fixed: nextNumber)
        bytes.append(fixed: UInt32(clamping: shards.count))
        bytes.append(fixed: UInt32(clamping: done.count))
        for shard in shards {
            bytes.append(fixed: shard.number)
            bytes.append(fixed: shard.documents)
            bytes.append(fixed: shard.messages)
            bytes.append(fixed: shard.bytes)
        }
        for (segment, progress) in done.sorted(by: { $0.key < $1.key }) {
            bytes.append(fixed: segment)
            bytes.append(fixed: progress.messages)
            bytes.append(fixed: progress.edits)
        }
        bytes.append(fixed: Checksum.of(bytes[...]))
        return bytes
    }
}
