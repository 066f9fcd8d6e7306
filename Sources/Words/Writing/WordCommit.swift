import Glibc
internal import Index

/// A file of words that the manifest names, or will name.
struct WordFile: Equatable {
    let file: IndexFile
    let documents: UInt32
    /// Documents that are messages.
    let messages: Int64
}

/// The files of words after a commit.
struct WordFiles {
    /// Oldest first.
    var files: [WordFile]
    /// See `IndexManifest`.
    var next: UInt64
}

/// Writes a batch of words to a file, merges files where enough have the same size, and names them in the next generation of the index.
struct WordCommit: Sendable {
    /// The number of files of one size that are merged, and the ratio of two successive sizes.
    private static let fanIn = 8
    private static let smallest: UInt64 = 256 << 10
    /// Files are not merged beyond this number of documents.
    private static let mostMerged: UInt64 = 1 << 28

    let index: IndexFiles
    /// That of the index to whose records the words belong.
    let identity: UInt64
    private(set) var batch: WordBatch
    /// The new progress of segments, and the new value of `WordWriter.stale`.
    let done: [Int64: WordProgress]
    let stale: Int64
    /// Called now and then; the errors it throws end the writing.
    let check: @Sendable () throws -> Void

    /// - Parameter current: the files before.
    /// - Throws: `IndexFault`, and the errors of `check`. The previous words then stay as they are.
    mutating func write(after current: WordFiles) throws -> WordFiles {
        var next = current
        let file = try batch.write(to: try newFile(&next), progress: done, stale: stale)
        next.files.append(WordFile(file: file, documents: batch.documents, messages: Int64(batch.messages)))
        // The merge takes memory, too.
        batch = WordBatch()
        do {
            try merge(&next, besides: current.files)
            try index.commit(words: next.files.map(\.file), to: identity)
        } catch {
            for file in next.files where !current.files.contains(file) { unlink(index.words(file.file.number)) }
            throw error
        }
        return next
    }

    private func newFile(_ words: inout WordFiles) throws(IndexFault) -> NewFile {
        defer { words.next += 1 }
        return try NewFile(index.words(words.next), number: words.next)
    }

    /// Merges the newest files as long as enough of them have the same size.
    /// - Parameter kept: files that stay until the manifest is replaced.
    private func merge(_ next: inout WordFiles, besides kept: [WordFile]) throws {
        while let count = WordCommit.mergeable(next.files) {
            let old = Array(next.files.suffix(count))
            let shards = try old.map { try WordShard($0.file, of: index) }
            let file = try WordMerge(shards).write(to: try newFile(&next), check: check)
            next.files.removeLast(count)
            next.files.append(
                WordFile(
                    file: file, documents: old.reduce(0) { $0 + $1.documents },
                    messages: old.reduce(0) { $0 + $1.messages }))
            for file in old where !kept.contains(file) { unlink(index.words(file.file.number)) }
        }
    }

    /// The number of newest files to merge; nil for none.
    private static func mergeable(_ files: [WordFile]) -> Int? {
        var (level, count) = (0, 0)
        var documents: UInt64 = 0
        for file in files.reversed() {
            let its = self.level(of: file)
            if its > level {
                if count >= fanIn { break }
                level = its
            }
            documents += UInt64(file.documents)
            guard documents <= mostMerged else { break }
            count += 1
        }
        let same = files.suffix(count).filter { self.level(of: $0) == level }
        return same.count >= fanIn ? count : nil
    }

    private static func level(of file: WordFile) -> Int {
        var (level, size) = (0, smallest)
        while file.file.size > size {
            level += 1
            size *= UInt64(fanIn)
        }
        return level
    }
}
