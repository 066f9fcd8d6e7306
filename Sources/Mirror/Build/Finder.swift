internal import CMirror
internal import Formats
internal import Messages

/// Finds the piece of a large conversation in which a message stands, by the bytes of its ID.
struct Finder {
    let builder: ConversationBuilder

    private static let chunk = 4 << 20

    /// Nil if the format writes no IDs, and if none was found.
    func piece(of id: String, in state: MirrorState) throws(StoreError) -> Int? {
        guard builder.conversation.order == .sequence, state.pieces.count > 1 else { return nil }
        for (index, feed) in builder.conversation.feeds.enumerated().reversed() {
            guard let file = builder.source.file(feed.file), let needle = builder.format.needle(of: id, in: feed),
                let place = try offset(of: needle, in: file, feed.start..<max(feed.start, feed.end ?? file.size))
            else { continue }
            return state.pieces.lastIndex { ($0.first, $0.start) <= (index, place) }
        }
        return nil
    }

    private func offset(
        of needle: [UInt8], in file: SourceFile, _ range: Range<Int64>
    ) throws(StoreError) -> Int64? {
        var start = range.lowerBound
        while start < range.upperBound {
            let bytes = try ConversationBuilder.reading { () throws(SourceError) in
                try builder.source.read(file, at: start, count: Int(min(Int64(Finder.chunk), range.upperBound - start)))
            }
            let found = cmirror_find(bytes, bytes.count, needle, needle.count)
            if found >= 0 { return start + Int64(found) }
            guard bytes.count > needle.count else { return nil }
            // A needle may stand across the border.
            start += Int64(bytes.count - needle.count + 1)
        }
        return nil
    }
}
