internal import ArchiveFormat
internal import Files
internal import Formats
internal import Helper
internal import JSON
internal import Matrix

/// The parts of the list of rooms that are not rooms: spaces and invitations.
struct RoomList {
    private(set) var spaces: SpacesFile
    private(set) var invitations: InvitationsFile
    /// Counts the changes of the list of rooms: titles, successors, spaces and invitations.
    var changes = 0

    init(_ paths: ArchivePaths) throws(FileError) {
        spaces = try SpacesFile(path: paths.spaces)
        invitations = try InvitationsFile(path: paths.invitations)
    }

    /// Applies the spaces and invitations of a response.
    /// - Parameters:
    ///   - isWhole: true if the response has all that there are, in all its parts.
    ///   - rooms: all rooms, with their conversations.
    mutating func take(
        _ response: SyncResponse, isWhole: Bool, _ rooms: [(facts: RoomFacts, conversation: String)]
    ) throws(FileError) {
        for news in response.rooms where news.facts.isSpace { spaces.take(news.facts) }
        guard response.isLast else { return }
        if try invitations.take(response.invitations, answered: response.answered, isWhole: isWhole) {
            changes += 1
        }
        // Otherwise the file would say that it has all spaces.
        guard isWhole || spaces.isComplete else { return }
        if try spaces.write(rooms) { changes += 1 }
    }
}

extension RoomFacts {
    /// True if a list of rooms shows it in another way.
    func isListed(differentlyFrom other: RoomFacts) -> Bool {
        title { $0 } != other.title { $0 } || topic != other.topic || replacement != other.replacement
            || hasLeft != other.hasLeft || isEncrypted != other.isEncrypted || callers != other.callers
    }
}

/// The rooms to which this account is invited, as invitations.json keeps them: in the order in which they came.
struct InvitationsFile {
    private let path: String
    private(set) var all: [InvitationEntry] = []

    init(path: String) throws(FileError) {
        self.path = path
        all = try DiskFile.read(path)?.withUnsafeBytes { try? InvitationEntry.all(in: $0) } ?? []
    }

    func holds(_ room: String) -> Bool { all.contains { $0.id == room } }

    /// Adds invitations that have come, and forgets those that were answered.
    /// - Parameter isWhole: true if there are no others than these.
    /// - Returns: true if anything was new.
    mutating func take(
        _ invitations: [InvitationEntry], answered: Set<String>, isWhole: Bool
    ) throws(FileError) -> Bool {
        let given = Set(invitations.map(\.id))
        var new = all.filter { !answered.contains($0.id) && (!isWhole || given.contains($0.id)) }
        for invitation in invitations {
            if let place = new.firstIndex(where: { $0.id == invitation.id }) {
                new[place] = invitation
            } else {
                new.append(invitation)
            }
        }
        guard new != all else { return false }
        try DiskFile.replace(path, with: [InvitationEntry.file(new)])
        all = new
        return true
    }
}

/// The spaces of an account, with the conversations in each, as spaces.json keeps them.
struct SpacesFile {
    private let path: String
    private var spaces: [String: RoomFacts] = [:]
    /// The content of the file; nil without a file.
    private var content: [UInt8]?

    init(path: String) throws(FileError) {
        self.path = path
        content = try DiskFile.read(path)
        for space in content?.withUnsafeBytes({ SpaceEntry.spaces(file: $0) }) ?? [] { spaces[space.room] = space }
    }

    /// True if all spaces of the account are known. An archive of an older version has no file.
    var isComplete: Bool { content != nil }

    subscript(room: String) -> RoomFacts? { spaces[room] }

    /// Applies new facts about a space.
    mutating func take(_ facts: RoomFacts) { spaces[facts.room] = facts.hasLeft ? nil : facts }

    /// Writes the file, if anything in it is new.
    /// - Parameter rooms: all rooms, with their conversations.
    /// - Returns: true if it was written.
    mutating func write(_ rooms: [(facts: RoomFacts, conversation: String)]) throws(FileError) -> Bool {
        let file = SpaceEntry.file(SpaceEntry.groups(of: Array(spaces.values), rooms: rooms))
        guard file != content else { return false }
        try DiskFile.replace(path, with: [file])
        content = file
        return true
    }
}

/// The rooms that could not be written, as matrix/owed.json keeps them: the logs of all others continue.
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
    init(folder: String) throws(FileError) {
        path = folder + "/owed.json"
        guard let bytes = try DiskFile.read(path) else { return }
        bytes.withUnsafeBytes { bytes in
            try? JSONReader(names: "since facts").array(bytes) { fields in
                if let facts = RoomFacts(file: fields.bytes(1)) {
                    rooms[facts.room] = Room(since: fields.text(0), facts: facts)
                }
                return true
            }
        }
    }

    /// Records that a room was not written.
    /// - Parameter since: the token that the response follows.
    mutating func add(_ facts: RoomFacts, since: String?) throws(FileError) {
        let new = Room(since: rooms[facts.room].map(\.since) ?? since, facts: facts)
        guard rooms[facts.room] != new else { return }
        rooms[facts.room] = new
        try write()
    }

    /// Forgets a room that is written.
    mutating func remove(_ room: String) throws(FileError) {
        guard rooms.removeValue(forKey: room) != nil else { return }
        try write()
    }

    private func write() throws(FileError) {
        let lines: [JSONText] = rooms.sorted { $0.key < $1.key }.map { _, room in
            ["since": JSONText(ifAny: room.since) ?? .null, "facts": room.facts.file(conversation: "", person: { $0 })]
        }
        try DiskFile.replace(path, with: [Array(JSONText.lines(lines).utf8)])
    }
}
