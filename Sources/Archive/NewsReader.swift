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
        var lines = try lines(behind: place)
        for message in lines.arrived { lines.targets.remove(message.id) }
        let changes = try pages.messages(lines.targets).map { StoreChange.updated($0) }
        let arrived = try pages.messages(lines.arrived).map { StoreChange.arrived($0) }
        return News(changes: changes + arrived, end: lines.end, isMore: lines.isMore)
    }

    /// Only the messages.
    /// - Parameter place: as above.
    func arrivals(behind place: LinePlace) throws(StoreError) -> (messages: [Message], end: LinePlace, isMore: Bool) {
        let lines = try lines(behind: place)
        return (try pages.messages(lines.arrived), lines.end, lines.isMore)
    }

    private struct Lines {
        var arrived: [StoredMessage] = []
        /// What they speak of.
        var targets: Set<MessageID> = []
        var end: LinePlace
        var isMore = false
    }

    private func lines(behind place: LinePlace) throws(StoreError) -> Lines {
        let reader = pages.reader
        var lines = Lines(end: try reader.lineStart(of: place))
        var count = 0
        while let block = try reader.block(from: lines.end) {
            let known = lines.end
            try reader.forEachRecord(of: block) { place, head, fields in
                if head.isMessage { lines.arrived.append(reader.blocks.records.message(head, fields, at: place)) }
                if !head.target.isEmpty {
                    lines.targets.insert(MessageID(String(decoding: head.target, as: UTF8.self)))
                }
                count += 1
            }
            lines.end = try reader.end(ofWholeLinesIn: block)
            // What is left is half a line.
            if lines.end == known { break }
            lines.isMore = count >= NewsReader.batch
            if lines.isMore { break }
        }
        return lines
    }
}
