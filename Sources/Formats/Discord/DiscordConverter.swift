/// Converts the messages of a file.
final class DiscordConverter: Converter {
    private let reader: JSONArrayReader
    private var message: DiscordMessage

    init(_ feed: Feed, names: ForeignNames) {
        reader = JSONArrayReader(file: feed.file)
        message = DiscordMessage(
            names: names, setting: DiscordSetting(feed.setting), folder: SourceFile.folder(of: feed.file))
    }

    func convert(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter
    ) -> Int {
        reader.read(bytes, at: offset, isEnd: isEnd, into: &writer) { record, writer in
            message.write(record, into: &writer)
        }.consumed
    }
}
