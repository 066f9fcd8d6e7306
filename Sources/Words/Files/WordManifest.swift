import Glibc

/// Which files the words of an archive are in, and up to where its records are in them. It is replaced as a whole: who reads
/// it sees one state.
struct WordManifest: Equatable {
    private static let magic: UInt64 = 0x3177_6D72_6F77_656B
    private static let most: Int64 = 1 << 30

    /// Names the records that the words are of.
    var identity: Int64 = 0
    /// Up to which number of the list of messages whose edits are gone they are told anew.
    var stale: Int64 = 0
    /// Of the next file. No number is used twice.
    var nextNumber: UInt32 = 1
    /// The oldest first.
    var shards: [Shard] = []
    /// By the numbers that the records give to segments.
    var done: [Int64: WordProgress] = [:]

    struct Shard: Equatable {
        let number: UInt32
        let documents: UInt32
        /// Documents that are messages.
        let messages: UInt32
        let bytes: Int64
    }

    /// Nil when there is none.
    /// - Returns: the file as well, by which one sees whether another one has taken its place.
    /// - Throws: `broken` for a file that is no manifest.
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

    /// Nil for what is no manifest.
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
