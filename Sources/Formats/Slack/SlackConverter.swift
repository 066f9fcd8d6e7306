/// Converts the messages of a day, or of a dump.
final class SlackConverter: Converter {
    private let feed: Feed
    private let tree = JSONTree()
    private var message: SlackMessage
    /// Whether the array has ended.
    private var isDone = false
    /// Whether the file holds an object where an array is expected.
    private var isSingle = false

    init(_ feed: Feed, names: ForeignNames) {
        self.feed = feed
        message = SlackMessage(names: names, setting: SlackSetting(feed.setting))
    }

    func convert(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter
    ) -> Int {
        guard !isDone else { return bytes.count }
        var start = 0
        if offset == 0 {
            // A byte order mark and the bracket must be there before the first record is looked for.
            guard isEnd || bytes.count >= 16 else { return 0 }
            start = JSONRecords.start(of: bytes, count: bytes.count)
            guard start < bytes.count || isEnd else { return 0 }
            isSingle =
                start < bytes.count && bytes[start] == UInt8(ascii: "{")
                && !bytes[..<start].contains(UInt8(ascii: "["))
        }
        let records = UnsafeRawBufferPointer(rebasing: bytes[start...])
        var splitter = RecordSplitter(records, isEnd: isEnd)
        var isCutShort = isEnd && !isSingle
        while let piece = splitter.next() {
            switch piece {
            case .record(let range): convert(range, in: records, at: offset + Int64(start), &writer)
            case .broken(let range, let reason):
                report(reason, offset + Int64(start + range.lowerBound), &writer)
                isCutShort = false
            }
        }
        if splitter.isArrayEnd {
            isDone = true
        } else if isCutShort {
            report("the file ends before its array does", offset + Int64(bytes.count), &writer)
        }
        return isEnd ? bytes.count : start + splitter.consumed
    }

    private func convert(_ range: Range<Int>, in bytes: Bytes, at offset: Int64, _ writer: inout RecordWriter) {
        let place = offset + Int64(range.lowerBound)
        guard let record = tree.parse(UnsafeRawBufferPointer(rebasing: bytes[range]), padding: 64) else {
            return report("record is not valid JSON", place, &writer)
        }
        if message.write(record, into: &writer) == .withoutTime { report("message without a time", place, &writer) }
    }

    private func report(_ kind: String, _ byte: Int64, _ writer: inout RecordWriter) {
        writer.problem(ForeignProblem(file: feed.file, place: .byte(byte), kind: kind))
    }
}
