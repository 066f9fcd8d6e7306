internal import Files
internal import Formats

/// Cuts the feeds of a sequence into pieces, one for each segment. The last pieces are small, so that the newest messages are
/// ready soon. Small feeds are combined.
struct PiecePlanner {
    let source: Source
    let format: any Format
    let feeds: [Feed]

    /// The sizes of the last pieces in bytes, starting at the end. All other pieces have the last of these sizes.
    static let sizes: [Int64] = [512 << 10, 4 << 20, 32 << 20]
    /// The number of bytes in which to search for a cut: first the smallest, then more.
    private static let windows = [64 << 10, 1 << 20, 4 << 20]

    /// The pieces, oldest first.
    func pieces() throws(FileError) -> [MirrorState.Piece] {
        var found: [MirrorState.Piece] = []
        /// The end of the current piece. (`held` is its size so far.)
        var end: (feed: Int, byte: Int64?)?
        var held: Int64 = 0
        for (index, feed) in feeds.enumerated().reversed() {
            guard let file = source.file(feed.file) else { continue }
            let begin = feed.start
            var (limit, isNatural) = (feed.end ?? file.size, true)
            while true {
                let wanted = PiecePlanner.sizes[min(found.count, PiecePlanner.sizes.count - 1)]
                if end == nil { end = (index, isNatural ? feed.end : limit) }
                let cut =
                    held + limit - begin > wanted + wanted / 2
                    ? try self.cut(
                        feed, file, before: limit, near: max(begin, limit - max(0, wanted - held)), after: begin) : nil
                guard let cut else {
                    held += max(0, limit - begin)
                    if held >= wanted || index == 0, let last = end {
                        found.append(
                            MirrorState.Piece(
                                segment: 0, first: index, start: begin, last: last.feed, end: last.byte, size: nil))
                        (end, held) = (nil, 0)
                    }
                    break
                }
                if let last = end {
                    found.append(
                        MirrorState.Piece(
                            segment: 0, first: index, start: cut, last: last.feed, end: last.byte, size: nil))
                }
                (end, held, limit, isNatural) = (nil, 0, cut, false)
            }
        }
        found.reverse()
        for index in found.indices { found[index].segment = index + 1 }
        return found
    }

    /// The first place at or after `near` at which a converter can begin; nil if there is none close to it.
    func cut(
        _ feed: Feed, _ file: SourceFile, before limit: Int64, near: Int64, after begin: Int64
    ) throws(FileError) -> Int64? {
        for window in PiecePlanner.windows {
            let bytes = try source.read(file, at: near, count: Int(min(Int64(window), limit - near)))
            if let offset = bytes.withUnsafeBytes({ format.cut($0, of: feed) }) {
                let place = near + Int64(offset)
                return place > begin && place < limit ? place : nil
            }
            if near + Int64(window) >= limit { return nil }
        }
        return nil
    }
}
