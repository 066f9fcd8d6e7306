internal import Messages

/// What has come into a log behind a place.
struct News {
    var changes: [StoreChange] = []
    /// Behind the last whole line that was read.
    var end: LinePlace
    /// Whether there is more behind it.
    var isMore = false
}

/// Reads what comes into a conversation while somebody looks: each line once, and what it makes of the messages that it
/// speaks of.
struct NewsReader {
    /// Records of one answer, at most: others wait for theirs.
    private static let batch = 1_024

    let pages: PageReader

    /// - Parameter place: where a line begins, or within the last one that there was, which may not have been whole.
    func news(behind place: LinePlace) throws(StoreError) -> News {
        let reader = pages.reader
        var news = News(end: try reader.lineStart(of: place))
        var arrived: [StoredMessage] = []
        var targets: Set<MessageID> = []
        var count = 0
        while let block = try reader.block(from: news.end) {
            let known = news.end
            try reader.forEachRecord(of: block) { place, head, fields in
                if head.isMessage { arrived.append(reader.blocks.records.message(head, fields, at: place)) }
                if !head.target.isEmpty { targets.insert(MessageID(String(decoding: head.target, as: UTF8.self))) }
                count += 1
            }
            news.end = try reader.end(ofWholeLinesIn: block)
            // What is left is half a line.
            if news.end == known { break }
            news.isMore = count >= NewsReader.batch
            if news.isMore { break }
        }
        for message in arrived { targets.remove(message.id) }
        news.changes = try pages.messages(targets).map { .updated($0) }
        news.changes += try pages.messages(arrived).map { .arrived($0) }
        return news
    }
}
