import Glibc

/// Writes a batch of words to a file, merges files where enough have the same size, and names them in the manifest, which it
/// replaces last.
struct WordCommit: Sendable {
    /// The number of files of one size that are merged, and the ratio of two successive sizes.
    private static let fanIn = 8
    private static let smallest: Int64 = 256 << 10
    /// Files are not merged beyond this number of documents.
    private static let mostMerged: UInt64 = 1 << 28

    let folder: WordFolder
    private(set) var batch: WordBatch
    /// The progress for the new manifest.
    let done: [Int64: WordProgress]
    let stale: Int64
    /// Called now and then; the errors it throws end the writing.
    let check: @Sendable () throws -> Void

    /// - Parameter manifest: the current one.
    /// - Returns: the new manifest.
    /// - Throws: `WordFault`, and the errors of `check`. The previous words then stay as they are.
    mutating func write(after manifest: WordManifest) throws -> WordManifest {
        var next = manifest
        next.stale = stale
        next.done.merge(done) { $1 }
        if !batch.isEmpty { next.shards.append(try writeShard(&next)) }
        // The merge takes memory, too.
        batch = WordBatch()
        try merge(&next, besides: manifest.shards)
        try next.write(to: folder.manifest)
        for shard in manifest.shards where !next.shards.contains(shard) { unlink(folder.shard(shard.number)) }
        return next
    }

    private func writeShard(_ next: inout WordManifest) throws(WordFault) -> WordManifest.Shard {
        let number = next.nextNumber
        next.nextNumber += 1
        let bytes = try batch.write(to: folder.shard(number))
        return WordManifest.Shard(
            number: number, documents: batch.documents, messages: batch.messages, bytes: bytes)
    }

    /// Merges the newest files as long as enough of them have the same size.
    /// - Parameter kept: files that stay until the manifest is replaced.
    private func merge(_ next: inout WordManifest, besides kept: [WordManifest.Shard]) throws {
        while let count = WordCommit.mergeable(next.shards) {
            let old = Array(next.shards.suffix(count))
            let number = next.nextNumber
            next.nextNumber += 1
            let shards = try old.map { try WordShard(folder.shard($0.number)) }
            let bytes = try WordMerge(shards).write(to: folder.shard(number), check: check)
            next.shards.removeLast(count)
            next.shards.append(
                WordManifest.Shard(
                    number: number, documents: old.reduce(0) { $0 + $1.documents },
                    messages: old.reduce(0) { $0 + $1.messages }, bytes: bytes))
            for shard in old where !kept.contains(shard) { unlink(folder.shard(shard.number)) }
        }
    }

    /// The number of newest files to merge; nil for none.
    private static func mergeable(_ shards: [WordManifest.Shard]) -> Int? {
        var (level, count) = (0, 0)
        var documents: UInt64 = 0
        for shard in shards.reversed() {
            let its = self.level(of: shard)
            if its > level {
                if count >= fanIn { break }
                level = its
            }
            documents += UInt64(shard.documents)
            guard documents <= mostMerged else { break }
            count += 1
        }
        let same = shards.suffix(count).filter { self.level(of: $0) == level }
        return same.count >= fanIn ? count : nil
    }

    private static func level(of shard: WordManifest.Shard) -> Int {
        var (level, size) = (0, smallest)
        while shard.bytes > size {
            level += 1
            size *= Int64(fanIn)
        }
        return level
    }
}
