/// Converts the events of a room.
final class MatrixConverter: Converter {
    let feed: Feed
    let setting: MatrixSetting
    private let tree = JSONTree()
    private let events: MatrixEvents
    /// The number of the next event.
    private var index: Int64

    init(_ feed: Feed, state: String?) {
        self.feed = feed
        setting = MatrixSetting(feed.setting)
        events = MatrixEvents(setting)
        index = state.flatMap { Int64($0) } ?? 0
    }

    var state: String { "\(index)" }

    /// The place of an event among those of all files: files follow each other, and the first event of some is the newest.
    private var key: Int64 {
        let first = Int64(setting.rank) << 40
        return setting.isDescending ? first + 1 << 39 - index : first + index
    }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        guard index >= 0 else { return bytes.count }
        var splitter = RecordSplitter(bytes, isEnd: isEnd)
        while let piece = splitter.next() {
            switch piece {
            case .record(let range):
                record(Bytes(rebasing: bytes[range]), at: offset + Int64(range.lowerBound), &writer)
            case .broken(let range, let kind): report(kind, at: offset + Int64(range.lowerBound), &writer)
            }
        }
        // After the bracket nothing is an event.
        if splitter.isArrayEnd { index = -1 }
        return splitter.consumed
    }

    private func report(_ kind: String, at offset: Int64, _ writer: inout RecordWriter) {
        writer.problem(ForeignProblem(file: feed.file, place: .byte(offset), kind: kind))
    }

    private func record(_ bytes: Bytes, at offset: Int64, _ writer: inout RecordWriter) {
        guard let value = tree.parse(bytes, padding: 64) else {
            return report("record is not valid JSON", at: offset, &writer)
        }
        let event = MatrixEvent(value)
        if let room = setting.room, event.room?.bytes?.elementsEqual(room.utf8) != true { return }
        index += 1
        if let problem = events.convert(event, key: key, into: &writer) { report(problem, at: offset, &writer) }
    }
}
