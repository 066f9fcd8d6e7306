/// Finds the documents of a word file that contain all of some phrases, each with its words in a row.
struct PhraseMatch {
    private let phrases: [[[UInt8]]]

    /// - Parameter phrases: each with at least one word.
    init(_ phrases: [[[UInt8]]]) { self.phrases = phrases }

    /// Calls `body` for each document, in ascending order.
    /// - Throws: `IndexFault`, and the errors of `body`.
    func forEachDocument(of shard: WordShard, _ body: (UInt32) throws -> Void) throws {
        var lists: [Postings] = []
        for term in phrases.joined() {
            guard let postings = try shard.postings(of: term) else { return }
            lists.append(postings)
        }
        if lists.isEmpty { return }
        var cursors = lists.map { Postings.Cursor($0) }
        // The rarest term decides which documents to look up in the other lists.
        let rarest = lists.indices.min { lists[$0].documents < lists[$1].documents } ?? 0
        var positions = Positions()
        while cursors[rarest].next() {
            var document = cursors[rarest].document
            while let later = PhraseMatch.laterDocument(than: document, &cursors) {
                guard cursors[rarest].next(atOrAfter: later) else { return }
                document = cursors[rarest].document
            }
            if cursors.contains(where: { $0.document != document }) { return }
            if positions.match(phrases, &cursors) { try body(document) }
        }
    }

    /// Moves all cursors to a document, or to the first one after it. Returns the document at which a cursor stopped
    /// later; nil when all are at `document`, or when a cursor has no more documents.
    private static func laterDocument(than document: UInt32, _ cursors: inout [Postings.Cursor]) -> UInt32? {
        for index in cursors.indices {
            guard cursors[index].next(atOrAfter: document) else { return nil }
            if cursors[index].document > document { return cursors[index].document }
        }
        return nil
    }

    /// The positions of words in one document; kept so that no document needs new memory.
    private struct Positions {
        private var starts: [UInt32] = []
        private var others: [UInt32] = []

        /// True if each phrase has its words in a row.
        /// - Parameter cursors: one for each word, all at the same document.
        mutating func match(_ phrases: [[[UInt8]]], _ cursors: inout [Postings.Cursor]) -> Bool {
            var index = 0
            for phrase in phrases {
                if phrase.count > 1 {
                    cursors[index].readPositions(into: &starts)
                    for offset in 1..<phrase.count {
                        cursors[index + offset].readPositions(into: &others)
                        keepStarts(followedBy: UInt32(offset))
                        if starts.isEmpty { return false }
                    }
                }
                index += phrase.count
            }
            return true
        }

        private mutating func keepStarts(followedBy offset: UInt32) {
            var kept = 0
            var next = 0
            for start in starts {
                while next < others.count, others[next] < start + offset { next += 1 }
                guard next < others.count else { break }
                if others[next] == start + offset {
                    starts[kept] = start
                    kept += 1
                }
            }
            starts.removeLast(starts.count - kept)
        }
    }
}
