internal import Messages

/// The IDs of a log read from its beginning: their hashes and places, some 30 bytes each.
struct KnownIDs {
    private let log: PlainLog
    private let blocks = BlockReader()
    private var places: [IDHash: LinePlace] = [:]

    init(_ segments: [Segment]) { log = PlainLog(segments: segments) }

    /// - Returns: false if an earlier line has exactly this ID.
    /// - Throws: the errors of reading that line.
    mutating func insert(_ id: UnsafeRawBufferPointer, at place: LinePlace) throws(StoreError) -> Bool {
        let hash = IDHash(id)
        guard let known = places[hash] else {
            places[hash] = place
            return true
        }
        var isSame = false
        if let block = try BlockWalk(segments: log.segments).block(from: known) {
            try blocks.forEachRecord(of: block, in: log) { _, head, _ in
                isSame = head.id.elementsEqual(id)
                return false
            }
        }
        return !isSame
    }
}
