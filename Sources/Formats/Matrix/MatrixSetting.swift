internal import JSON
/// The facts about a file that its converter needs, as the setting of a feed: words in the first line, paths of media in the
/// others.
struct MatrixSetting {
    /// The room whose events are converted; nil for all rooms.
    let room: String?
    let isElement: Bool
    let isDescending: Bool
    /// The place of the file among those of the room.
    let rank: Int
    let media: [String]

    init(room: String?, isElement: Bool, isDescending: Bool, rank: Int, media: [String]) {
        (self.room, self.isElement, self.isDescending) = (room, isElement, isDescending)
        (self.rank, self.media) = (rank, media)
    }

    init(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        room = words.first { $0.hasPrefix("!") }
        isElement = words.contains("element")
        isDescending = words.contains("descending")
        rank = words.lazy.compactMap { Int($0) }.first ?? 0
        media = lines.dropFirst().filter { !$0.isEmpty }
    }

    var text: String {
        let words = [room, isElement ? "element" : nil, isDescending ? "descending" : nil, "\(rank)"].compactMap { $0 }
        return ([words.joined(separator: " ")] + media).joined(separator: "\n")
    }
}

/// A file with events.
struct MatrixFile {
    let file: SourceFile
    /// The byte at which the events begin.
    let start: Int64
    /// True if Element wrote it: its events contain their reactions and edits.
    let isElement: Bool
    /// True if the newest event comes first.
    let isDescending: Bool
    let name: String?
    let topic: String?
    /// The ID of the person who exported it.
    let me: String?
    /// The room of the first event.
    let room: String?
    /// When the first event was sent, in milliseconds.
    let begin: Int64

    private static let headSize = 64 << 10

    /// The files that may contain events. Folders of other programs have thousands of JSON files, so only some are tried.
    static func candidates(_ source: Source) -> [SourceFile] {
        Array(source.candidates(".json", ".jsonl", ".ndjson").prefix(200))
    }

    /// Nil if the file contains no events.
    init?(_ file: SourceFile, _ source: Source) {
        guard var head = try? source.read(file, count: MatrixFile.headSize) else { return nil }
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { head.replaceSubrange(0..<3, with: Array("   ".utf8)) }
        guard var first = head.firstIndex(where: { $0 > 0x20 }) else { return nil }
        self.file = file
        // Lines before the first event are reported, but hide no event.
        let isOdd = head[first] != UInt8(ascii: "{") && head[first] != UInt8(ascii: "[")
        if isOdd {
            guard let line = head.offset(of: "\n{") else { return nil }
            first = line + 1
        }
        let header = MatrixFile.header(head, first)
        guard let found = MatrixFile.start(head, first) else { return nil }
        let place = isOdd ? 0 : found
        let events = MatrixFile.events(head, from: place, isEnd: file.size <= Int64(head.count))
        isElement = header?.isElement == true
        guard events.contains(where: \.isEvent) || isElement && events.isEmpty else { return nil }
        start = Int64(place)
        (name, topic, me) = (header?.name, header?.topic, header?.me)
        room = events.compactMap(\.room).first
        let times = events.compactMap(\.time)
        begin = times.first ?? 0
        isDescending =
            !isElement && MatrixFile.isDescending(times, isResponse: head[first] == UInt8(ascii: "{") && place > first)
    }

    /// True if the times of the first events are descending, so the newest event comes first. One event with a wrong time does
    /// not count.
    private static func isDescending(_ times: [Int64], isResponse: Bool) -> Bool {
        guard let first = times.first, let last = times.last, first > last else { return false }
        return times.count >= (isResponse ? 2 : 8) && zip(times, times.dropFirst()).allSatisfy { $0 >= $1 }
    }

    // MARK: - Header

    /// The keys before the messages of an export.
    private static func header(
        _ head: [UInt8], _ first: Int
    ) -> (name: String?, topic: String?, me: String?, isElement: Bool)? {
        guard head[first] == UInt8(ascii: "{") else { return nil }
        return JSONRecords.head(of: Array(head[first...]), before: "messages") { value in
            func filled(_ key: StaticString) -> String? { value[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
            return (
                filled("room_name"), filled("topic"), filled("exported_by").flatMap(person),
                value["room_name"] != nil && value["exported_by"] != nil
            )
        }?.result
    }

    /// The ID in `Exported by Ana (@ana:example.org)`.
    private static func person(_ text: String) -> String? {
        text.split(whereSeparator: { " ()".contains($0) }).last { $0.hasPrefix("@") && $0.contains(":") }.map(
            String.init)
    }

    // MARK: - Events

    /// The byte after the array's bracket, or the first byte of events that are one per line.
    private static func start(_ head: [UInt8], _ first: Int) -> Int? {
        if head[first] == UInt8(ascii: "[") { return first + 1 }
        guard head[first] == UInt8(ascii: "{") else { return nil }
        for key in ["\"messages\"", "\"chunk\""] {
            // The lines before the first event are skipped.
            guard let place = head.withUnsafeBytes({ $0.offset(of: key, from: first) }),
                let start = head[(place + key.utf8.count)...].start(ofValue: "["), isTopLevel(head, first, place)
            else { continue }
            return start
        }
        return first
    }

    /// True if a key belongs to the object that begins at `first`.
    private static func isTopLevel(_ head: [UInt8], _ first: Int, _ key: Int) -> Bool {
        (head[first..<key] + Array("\"\":0}".utf8)).withUnsafeBytes { JSONTree().parse($0) != nil }
    }

    private static func events(
        _ head: [UInt8], from start: Int, isEnd: Bool
    ) -> [(isEvent: Bool, room: String?, time: Int64?)] {
        var events: [(isEvent: Bool, room: String?, time: Int64?)] = []
        _ = head[start...].withUnsafeBytes { bytes in
            JSONRecords.first(in: bytes, isEnd: isEnd) { value -> Bool? in
                guard let event = value.map({ MatrixEvent($0) }) else { return nil }
                events.append((event.isEvent, event.room?.string, event.isEvent ? event.milliseconds : nil))
                return events.count < 64 ? nil : true
            }
        }
        return events
    }
}
