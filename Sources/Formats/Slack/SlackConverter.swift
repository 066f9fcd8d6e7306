/// Converts the messages of a day, or of a dump.
final class SlackConverter: Converter {
    private let file: String
    private let reader: JSONArrayReader
    private var message: SlackMessage
    /// Whether the file holds an object where an array is expected.
    private var isSingle = false

    init(_ feed: Feed, names: ForeignNames) {
        file = feed.file
        reader = JSONArrayReader(file: feed.file)
        message = SlackMessage(names: names, setting: SlackSetting(feed.setting))
    }

    func convert(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter
    ) -> Int {
        var start = 0
        if offset == 0 {
            // A byte order mark and the bracket must be there before the first record is looked for.
            guard isEnd || bytes.count >= 16 else { return 0 }
            start = JSONRecords.start(of: bytes, count: bytes.count)
            guard start < bytes.count || isEnd else { return 0 }
            isSingle =
                start < bytes.count && bytes[start] == UInt8(ascii: "{") && !bytes[..<start].contains(UInt8(ascii: "["))
        }
        let records = UnsafeRawBufferPointer(rebasing: bytes[start...])
        let (consumed, isBroken) = reader.read(records, at: offset + Int64(start), isEnd: isEnd, into: &writer) {
            message.write($0, into: &$1)
        }
        if isEnd, !isBroken, !isSingle, !reader.isDone {
            writer.problem(
                ForeignProblem(
                    file: file, place: .byte(offset + Int64(bytes.count)), kind: "the file ends before its array does"))
        }
        return start + consumed
    }
}
