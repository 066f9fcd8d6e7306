/// The facts about a file that its converter needs, as a feed carries them: words in the first line, paths of media in the others.
struct MatrixSetting {
    /// The room whose events count; nil for all.
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
    /// Whether Element wrote it: reactions and edits then stand in the events themselves.
    let isElement: Bool
    /// Whether the newest event comes first.
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

    /// The files that may hold events. Folders of other programs hold thousands of JSON files: of these a few are enough.
    static func candidates(_ source: Source) -> [SourceFile] {
        Array(source.candidates(".json", ".jsonl", ".ndjson").prefix(200))
    }

    /// Nil if the file holds no events.
    init?(_ file: SourceFile, _ source: Source) {
        guard var head = try? source.read(file, count: MatrixFile.headSize) else { return nil }
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { head.replaceSubrange(0..<3, with: Array("   ".utf8)) }
        guard var first = head.firstIndex(where: { $0 > 0x20 }) else { return nil }
        self.file = file
        // Lines before the first event are reported, and hide none.
        let isOdd = head[first] != UInt8(ascii: "{") && head[first] != UInt8(ascii: "[")
        if isOdd {
            guard let line = Source.firstOffset(of: Array("\n{".utf8), in: head) else { return nil }
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

    /// Whether the first events of a file stand in an order that times have only if the newest comes first. A single event with a
    /// wrong time tells nothing.
    private static func isDescending(_ times: [Int64], isResponse: Bool) -> Bool {
        guard let first = times.first, let last = times.last, first > last else { return false }
        return times.count >= (isResponse ? 2 : 8) && zip(times, times.dropFirst()).allSatisfy { $0 >= $1 }
    }

    // MARK: - Header

    private struct Header {
        var name: String?
        var topic: String?
        var me: String?
        var isElement: Bool
    }

    /// A text in the lines before the first event is no key.
    private static func place(of key: String, in head: [UInt8], from first: Int) -> Int? {
        Source.firstOffset(of: Array(key.utf8), in: Array(head[first...])).map { first + $0 }
    }

    /// The keys before the messages of an export.
    private static func header(_ head: [UInt8], _ first: Int) -> Header? {
        guard head[first] == UInt8(ascii: "{"),
            let key = MatrixFile.place(of: "\"messages\"", in: head, from: first)
        else { return nil }
        let text = head[first..<key] + Array("\"messages\":0}".utf8)
        return text.withUnsafeBytes { bytes -> Header? in
            let tree = JSONTree()
            guard let value = tree.parse(bytes) else { return nil }
            func filled(_ key: StaticString) -> String? { value[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
            return Header(
                name: filled("room_name"), topic: filled("topic"), me: filled("exported_by").flatMap(person),
                isElement: value["room_name"] != nil && value["exported_by"] != nil)
        }
    }

    /// The ID in `Exported by Ana (@ana:example.org)`.
    private static func person(_ text: String) -> String? {
        text.split(whereSeparator: { " ()".contains($0) }).last { $0.hasPrefix("@") && $0.contains(":") }.map(
            String.init)
    }

    // MARK: - Events

    private struct Event {
        let isEvent: Bool
        let room: String?
        let time: Int64?
    }

    /// The byte after the bracket of the events, or the first byte of events that stand in lines.
    private static func start(_ head: [UInt8], _ first: Int) -> Int? {
        if head[first] == UInt8(ascii: "[") { return first + 1 }
        guard head[first] == UInt8(ascii: "{") else { return nil }
        for key in ["\"messages\"", "\"chunk\""] {
            guard let place = MatrixFile.place(of: key, in: head, from: first),
                let colon = head[(place + key.utf8.count)...].firstIndex(where: { $0 > 0x20 }),
                head[colon] == UInt8(ascii: ":"), let bracket = head[(colon + 1)...].firstIndex(where: { $0 > 0x20 }),
                head[bracket] == UInt8(ascii: "["), isTopLevel(head, first, place)
            else { continue }
            return bracket + 1
        }
        return first
    }

    /// Whether a key belongs to the object that begins at `first`.
    private static func isTopLevel(_ head: [UInt8], _ first: Int, _ key: Int) -> Bool {
        (head[first..<key] + Array("\"\":0}".utf8)).withUnsafeBytes { JSONTree().parse($0) != nil }
    }

    private static func events(_ head: [UInt8], from start: Int, isEnd: Bool) -> [Event] {
        let tree = JSONTree()
        var events: [Event] = []
        head[start...].withUnsafeBytes { bytes in
            var splitter = RecordSplitter(bytes, isEnd: isEnd)
            while let piece = splitter.next(), events.count < 64 {
                guard case .record(let range) = piece, let value = tree.parse(Bytes(rebasing: bytes[range])) else {
                    continue
                }
                let event = MatrixEvent(value)
                events.append(
                    Event(
                        isEvent: event.isEvent, room: event.room?.string, time: event.isEvent ? event.milliseconds : nil
                    ))
            }
        }
        return events
    }
}
