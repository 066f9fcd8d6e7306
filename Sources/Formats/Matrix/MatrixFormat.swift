internal import Files
internal import Dates
internal import JSON

/// Rooms of Matrix: exports of Element in JSON, and raw events as servers and bots write them.
///
/// Facts ([src]: the exporter's source, matrix-react-sdk, JSONExport.ts and Exporter.ts; [spec]: the Matrix
/// specification, client-server API):
/// - Element writes `{room_name, room_creator, topic, export_date, exported_by, messages: [event, …]}`, oldest first, and with
///   media a folder of `export.json`, `images/`, `videos/`, `audio/`, `files/`, `stickers/`. A file is named by its message: name,
///   "-", local time, extension. Reactions and edits are not separate events there. [src]
/// - Raw events are in an array, in `{"chunk": […]}` (a response to `/messages`, newest first unless it was asked otherwise), or
///   one a line. [spec]
/// - The order of events is that of the server. `origin_server_ts` is what the sender says, and orders nothing. [spec]
/// - A relation is in `content["m.relates_to"]`: `m.replace` with `m.new_content`, `m.annotation`, `m.thread`, `m.in_reply_to`.
///   The last edit is also in `unsigned["m.relations"]["m.replace"]`. [spec]
/// - A redacted event has lost its content, and has `unsigned.redacted_because`. The server has checked who may redact. [spec]
/// - Display names are only in `m.room.member`. [spec]
struct MatrixFormat: Format {
    let id = "matrix"
    let name = "Matrix events"
    let version = 3

    func recognise(_ source: Source) -> Recognition {
        for file in MatrixFile.candidates(source).prefix(20) where MatrixFile(file, source) != nil { return .certain }
        return .no
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
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

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        MatrixConverter(feed, state: context.state)
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? {
        id.hasPrefix("$") ? Array("\"\(id)\"".utf8) : nil
    }
}

/// Converts the events of a room.
final class MatrixConverter: Converter {
    private let setting: MatrixSetting
    private let reader: JSONArrayReader
    private let events: MatrixEvents
    /// The number of the next event.
    private var index: Int64

    init(_ feed: Feed, state: String?) {
        setting = MatrixSetting(feed.setting)
        events = MatrixEvents(setting)
        index = state.flatMap { Int64($0) } ?? 0
        // After the array's bracket there are no events.
        reader = JSONArrayReader(isDone: index < 0)
    }

    var state: String { "\(reader.isDone ? -1 : index)" }

    /// The sort key of an event: files are ordered by rank, and in some files the first event is the newest.
    private var key: Int64 {
        let first = Int64(setting.rank) << 40
        return setting.isDescending ? first + 1 << 39 - index : first + index
    }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        reader.read(bytes, at: offset, isEnd: isEnd, into: &writer) { value, writer in
            let event = MatrixEvent(value)
            if let room = setting.room, event.room?.bytes?.elementsEqual(room.utf8) != true { return nil }
            index += 1
            return events.convert(event, key: key, into: &writer)
        }.consumed
    }
}
