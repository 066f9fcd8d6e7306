package import Dates

/// Rooms of Matrix: exports of Element in JSON, and raw events as servers and bots write them.
///
/// Facts ([src]: the exporter's source, matrix-react-sdk, JSONExport.ts and Exporter.ts; [spec]: the Matrix
/// specification, client-server API):
/// - Element writes `{room_name, room_creator, topic, export_date, exported_by, messages: [event, …]}`, oldest first, and with
///   media a folder of `export.json`, `images/`, `videos/`, `audio/`, `files/`, `stickers/`. A file is named by its message: name,
///   "-", local time, extension. Reactions and edits are no events of their own there. [src]
/// - Raw events stand in an array, in `{"chunk": […]}` (a response to `/messages`, newest first unless it was asked otherwise), or
///   one a line. [spec]
/// - The order of events is that of the server. `origin_server_ts` is what the sender says, and orders nothing. [spec]
/// - A relation stands in `content["m.relates_to"]`: `m.replace` with `m.new_content`, `m.annotation`, `m.thread`,
///   `m.in_reply_to`. The last edit also stands in `unsigned["m.relations"]["m.replace"]`. [spec]
/// - A redacted event has lost its content, and has `unsigned.redacted_because`. The server has checked who may redact. [spec]
/// - Display names stand in `m.room.member` only. [spec]
package struct MatrixFormat: Format {
    package let id = "matrix"
    package let name = "Matrix events"
    package let version = 2

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        for file in MatrixFile.candidates(source).prefix(20) where MatrixFile(file, source) != nil { return .certain }
        return .no
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive()
        var rooms = MatrixRooms(source)
        for file in MatrixFile.candidates(source) {
            guard let found = MatrixFile(file, source) else { continue }
            archive.me = archive.me ?? found.me
            try rooms.add(found)
        }
        archive.conversations = rooms.conversations
        return archive
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        MatrixConverter(feed, state: state)
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? {
        id.hasPrefix("$") ? Array("\"\(id)\"".utf8) : nil
    }
}

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
