internal import CLogScan
internal import Messages

/// Selects lines that may contain one of some IDs. It may select other lines too; their number grows with the number of
/// IDs.
struct IDFilter {
    private var ids = cls_ids()
    private let isOfLinks: Bool

    /// Selects all lines that refer to another message: edits, deletions, reactions and thread replies.
    static let links = IDFilter((0..<64 * 64).lazy.map { IDHash(value: $0) }, isOfLinks: true)

    /// - Parameter isOfLinks: true to select the records that refer to these IDs; if not, selects the records that
    ///   have them.
    init(_ hashes: some Sequence<IDHash>, isOfLinks: Bool) {
        self.isOfLinks = isOfLinks
        withUnsafeMutableBytes(of: &ids) { bytes in
            let words = bytes.bindMemory(to: UInt64.self)
            for hash in hashes { words[Int(hash.value >> 6 & 63)] |= 1 << (hash.value & 63) }
        }
    }

    /// The index of a byte in the first selected line at or after `start`; nil if there is none.
    func firstCandidate(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let found = withUnsafePointer(to: ids) { ids in
            cls_find_ids(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, start, ids, isOfLinks)
        }
        return found < bytes.count ? found : nil
    }
}

/// The hash of an ID. Different IDs may have the same hash.
struct IDHash: Hashable {
    let value: UInt64

    init(value: UInt64) { self.value = value }

    init(_ bytes: UnsafeRawBufferPointer) {
        value = cls_hash_id(bytes.baseAddress, bytes.count)
    }

    init(_ id: OpaqueID<some Any>) {
        var text = id.rawValue
        self = text.withUTF8 { IDHash(UnsafeRawBufferPointer($0)) }
    }
}
