internal import Dates

/// Converts the groups of an HTML file.
final class DiscordHTMLConverter: Converter {
    private let feed: Feed
    private var group: DiscordHTMLGroup

    init(_ feed: Feed, zone: Zone) {
        self.feed = feed
        group = DiscordHTMLGroup(
            setting: DiscordSetting(feed.setting), folder: SourceFile.folder(of: feed.file), times: MomentReader(zone))
    }

    func convert(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter
    ) -> Int {
        let marks = DiscordHTMLMark.group.all(in: bytes)
        for (index, mark) in marks.enumerated() where isEnd || index + 1 < marks.count {
            let end = index + 1 < marks.count ? marks[index + 1] : bytes.count
            let broken = group.convert(Bytes(rebasing: bytes[mark..<end]), into: &writer)
            for place in broken {
                writer.problem(
                    ForeignProblem(
                        file: feed.file, place: .byte(offset + Int64(mark + place)),
                        kind: "message without an ID of Discord or a time"))
            }
        }
        if isEnd { return bytes.count }
        guard let last = marks.last else { return 0 }
        if last == 0, bytes.count > Record.longest {
            writer.problem(
                ForeignProblem(file: feed.file, place: .byte(offset), kind: "group of messages is longer than 16 MB"))
            return bytes.count
        }
        return last
    }
}
