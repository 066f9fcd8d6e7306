internal import Files
internal import Formats
internal import Messages

/// Makes a conversation whose records are ordered by keys: all are converted, then sorted, then written. Of records with the same
/// key, the newest is kept.
struct KeyedBuilder {
    let builder: ConversationBuilder

    /// A record in the file of converted records.
    private struct Entry {
        let key: Int64
        let offset: Int64
        let length: Int32
        let rank: Int32
    }

    func make(_ state: inout MirrorState, _ findings: inout ConversationBuilder.Findings) throws(StoreError) {
        let path = builder.files.root + "/state/unordered"
        var entries: [Entry] = []
        var file = try RecordFile(path)
        for feed in builder.conversation.feeds { try convert(feed, &file, &entries, &findings) }
        entries = KeyedBuilder.ordered(entries)
        let pieces = try write(entries, from: path)
        Disk.remove(path)
        state.pieces = pieces
        state.tail = .nothing
        try builder.save(&state)
    }

    private func convert(
        _ feed: Feed, _ output: inout RecordFile, _ entries: inout [Entry],
        _ findings: inout ConversationBuilder.Findings
    ) throws(StoreError) {
        guard let file = builder.source.file(feed.file) else { return }
        var writer = RecordWriter(keepsKeys: true)
        let converter = builder.format.converter(
            for: feed, of: builder.conversation, names: builder.names, state: nil, zone: builder.zone)
        var reader = FeedReader(builder.source, file, from: feed.start, by: converter)
        try ConversationBuilder.steps(&reader, to: feed.end ?? file.size, isWhole: true, &writer) {
            (lines, keys) throws(StoreError) in
            let base = output.size
            for (index, key) in keys.enumerated() {
                let end = index + 1 < keys.count ? keys[index + 1].start : lines.count
                entries.append(
                    Entry(
                        key: key.key, offset: base + Int64(key.start), length: Int32(clamping: end - key.start),
                        rank: Int32(clamping: feed.rank)))
            }
            try output.append(lines)
        }
        findings.take(&writer)
    }

    private static func ordered(_ entries: [Entry]) -> [Entry] {
        let sorted = entries.sorted { ($0.key, $0.rank, $0.offset) < ($1.key, $1.rank, $1.offset) }
        var result: [Entry] = []
        result.reserveCapacity(sorted.count)
        for entry in sorted {
            if result.last?.key == entry.key { result.removeLast() }
            result.append(entry)
        }
        return result
    }

    /// Writes segments. They get their names when all are complete, the newest first, so that no reader sees a gap.
    private func write(_ entries: [Entry], from path: String) throws(StoreError) -> [MirrorState.Piece] {
        var made: [(temporary: String, size: Int64, sum: UInt64)] = []
        let reader = try MirrorFiles.reader(path)
        var index = 0
        repeat {
            let temporary = builder.files.folder(of: builder.id) + "/making-\(made.count + 1)"
            var file = try RecordFile(temporary)
            while index < entries.count, file.size < PiecePlanner.sizes[2] {
                // Adjacent records are copied together.
                let first = entries[index]
                var length = Int(first.length)
                index += 1
                while index < entries.count, entries[index].offset == first.offset + Int64(length), length < 1 << 20 {
                    length += Int(entries[index].length)
                    index += 1
                }
                try file.append(try MirrorFiles.bytes(of: reader, at: first.offset, count: length))
            }
            made.append((temporary, file.size, file.sum))
            try file.finish(as: temporary + ".whole")
        } while index < entries.count
        for (number, segment) in made.enumerated().reversed() {
            try MirrorFiles.rename(segment.temporary + ".whole", builder.files.segment(number + 1, of: builder.id))
        }
        let last = max(0, builder.conversation.feeds.count - 1)
        return made.enumerated().map { number, segment in
            MirrorState.Piece(
                segment: number + 1, first: 0, start: 0, last: last, end: nil, size: segment.size,
                sum: segment.sum)
        }
    }
}
