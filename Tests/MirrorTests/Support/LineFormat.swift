import Dates
import JSON

@testable import Formats

/// A format for tests: a file `NAME.lines` is the conversation NAME, each of its lines `ID TEXT` a message; the number of the ID is
/// the time. The lines of `NAME.keyed` are ordered by their numbers, from all files whose names begin with NAME.
struct LineFormat: Format {
    let id = "lines"
    let name = "lines"

    func recognise(_ source: Source) -> Recognition {
        source.files.contains { $0.path.hasSuffix(".lines") || $0.path.hasSuffix(".keyed") } ? .certain : .no
    }

    func archive(in source: Source) -> ForeignArchive {
        var conversations: [ForeignConversation] = []
        for file in source.files {
            let id = String(file.name.split(separator: ".").first ?? "")
            let isKeyed = file.path.hasSuffix(".keyed")
            guard isKeyed || file.path.hasSuffix(".lines") else { continue }
            let feed = Feed(file: file.path, rank: conversations.count, grows: !isKeyed)
            if let place = conversations.firstIndex(where: { $0.id == id }) {
                conversations[place].feeds.append(feed)
            } else {
                conversations.append(
                    ForeignConversation(
                        id: id, aliases: ["alias-\(id)"], feeds: [feed], order: isKeyed ? .byKey : .sequence))
            }
        }
        return ForeignArchive(name: "Lines", conversations: conversations)
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        LineConverter(state: context.state, zone: context.zone)
    }

    func cut(_ bytes: UnsafeRawBufferPointer, of feed: Feed) -> Int? {
        bytes.firstIndex(of: 0x0A).map { $0 + 1 }
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? { Array("\n\(id) ".utf8) }
}

/// Counts its lines, so that a test sees whether its state was kept.
final class LineConverter: Converter {
    private var count: Int
    private let zone: Zone

    init(state: String?, zone: Zone) {
        count = state.flatMap { Int($0) } ?? 0
        self.zone = zone
    }

    var state: String { "\(count)" }

    func convert(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter
    ) -> Int {
        var start = 0
        while let end = bytes[start...].firstIndex(of: 0x0A) ?? (isEnd && start < bytes.count ? bytes.count : nil) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            start = min(end + 1, bytes.count)
            let id = UnsafeRawBufferPointer(rebasing: line.prefix { $0 != 0x20 })
            guard !id.isEmpty else { continue }
            count += 1
            let number = Int64(id.string.drop { !$0.isNumber }) ?? 0
            let shift = zone.offset(Timestamp(milliseconds: 0)) * 1_000
            writer.message(id: id, at: Timestamp(milliseconds: number * 1_000 - shift), key: number)
            writer.text("text", UnsafeRawBufferPointer(rebasing: line.dropFirst(id.count + 1)))
            writer.end()
        }
        return start
    }
}
