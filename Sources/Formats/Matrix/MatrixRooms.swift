/// Collects the rooms of all files.
struct MatrixRooms {
    private struct Room {
        let id: String?
        var name: String?
        var alias: String?
        var topic: String?
        var feeds: [(file: MatrixFile, filter: Bool)] = []
    }

    private let source: Source
    private var rooms: [Room] = []

    init(_ source: Source) { self.source = source }

    mutating func add(_ file: MatrixFile) throws(SourceError) {
        let ids = file.isElement ? [] : try roomIDs(of: file)
        if ids.count > 1 {
            for id in ids { try add(file, room: id, filter: true) }
        } else {
            try add(file, room: file.room ?? ids.first, filter: false)
        }
    }

    private mutating func add(_ file: MatrixFile, room id: String?, filter: Bool) throws(SourceError) {
        let index = id.flatMap { id in rooms.firstIndex { $0.id == id } } ?? rooms.count
        if index == rooms.count { rooms.append(Room(id: id)) }
        rooms[index].feeds.append((file, filter))
        rooms[index].topic = file.topic ?? rooms[index].topic
        if let name = file.name {
            rooms[index].name = name
        } else if let name = try state("m.room.name", "name", in: file, room: filter ? id : nil) {
            rooms[index].name = name
        }
        if let alias = try state("m.room.canonical_alias", "alias", in: file, room: filter ? id : nil) {
            rooms[index].alias = alias
        }
    }

    private func roomIDs(of file: MatrixFile) throws(SourceError) -> [String] {
        let key = Array("\"room_id\"".utf8)
        var ids: [String] = []
        var last: [UInt8] = []
        try source.search(key, in: file.file, from: file.start, context: 300) { _, text in
            let value = text.dropFirst(key.count).drop { $0 <= 0x20 || $0 == UInt8(ascii: ":") }
            guard value.first == UInt8(ascii: "\"") else { return true }
            let id = value.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
            guard id.first == UInt8(ascii: "!"), !id.elementsEqual(last) else { return true }
            last = Array(id)
            let text = String(decoding: id, as: UTF8.self)
            if !ids.contains(text) { ids.append(text) }
            return true
        }
        return ids
    }

    // MARK: - Names

    /// The text that the last event of a type sets, among the first thousand.
    private func state(
        _ type: String, _ key: StaticString, in file: MatrixFile, room: String?
    ) throws(SourceError) -> String? {
        let places = try source.offsets(of: Array("\"\(type)\"".utf8), in: file.file, from: file.start, limit: 1_000)
        for place in places.reversed() {
            let from = max(file.start, place - 16 << 10)
            let window = try source.read(file.file, at: from, count: 64 << 10)
            if let text = MatrixRooms.state(type, key, in: window, at: Int(place - from), room: room) { return text }
        }
        return nil
    }

    /// The text of the event around a place: that of the nearest brace from which the text is an event of the type.
    private static func state(
        _ type: String, _ key: StaticString, in window: [UInt8], at place: Int, room: String?
    ) -> String? {
        let tree = JSONTree()
        var brace = place
        var tries = 0
        while tries < 64, let next = window[..<min(brace, window.count)].lastIndex(of: UInt8(ascii: "{")) {
            (brace, tries) = (next, tries + 1)
            let text = window[brace...].withUnsafeBytes { bytes -> String?? in
                var splitter = RecordSplitter(bytes, isEnd: false)
                guard case .record(let range) = splitter.next(), let value = tree.parse(Bytes(rebasing: bytes[range])),
                    value["type"]?.bytes?.elementsEqual(type.utf8) == true
                else { return nil }
                if let room, value["room_id"]?.string != room { return .some(nil) }
                return .some(value["content"]?[key]?.string.flatMap { $0.isEmpty ? nil : $0 })
            }
            if let text { return text }
        }
        return nil
    }

    // MARK: - Conversations

    /// The ID of a conversation is made of the room's alias, its name, or its own ID; where several rooms would have the same,
    /// each carries its own ID too.
    var conversations: [ForeignConversation] {
        var uses: [String: Int] = [:]
        for room in rooms { uses[MatrixRooms.slug(room), default: 0] += 1 }
        return rooms.enumerated().map { index, room in
            let slug = MatrixRooms.slug(room)
            let more = uses[slug] == 1 ? "" : "-" + (room.id.map { Slug.of($0) } ?? "\(index + 1)")
            var conversation = ForeignConversation(id: slug + more, title: room.name ?? room.alias ?? room.id)
            conversation.topic = room.topic
            conversation.aliases = [room.id, room.alias].compactMap { $0 }
            let isDescending = room.feeds.contains { $0.file.isDescending }
            conversation.order = isDescending || room.feeds.count > 1 ? .byKey : .sequence
            conversation.feeds = feeds(of: room)
            return conversation
        }
    }

    private static func slug(_ room: Room) -> String {
        let names = [
            room.alias.map { String($0.prefix { $0 != ":" }) }, room.name,
            room.id.map { String($0.prefix { $0 != ":" }) },
        ]
        return names.lazy.compactMap { $0 }.map(Slug.of).first { !$0.isEmpty } ?? "room"
    }

    /// Files of one room follow each other as their first events do.
    private func feeds(of room: Room) -> [Feed] {
        room.feeds.sorted { ($0.file.begin, $0.file.file.path) < ($1.file.begin, $1.file.file.path) }.enumerated().map {
            rank, feed in
            let setting = MatrixSetting(
                room: feed.filter ? room.id : nil, isElement: feed.file.isElement, isDescending: feed.file.isDescending,
                rank: rank, media: feed.file.isElement ? media(beside: feed.file.file) : [])
            return Feed(file: feed.file.file.path, start: feed.file.start, setting: setting.text, rank: rank)
        }
    }

    /// The files that Element put beside the export.
    private func media(beside file: SourceFile) -> [String] {
        let folder = file.folder.isEmpty ? "" : file.folder + "/"
        return source.files.lazy.map(\.path).filter { path in
            path.hasPrefix(folder)
                && ["images/", "videos/", "audio/", "files/", "stickers/"].contains {
                    path.dropFirst(folder.count).hasPrefix($0)
                }
                && !path.contains("\n")
        }
    }
}
