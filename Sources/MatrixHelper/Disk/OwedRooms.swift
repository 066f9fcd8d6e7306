internal import Formats
internal import Matrix

/// The rooms that could not be written, as matrix/owed.json keeps them: the logs of all others go on.
///
///     /sync → a room's folder refuses it → the token after which its events are missing, and its facts → the other rooms
///     the folder takes it again → an island without events, which begins with a gap back to that token → pages
///
/// The server has all events, so none of them is kept here: it takes a line a room, however long that lasts.
struct OwedRooms {
    struct Room: Hashable {
        /// The token up to which the log holds everything; nil for a room that was never written.
        let since: String?
        var facts: RoomFacts
    }

    private let path: String
    private(set) var rooms: [String: Room] = [:]

    /// - Parameter folder: `matrix` in the archive.
    init(folder: String) throws(DiskFailure) {
        path = folder + "/owed.json"
        guard let bytes = try DiskFile.read(path) else { return }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        for value in bytes.withUnsafeBytes({ tree.parse($0) })?.elements.map({ $0 }) ?? [] {
            guard let facts = value["facts"].flatMap({ RoomFacts(file: $0) }) else { continue }
            rooms[facts.room] = Room(since: value["since"]?.string, facts: facts)
        }
    }

    /// Records that a room was not written.
    /// - Parameter since: the token that the response follows.
    mutating func add(_ facts: RoomFacts, since: String?) throws(DiskFailure) {
        let new = Room(since: rooms[facts.room].map(\.since) ?? since, facts: facts)
        guard rooms[facts.room] != new else { return }
        rooms[facts.room] = new
        try write()
    }

    /// Forgets a room that is written.
    mutating func remove(_ room: String) throws(DiskFailure) {
        guard rooms.removeValue(forKey: room) != nil else { return }
        try write()
    }

    private func write() throws(DiskFailure) {
        let lines = rooms.sorted { $0.key < $1.key }.map { _, room in
            let facts = String(decoding: room.facts.file(conversation: "", person: { $0 }), as: UTF8.self)
            return "{\"since\":\(room.since.map(JSONString.text) ?? "null"),\"facts\":\(facts.dropLast())}"
        }
        try DiskFile.replace(path, with: [Array("[\(lines.joined(separator: ",\n"))]\n".utf8)])
    }
}
