package import ArchiveFormat
package import Files
internal import Glibc
package import JSON

/// The segments of a room.
package final class RoomLog {
    /// The bytes at the end of a segment in which known events are looked for.
    private static let tail: Int64 = 4 << 20
    /// In bytes: a larger segment is not read, but counts as one with a message.
    private static let mostSilent: Int64 = 512 << 10
    /// A number of events that no page around an event exceeds.
    private static let reach = 100

    private let folder: String
    /// In their order.
    package private(set) var segments: [SegmentName]
    /// True if an incomplete last line was looked for since the folder was opened.
    private var isMended = false

    /// - Parameter folder: the folder of the conversation.
    package init(_ folder: String) throws(FileError) {
        self.folder = folder
        segments = try DiskFile.names(in: folder).compactMap { SegmentName(file: $0) }.sorted()
    }

    package func path(of name: SegmentName) -> String { folder + "/" + name.file }

    /// The first line of a segment; nil if it is not a head.
    package func head(of name: SegmentName) throws(FileError) -> SegmentHead? {
        SegmentHead(of: try OpenFile(reading: path(of: name), follows: false).bytes(at: 0, count: SegmentHead.longest))
    }

    /// The places where events are missing, the newest first.
    package func gaps() throws(FileError) -> [SyncGap] {
        try SyncGap.all(in: segments) { (name) throws(FileError) in try head(of: name) }
    }

    /// True if the newest island, which begins after a gap, has no message: only reactions, say, or edits of older ones.
    /// - Parameter edge: the first segment of the island.
    package func isSilent(after edge: SegmentName) throws(FileError) -> Bool {
        for name in segments where name >= edge {
            // More events than one response has: one of them is a message.
            guard try size(of: name) <= RoomLog.mostSilent else { return false }
            let bytes = try DiskFile.read(path(of: name)) ?? []
            if bytes.withUnsafeBytes({ $0.offset(of: "\"type\":\"message\"", from: 0) }) != nil { return false }
        }
        return true
    }

    /// The IDs of the last events before a gap of missed events, if pages of the gap may repeat them. Those of the first island may
    /// have come after the token at which the gap ends. And pages that continue after one fetched forwards follow the graph, past
    /// events that the server received before that token.
    package func idsBefore(_ gap: SyncGap) throws(FileError) -> Set<String> {
        guard var place = gap.older.flatMap({ segments.firstIndex(of: $0) }) else { return [] }
        let last = place
        while place > 0, let head = try head(of: segments[place]), head.end != nil,
            head.before == .segment(segments[place - 1])
        {
            place -= 1
        }
        return place < last || segments[place] == .first ? try ids(in: segments[place]) : []
    }

    /// The IDs of the events of a segment, and of those beyond it, as far as a page around an event may reach.
    /// - Parameter isAfter: true for the segments after it, false for those before it.
    package func ids(from name: SegmentName, isAfter: Bool) throws(FileError) -> Set<String> {
        guard var place = segments.firstIndex(of: name) else { return [] }
        var ids: Set<String> = []
        while segments.indices.contains(place), ids.count < RoomLog.reach {
            ids.formUnion(try allIDs(in: segments[place]))
            place += isAfter ? 1 : -1
        }
        return ids
    }

    /// The IDs of all events of a segment.
    package func allIDs(in name: SegmentName) throws(FileError) -> Set<String> {
        Lines.ids(in: try DiskFile.read(path(of: name)) ?? [])
    }

    /// The time of the first record of a segment, as the record says it.
    package func firstTime(in name: SegmentName) throws(FileError) -> String? {
        Lines.find("\"at\":", in: try DiskFile.read(path(of: name)) ?? []) { $0["at"]?.string }.first
    }

    /// The IDs of the last events of a segment.
    package func ids(in name: SegmentName) throws(FileError) -> Set<String> { Lines.ids(in: try end(of: name)) }

    /// The ID of the last event of a segment if `isEnd`, else of the first one.
    package func edge(of name: SegmentName, isEnd: Bool) throws(FileError) -> String? {
        let bytes = isEnd ? try end(of: name) : try DiskFile.read(path(of: name)) ?? []
        var edge: String?
        Lines.forEach(in: bytes) { record in
            if isEnd || edge == nil, let id = Lines.id(of: record) { edge = id }
        }
        return edge
    }

    /// Calls `body` with each line that has a text, in their order.
    package func forEach(with needle: String, _ body: (JSONValue) -> Void) {
        for name in segments {
            guard let bytes = try? DiskFile.read(path(of: name)) else { continue }
            _ = Lines.find(needle, in: bytes) { body($0) }
        }
    }

    /// The last line with a text, as `read` reads it, in the newest segments.
    package func last<Value>(with needle: String, _ read: (JSONValue) -> Value?) -> Value? {
        var left: Int = 64 << 20
        for name in segments.reversed() where left > 0 {
            guard let bytes = try? DiskFile.read(path(of: name)) else { continue }
            left -= bytes.count
            if let value = Lines.find(needle, in: bytes, read).last { return value }
        }
        return nil
    }

    /// The segment that holds an event; nil if it is not here.
    package func segment(holding event: String) -> SegmentName? {
        let needle = "\"id\":\(JSONText(event))"
        return segments.reversed().first { name in
            guard let bytes = try? DiskFile.read(path(of: name)) else { return false }
            return bytes.withUnsafeBytes { $0.offset(of: needle) } != nil
        }
    }

    /// The record with an ID, as `read` reads it.
    package func record<Value>(_ id: String, _ read: (JSONValue) -> Value?) throws(FileError) -> Value? {
        guard let name = segment(holding: id), let bytes = try DiskFile.read(path(of: name)) else { return nil }
        return Lines.find("\"id\":\(JSONText(id))", in: bytes) { value in
            value["id"]?.string == id ? read(value) : nil
        }.first
    }

    // MARK: - Writing

    /// Adds a segment. It is there with all its lines, or not at all.
    package func add(_ name: SegmentName, _ head: SegmentHead, _ lines: [UInt8]) throws(FileError) {
        try DiskFile.replace(path(of: name), with: [head.line, lines])
        let place = segments.firstIndex { $0 >= name } ?? segments.endIndex
        guard place == segments.endIndex || segments[place] != name else { return }
        segments.insert(name, at: place)
    }

    /// Appends events to the last segment, or begins a new one after it.
    package func append(_ lines: [UInt8]) throws(FileError) {
        guard let last = segments.last, !lines.isEmpty else { return }
        if try size(of: last) >= SegmentFile.full, let next = last.after {
            return try add(next, SegmentHead(before: .segment(last)), lines)
        }
        let lock = try OpenFile(folder: folder)
        try lock.lock(LockPatience(limit: .seconds(10)))
        let file = try OpenFile(appendingTo: path(of: last))
        try mend(file)
        // A partial write is cut off: the same lines come again.
        try file.append(lines, isSynced: true)
        withExtendedLifetime(lock) {}
    }

    /// Cuts off an incomplete last line, which a killed writer has left.
    private func mend(_ file: borrowing OpenFile) throws(FileError) {
        guard !isMended else { return }
        isMended = true
        let (bytes, start) = try RoomLog.end(of: file.path)
        guard let last = bytes.last, last != 0x0A else { return }
        try file.cut(to: start + Int64(bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0))
    }

    /// The last bytes of a segment.
    private func end(of name: SegmentName) throws(FileError) -> [UInt8] {
        try RoomLog.end(of: path(of: name)).bytes
    }

    /// The last bytes of a segment, and their offset.
    private static func end(of path: String) throws(FileError) -> (bytes: [UInt8], start: Int64) {
        let file = try OpenFile(reading: path, follows: false)
        let size = try file.status().size
        let start = max(0, size - tail)
        return (try file.bytes(at: start, count: Int(size - start)), start)
    }

    private func size(of name: SegmentName) throws(FileError) -> Int64 {
        try Disk.existing(path(of: name), follows: false).size
    }
}
