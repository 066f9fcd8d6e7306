internal import Formats
internal import Messages

/// Converts the end of a feed again, for its state: pieces are made newest first, and the first lines of a feed may repeat the last
/// ones of the feed before within the same second.
struct FeedEnd {
    let builder: ConversationBuilder
    /// How much is read, if a cut is there: more than a second holds. Of smaller feeds, several.
    private static let bytes: Int64 = 64 << 10

    private var feeds: [Feed] { builder.conversation.feeds }

    /// - Returns: the state of the converter that has converted the feed before this one; nil if there is none, or if the format
    ///   does not need it.
    func state(before index: Int) throws(StoreError) -> String? {
        guard builder.format.countsAcrossFeeds, index > 0 else { return nil }
        var first = index - 1
        var held = size(first)
        while held < FeedEnd.bytes, first > 0 {
            first -= 1
            held += size(first)
        }
        var state: String?
        for feed in first..<index {
            state = try self.state(after: feed, following: state) ?? state
        }
        return state
    }

    private func size(_ index: Int) -> Int64 {
        guard let file = builder.source.file(feeds[index].file) else { return 0 }
        return max(0, (feeds[index].end ?? file.size) - feeds[index].start)
    }

    private func state(after index: Int, following state: String?) throws(StoreError) -> String? {
        let feed = feeds[index]
        guard let file = builder.source.file(feed.file) else { return nil }
        let end = feed.end ?? file.size
        let cut = try ConversationBuilder.reading { () throws(SourceError) in try self.cut(feed, file, before: end) }
        let converter = builder.format.converter(
            for: feed, of: builder.conversation, names: builder.names, state: nil, zone: builder.zone)
        if let state, cut == nil { converter.follow(state) }
        var reader = FeedReader(builder.source, file, from: cut ?? feed.start, by: converter)
        var writer = RecordWriter()
        try ConversationBuilder.steps(&reader, to: end, isWhole: true, &writer) { _ in }
        return converter.state
    }

    /// A place near the end of a feed at which a converter can begin; nil if it has to begin where the feed does.
    private func cut(_ feed: Feed, _ file: SourceFile, before end: Int64) throws(SourceError) -> Int64? {
        let planner = PiecePlanner(source: builder.source, format: builder.format, feeds: feeds)
        for distance in [FeedEnd.bytes, FeedEnd.bytes << 4, FeedEnd.bytes << 8] where end - distance > feed.start {
            if let place = try planner.cut(feed, file, before: end, near: end - distance, after: feed.start) {
                return place
            }
        }
        return nil
    }
}
