internal import Matrix

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
