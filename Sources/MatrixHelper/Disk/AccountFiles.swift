internal import Formats
internal import Glibc
internal import Matrix

/// The rooms to which this account is invited, as invitations.json keeps them: in the order in which they came.
struct InvitationsFile {
    private let path: String
    private(set) var all: [RoomInvitation] = []

    init(path: String) throws(DiskFailure) {
        self.path = path
        all = try DiskFile.read(path)?.withUnsafeBytes { RoomInvitation.all(file: $0) } ?? []
    }

    func holds(_ room: String) -> Bool { all.contains { $0.room == room } }

    /// Takes invitations that have come, and forgets those that were answered.
    /// - Parameter isWhole: whether there are no others than these.
    /// - Returns: whether anything was new.
    mutating func take(
        _ invitations: [RoomInvitation], answered: Set<String>, isWhole: Bool
    ) throws(DiskFailure) -> Bool {
        let given = Set(invitations.map(\.room))
        var new = all.filter { !answered.contains($0.room) && (!isWhole || given.contains($0.room)) }
        for invitation in invitations {
            if let place = new.firstIndex(where: { $0.room == invitation.room }) {
                new[place] = invitation
            } else {
                new.append(invitation)
            }
        }
        guard new != all else { return false }
        try DiskFile.replace(path, with: [RoomInvitation.file(new)])
        all = new
        return true
    }
}

/// The spaces of an account, with the conversations in each, as spaces.json keeps them.
struct SpacesFile {
    private let path: String
    private var spaces: [String: RoomFacts] = [:]
    /// What the file holds; nil without a file.
    private var content: [UInt8]?

    init(path: String) throws(DiskFailure) {
        self.path = path
        content = try DiskFile.read(path)
        for space in content?.withUnsafeBytes({ SpaceGroups.spaces(file: $0) }) ?? [] { spaces[space.room] = space }
    }

    /// Whether all spaces of the account are known. An archive of an older version has no file.
    var isComplete: Bool { content != nil }

    subscript(room: String) -> RoomFacts? { spaces[room] }

    /// Takes what is new about a space.
    mutating func take(_ facts: RoomFacts) { spaces[facts.room] = facts.hasLeft ? nil : facts }

    /// Writes the file, if anything in it is new.
    /// - Parameter rooms: all rooms, with their conversations.
    /// - Returns: whether it was written.
    mutating func write(_ rooms: [(facts: RoomFacts, conversation: String)]) throws(DiskFailure) -> Bool {
        let file = SpaceGroups(Array(spaces.values), rooms: rooms).file
        guard file != content else { return false }
        try DiskFile.replace(path, with: [file])
        content = file
        return true
    }
}

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

/// How far an archive follows its server: the last token, and the response that is being written into the logs.
///
///     response → journal → logs → token
///
/// A process that is killed between two of these leaves a journal whose response the next one writes into the logs.
struct SyncState {
    struct Journal {
        /// The token that the response follows.
        let since: String?
        let body: ResponseBody
    }

    private let folder: String
    private var statePath: String { folder + "/sync.json" }
    private var journalPath: String { folder + "/journal" }
    private var firstPath: String { folder + "/first.json" }

    /// - Parameter folder: `matrix` in the archive.
    init(folder: String) { self.folder = folder }

    /// Up to which token the logs hold everything; nil before the first response.
    func token() throws(DiskFailure) -> String? { try SyncState.read(statePath) { $0["since"]?.string } }

    /// Whether the logs may hold more than everything up to their token: the first look at an account came after it.
    func isFirst() throws(DiskFailure) -> Bool { try SyncState.read(statePath) { $0["first"]?.isTrue } ?? false }

    /// The token at which a first look began that has not ended; nil without one.
    func first() throws(DiskFailure) -> String? { try SyncState.read(firstPath) { $0["since"]?.string } }

    private static func read<Value>(
        _ path: String, _ read: (JSONValue) -> Value?
    ) throws(DiskFailure) -> Value? {
        guard let bytes = try DiskFile.read(path, longest: 1 << 20) else { return nil }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        return bytes.withUnsafeBytes { tree.parse($0).flatMap(read) }
    }

    /// The response that was written last; nil if there is none.
    func journal() throws(DiskFailure) -> Journal? {
        guard let file = try DiskFile.open(journalPath, longest: 1 << 30) else { return nil }
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        // The token of the server is not longer than this.
        let start = try DiskFile.read(file, journalPath, from: 0, count: 64 << 10)
        let end = start.firstIndex(of: 0x0A) ?? 0
        let body = try ResponseBody(file: file, from: end + 1)
        return start[..<end].withUnsafeBytes { line in
            guard let value = tree.parse(line), value.isObject else { return nil }
            return Journal(since: value["since"]?.string, body: body)
        }
    }

    func write(_ journal: Journal) throws(DiskFailure) {
        try DiskFile.replace(journalPath, with: [SyncState.line(journal.since)], and: journal.body)
    }

    /// Says that the first look at the account begins.
    func begin(with token: String) throws(DiskFailure) {
        try DiskFile.replace(firstPath, with: [SyncState.line(token)])
    }

    /// Says that the first look is given up.
    func forgetFirst() throws(DiskFailure) {
        guard unlink(firstPath) == 0 || errno == ENOENT else { throw DiskFailure(firstPath, code: errno) }
    }

    /// Says that the logs hold everything up to a token.
    /// - Parameter isFirst: whether the first look at the account ends with it.
    func commit(_ token: String, isFirst: Bool = false) throws(DiskFailure) {
        try DiskFile.replace(statePath, with: [SyncState.line(token, isFirst: isFirst)])
        if isFirst { unlink(firstPath) }
        // Without it the next start has less to read; with it, it finds that nothing is left to do.
        unlink(journalPath)
    }

    /// Forgets the token: everything is asked for as if for the first time.
    func forget() throws(DiskFailure) {
        guard unlink(statePath) == 0 || errno == ENOENT else { throw DiskFailure(statePath, code: errno) }
        try DiskFile.syncNames(of: folder)
    }

    private static func line(_ token: String?, isFirst: Bool = false) -> [UInt8] {
        Array("{\"since\":\(token.map(JSONString.text) ?? "null")\(isFirst ? ",\"first\":true" : "")}\n".utf8)
    }
}
