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
