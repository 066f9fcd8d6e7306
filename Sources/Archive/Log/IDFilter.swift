internal import CLogScan

/// Finds the lines in which some IDs may stand. Finds some lines too many, the more the more IDs there are.
struct IDFilter {
    private var ids = cls_ids()
    private let isOfLinks: Bool

    /// All lines that name another message: edits, deletions, reactions, and replies in threads.
    static let links = IDFilter((0..<64 * 64).lazy.map { IDHash(value: $0) }, isOfLinks: true)

    /// - Parameter isOfLinks: whether to find the records that name these IDs, instead of the records that have them.
    init(_ hashes: some Sequence<IDHash>, isOfLinks: Bool) {
        self.isOfLinks = isOfLinks
        withUnsafeMutableBytes(of: &ids) { bytes in
            let words = bytes.bindMemory(to: UInt64.self)
            for hash in hashes { words[Int(hash.value >> 6 & 63)] |= 1 << (hash.value & 63) }
        }
    }

    /// A byte of the first line, at `start` or after it, that is to be read; nil when there is none.
    func firstCandidate(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let found = withUnsafePointer(to: ids) { ids in
            cls_find_ids(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, start, ids, isOfLinks)
        }
        return found < bytes.count ? found : nil
    }
}
