internal import Messages

/// The lines of a conversation that the index does not cover, after a search has read them.
final class UncoveredLines {
    /// The ID hashes of the messages before these lines that these lines edit or delete.
    let edited: Set<IDHash>
    private let log: PlainLog
    private let count: LogCount
    private let blocks: BlockReader

    /// - Parameters:
    ///   - log: the whole log.
    ///   - count: counts exactly these lines.
    init(of log: PlainLog, edited: Set<IDHash>, _ count: LogCount, blocks: BlockReader) {
        self.edited = edited
        self.log = log
        self.count = count
        self.blocks = blocks
    }

    /// The number of messages of the main timeline before a message with this ID hash; nil if no such message stands in
    /// these lines.
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
