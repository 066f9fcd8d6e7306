internal import Formats
internal import Glibc
internal import Locks
internal import Matrix

/// The segments of a room.
final class RoomLog {
    /// The size in bytes from which on more events begin a new segment.
    private static let fullSegment: Int64 = 8 << 20
    /// How much of the end of a segment is looked at for events that are there already, in bytes.
    private static let tail = 4 << 20
    /// A larger segment is not looked through for a message.
    private static let mostSilent: Int64 = 512 << 10
    /// More events than a page around one has.
    private static let reach = 100

    private let folder: String
    /// In their order.
    private(set) var segments: [SegmentName]
    /// Whether an incomplete last line was looked for since the folder was opened.
    private var isMended = false

    /// - Parameter folder: of the conversation.
    init(_ folder: String) throws(DiskFailure) {
        self.folder = folder
        segments = try DiskFile.names(in: folder).compactMap { SegmentName(file: $0) }.sorted()
    }

    func path(of name: SegmentName) -> String { folder + "/" + name.file }

    /// The first line of a segment; nil if it is no head.
    func head(of name: SegmentName) throws(DiskFailure) -> SegmentHead? {
        let path = path(of: name)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw DiskFailure(path, code: errno) }
        defer { close(file) }
        let bytes = try DiskFile.read(file, path, from: 0, count: 64 << 10)
        guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
        return bytes[..<end].withUnsafeBytes { SegmentHead(line: $0) }
    }

    /// The places where events are missing, the newest first.
    func gaps() throws(DiskFailure) -> [SyncGap] {
        do {
            return try SyncGap.all(in: segments) { try head(of: $0) }
        } catch let error as DiskFailure {
            throw error
        } catch {
            throw DiskFailure("\(folder): \(error)")
        }
    }

    /// Whether the newest island, which begins after a gap, has no message: only reactions, say, or edits of older ones.
    /// - Parameter edge: the first segment of the island.
    func isSilent(after edge: SegmentName) throws(DiskFailure) -> Bool {
        for name in segments where name >= edge {
            // More events than one response has bring a message.
            guard try size(of: name) <= RoomLog.mostSilent else { return false }
            let bytes = try DiskFile.read(path(of: name)) ?? []
            if bytes.withUnsafeBytes({ $0.offset(of: "\"type\":\"message\"", from: 0) }) != nil { return false }
        }
        return true
    }

    /// The IDs of the last events.
    func lastIDs() throws(DiskFailure) -> Set<String> {
        guard let last = segments.last else { return [] }
        return try ids(in: last)
    }

    /// The IDs of the last events that were there when a gap of missed events was found, if pages of it may have them again: those
    /// of the first island may have come after the token at which the gap ends, and pages that go on after a page that was fetched
    /// forwards, by the graph, go past events that the server received before that token.
    func idsBefore(_ gap: SyncGap) throws(DiskFailure) -> Set<String> {
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
    /// - Parameter isAfter: whether the segments after it are meant; else those before it.
    func ids(from name: SegmentName, isAfter: Bool) throws(DiskFailure) -> Set<String> {
        guard var place = segments.firstIndex(of: name) else { return [] }
        var ids: Set<String> = []
        while segments.indices.contains(place), ids.count < RoomLog.reach {
            ids.formUnion(try allIDs(in: segments[place]))
            place += isAfter ? 1 : -1
        }
        return ids
    }

    /// The IDs of all events of a segment.
    func allIDs(in name: SegmentName) throws(DiskFailure) -> Set<String> {
        Lines.ids(in: try DiskFile.read(path(of: name)) ?? [])
    }

    /// The time of the first record of a segment, as the record says it.
    func firstTime(in name: SegmentName) throws(DiskFailure) -> String? {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        return Lines.find("\"at\":", in: try DiskFile.read(path(of: name)) ?? [], tree) { $0["at"]?.string }.first
    }

    /// The IDs of the last events of a segment.
    func ids(in name: SegmentName) throws(DiskFailure) -> Set<String> { Lines.ids(in: try end(of: name).bytes) }

    /// The ID of the last event of a segment, or of the first one.
    func edge(of name: SegmentName, isEnd: Bool) throws(DiskFailure) -> String? {
        let bytes = isEnd ? try end(of: name).bytes : try DiskFile.read(path(of: name)) ?? []
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        var edge: String?
        Lines.forEach(in: bytes) { line in
            guard isEnd || edge == nil, let id = Lines.id(of: line, tree) else { return }
            edge = id
        }
        return edge
    }

    /// Finds a reaction by the ID of its event, in the newest segments.
    func reaction(_ id: String) -> MatrixReaction? {
        last(with: "\"id\":\(JSONString.text(id))") { value in
            guard value["type"]?.string == "reaction", value["id"]?.string == id,
                let target = value["target"]?.string, let person = value["from"]?.string,
                let emoji = value["emoji"]?.string
            else { return nil }
            return MatrixReaction(target: target, person: person, emoji: emoji)
        }
    }

    /// Calls `body` with each line that has a text, in their order.
    func forEach(with needle: String, _ body: (JSONValue) -> Void) {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        for name in segments {
            guard let bytes = try? DiskFile.read(path(of: name)) else { continue }
            _ = Lines.find(needle, in: bytes, tree) { body($0) }
        }
    }

    /// The last line with a text, as `read` reads it, in the newest segments.
    func last<Value>(with needle: String, _ read: (JSONValue) -> Value?) -> Value? {
        var left: Int = 64 << 20
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        for name in segments.reversed() where left > 0 {
            guard let bytes = try? DiskFile.read(path(of: name)) else { continue }
            left -= bytes.count
            if let value = Lines.find(needle, in: bytes, tree, read).last { return value }
        }
        return nil
    }

    /// The segment that holds an event; nil if it is not here.
    func segment(holding event: String) -> SegmentName? {
        let needle = "\"id\":\(JSONString.text(event))"
        return segments.reversed().first { name in
            guard let bytes = try? DiskFile.read(path(of: name)) else { return false }
            return bytes.withUnsafeBytes { $0.offset(of: needle) } != nil
        }
    }

    /// The record with an ID, as `read` reads it.
    func record<Value>(_ id: String, _ read: (JSONValue) -> Value?) throws(DiskFailure) -> Value? {
        guard let name = segment(holding: id), let bytes = try DiskFile.read(path(of: name)) else { return nil }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        return Lines.find("\"id\":\(JSONString.text(id))", in: bytes, tree) { value in
            value["id"]?.string == id ? read(value) : nil
        }.first
    }

    // MARK: - Writing

    /// Adds a segment. It is there with all its lines, or not at all.
    func add(_ name: SegmentName, _ head: SegmentHead, _ lines: [UInt8]) throws(DiskFailure) {
        try DiskFile.replace(path(of: name), with: [head.line, lines], mode: 0o600)
        let place = segments.firstIndex { $0 >= name } ?? segments.endIndex
        guard place == segments.endIndex || segments[place] != name else { return }
        segments.insert(name, at: place)
    }

    /// Appends events to the last segment, or begins a new one after it.
    func append(_ lines: [UInt8]) throws(DiskFailure) {
        guard let last = segments.last, !lines.isEmpty else { return }
        let path = path(of: last)
        let size = try size(of: last)
        if size >= RoomLog.fullSegment, let next = last.after {
            return try add(next, SegmentHead(before: .segment(last)), lines)
        }
        try locked { () throws(DiskFailure) in
            let file = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
            guard file >= 0 else { throw DiskFailure(path, code: errno) }
            defer { close(file) }
            let start = try mend(file, path, last)
            do throws(DiskFailure) {
                try DiskFile.append(lines, to: file, path)
                guard fsync(file) == 0 else { throw DiskFailure(path, code: errno) }
            } catch {
                // The written part is cut off as well: the same lines come again.
                _ = ftruncate(file, off_t(start))
                throw error
            }
        }
    }

    /// Cuts off an incomplete last line, which a killed writer has left.
    /// - Returns: the size of the file.
    private func mend(_ file: CInt, _ path: String, _ name: SegmentName) throws(DiskFailure) -> Int64 {
        let size = try size(of: name)
        guard !isMended else { return size }
        isMended = true
        let (bytes, start) = try end(of: name)
        let whole = bytes.last == 0x0A || bytes.isEmpty ? bytes.count : (bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
        let length = start + Int64(whole)
        guard length < size else { return size }
        guard ftruncate(file, off_t(length)) == 0 else { throw DiskFailure(path, code: errno) }
        return length
    }

    /// The last bytes of a segment, and where they begin.
    private func end(of name: SegmentName) throws(DiskFailure) -> (bytes: [UInt8], start: Int64) {
        let path = path(of: name)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw DiskFailure(path, code: errno) }
        defer { close(file) }
        let size = Int(try size(of: name))
        let start = max(0, size - RoomLog.tail)
        return (try DiskFile.read(file, path, from: start, count: size - start), Int64(start))
    }

    private func size(of name: SegmentName) throws(DiskFailure) -> Int64 {
        var status = stat()
        guard lstat(path(of: name), &status) == 0 else { throw DiskFailure(path(of: name), code: errno) }
        return Int64(status.st_size)
    }

    /// Runs `body` while no other process writes into the conversation.
    private func locked(_ body: () throws(DiskFailure) -> Void) throws(DiskFailure) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DiskFailure(folder, code: errno) }
        defer { close(descriptor) }
        do {
            try FileLock.take(descriptor, LockPatience(limit: .seconds(10)))
        } catch FileLock.Failure.held(let holder) {
            throw DiskFailure("\(folder): locked by \(LockHolder.describe(holder))")
        } catch {
            throw DiskFailure("\(folder): \(error)")
        }
        try body()
    }
}
