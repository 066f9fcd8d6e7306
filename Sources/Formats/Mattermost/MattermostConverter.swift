internal import CSimdjson
internal import Dates

/// Converts the posts of one conversation; a file holds those of all.
final class MattermostConverter: Converter {
    private let feed: Feed
    private let key: MattermostKey
    /// Bytes without which a line is no post of the conversation.
    private let mark: [UInt8]
    private let tree = JSONTree()
    private var post: MattermostPost

    init(_ feed: Feed) {
        self.feed = feed
        key = MattermostKey(feed.setting)
        mark = Array((key.members.isEmpty ? "\"\(key.channel)\"" : "\"direct_post\"").utf8)
        post = MattermostPost(folder: SourceFile.folder(of: feed.file))
    }

    func convert(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter
    ) -> Int {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
            guard end != nil || isEnd else { break }
            let line = Bytes(rebasing: bytes[start..<(end ?? bytes.count)])
            convert(line, at: offset + Int64(start), &writer)
            start = (end ?? bytes.count - 1) + 1
        }
        guard start == 0, bytes.count > Record.longest else { return start }
        report("line is longer than 16 MB", offset, &writer)
        return bytes.count
    }

    private func convert(_ line: Bytes, at offset: Int64, _ writer: inout RecordWriter) {
        guard holdsMark(line) else { return }
        // Lines that are not valid JSON were reported when the channels were listed.
        guard let value = tree.parse(line, padding: 64), let type = value["type"]?.bytes else { return }
        if type == "post", key.members.isEmpty, let post = value["post"] {
            guard post["channel"]?.string == key.channel, post["team"]?.string ?? "" == key.team else { return }
            write(post, offset, &writer)
        } else if type == "direct_post", !key.members.isEmpty, let post = value["direct_post"] {
            if MattermostKey(members: post) == key { write(post, offset, &writer) }
        }
    }

    private func write(_ value: JSONValue, _ offset: Int64, _ writer: inout RecordWriter) {
        if let problem = post.write(value, into: &writer) { report(problem, offset, &writer) }
    }

    private func holdsMark(_ line: Bytes) -> Bool {
        guard let start = line.baseAddress else { return false }
        return mark.withUnsafeBytes { mark in
            guard let wanted = mark.baseAddress else { return false }
            let place = csj_find(
                start.assumingMemoryBound(to: CChar.self), line.count, wanted.assumingMemoryBound(to: CChar.self),
                mark.count)
            return place < line.count
        }
    }

    private func report(_ kind: String, _ byte: Int64, _ writer: inout RecordWriter) {
        writer.problem(ForeignProblem(file: feed.file, place: .byte(byte), kind: kind))
    }
}
