internal import Formats
internal import Messages

/// Finds the piece of a large conversation in which a message stands, by the bytes of its ID.
struct Finder {
    let builder: ConversationBuilder

    /// Nil if the format writes no IDs, and if none was found.
    func piece(of id: String, in state: MirrorState) throws(StoreError) -> Int? {
        guard builder.conversation.order == .sequence, state.pieces.count > 1 else { return nil }
        for (index, feed) in builder.conversation.feeds.enumerated().reversed() {
            guard let file = builder.source.file(feed.file), let needle = builder.format.needle(of: id, in: feed),
                let place = try ConversationBuilder.reading({ () throws(SourceError) in
                    try builder.source.offsets(of: needle, in: file, from: feed.start, to: feed.end, limit: 1)
                }).first
            else { continue }
            return state.pieces.lastIndex { ($0.first, $0.start) <= (index, place) }
        }
        return nil
    }
}
