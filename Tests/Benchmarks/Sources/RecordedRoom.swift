import Files
import Formats
import Foundation
import Helper
import JSON
import Matrix
import MatrixHelper

/// The responses of a server that hold a whole room, and the work of mirroring it from them.
struct RecordedRoom {
    private static let room = "!harbour:example.org"
    private static let pageSize = 1_000

    private let sync: [UInt8]
    /// Pages of older events, the newest first.
    private let pages: [[UInt8]]

    /// - Parameter isFormatted: whether each text has marks, and HTML.
    init(count: Int, isFormatted: Bool = false) {
        func event(_ number: Int) -> String { RecordedRoom.event(number, isFormatted) }
        let newest = event(count)
        sync =
            Array(
                #"{"next_batch":"s1","rooms":{"join":{"\#(RecordedRoom.room)":{"timeline":{"limited":true,"prev_batch":"t\#(count)","#
                    .utf8) + Array(#""events":[\#(newest)]}}}}}"#.utf8)
        pages = stride(from: count, to: 0, by: -RecordedRoom.pageSize).map { end in
            let start = max(0, end - RecordedRoom.pageSize)
            let events = (start..<end).reversed().map(event).joined(separator: ",")
            let token = start == 0 ? "" : #","end":"t\#(start)""#
            return Array(#"{"chunk":[\#(events)],"start":"t\#(end)"\#(token)}"#.utf8)
        }
    }

    /// As Synapse sends it.
    private static func event(_ number: Int, _ isFormatted: Bool) -> String {
        let body =
            "\(number) The tide comes in at half past nine; whoever wants to sail should be at the berth by then."
        let content = isFormatted ? formatted(number, body) : #""body":"\#(body)""#
        let sender = "@person\(number % 40):example.org"
        return
            #"{"type":"m.room.message","sender":"\#(sender)","content":{"msgtype":"m.text",\#(content),"m.mentions":{}},"#
            + #""origin_server_ts":\#(1_772_000_000_000 + number * 1_000),"unsigned":{"membership":"join","age":\#(number)},"#
            + #""event_id":"$abcdefghijklmnopqrstuvwxyzabcdefghi\#(10_000_000 + number)","room_id":"\#(room)","#
            + #""user_id":"\#(sender)","age":\#(number)}"#
    }

    /// Each second text has HTML that says more than its marks, as in a message of several paragraphs.
    private static func formatted(_ number: Int, _ body: String) -> String {
        let html = number.isMultiple(of: 2) ? "<p>Now:</p>\\n<p>\(body)</p>" : "<strong>Now:</strong> \(body)"
        return #""body":"**Now:** \#(body)","format":"org.matrix.custom.html","formatted_body":"\#(html)""#
    }

    /// Reads all responses, and writes the archive with all that the helper writes, until it is on the disk.
    func run() {
        let path = NSTemporaryDirectory() + "/kedge-bench-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            try mirror(into: path)
        } catch {
            print("kedge: the archive cannot be written: \(error)")
            exit(1)
        }
    }

    private func mirror(into path: String) throws {
        let archive = try AccountArchive(path: path, me: "@me:example.org")
        let reader = SyncReader(events: archive.events)
        _ = try sync.withUnsafeBytes { sync in
            try reader.read(sync, facts: { archive.facts($0) }) { (news) throws(FileError) in
                try archive.apply(news, since: nil, isReplay: false)
            }
        }
        let tree = JSONTree()
        var gap = try archive.gaps(in: RecordedRoom.room).first
        archive.events.room = RecordedRoom.room
        for body in pages {
            guard let current = gap,
                let page = body.withUnsafeBytes({ EventsPage($0, .backward, tree: tree, events: archive.events) })
            else { return }
            try archive.add(page, .backward, to: current, in: RecordedRoom.room)
            gap = current.segment(for: page, .backward)?.rest
        }
    }
}
