internal import Messages

/// The lines that the index does not cover of a conversation, after a search has gone through them.
final class UncoveredLines {
    /// The hashes of the IDs of messages before these lines that these lines edit or delete.
    let edited: Set<IDHash>
    private let log: PlainLog
    private let count: LogCount
    private let blocks: BlockReader

    /// - Parameters:
    ///   - log: the whole log.
    ///   - count: of these very lines.
    init(of log: PlainLog, edited: Set<IDHash>, _ count: LogCount, blocks: BlockReader) {
        self.edited = edited
        self.log = log
        self.count = count
        self.blocks = blocks
    }

    /// Messages of the main timeline before one of them, by the hash of its ID; nil when it does not stand in these lines.
    func order(of id: IDHash) throws(StoreError) -> Int? {
        while !count.isComplete { try count.step() }
        var place: LinePlace?
        try log.scan(count.start..<LinePlace.end, IDFilter([id], isOfLinks: false), blocks) { line, head, _ in
            if head.isMain, IDHash(head.id) == id { place = line }
            return place == nil
        }
        return try place.map { (place) throws(StoreError) in try count.mainCounts(before: [place]).first ?? 0 }
    }
}
