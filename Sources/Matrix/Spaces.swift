package import ArchiveFormat
internal import Formats
internal import JSON

/// The spaces of an account as groups of its conversations.
extension SpaceEntry {
    /// The spaces, sorted by title, with their conversations, sorted by ID. A space without any room here is among them, too. A room
    /// belongs to one of them: its main space if that lists it, else the first space by title that lists it.
    /// - Parameters:
    ///   - spaces: the spaces of which this account is a member.
    ///   - rooms: all rooms, with their conversations.
    package static func groups(
        of spaces: [RoomFacts], rooms: [(facts: RoomFacts, conversation: String)]
    ) -> [SpaceEntry] {
        let titled = spaces.filter { !$0.hasLeft }.map { (title: $0.title { $0 }, facts: $0) }
            .sorted { ($0.title.lowercased(), $0.facts.room) < ($1.title.lowercased(), $1.facts.room) }
        var holders: [String: [Int]] = [:]
        for (index, space) in titled.enumerated() {
            for room in space.facts.children { holders[room, default: []].append(index) }
        }
        var conversations = Array(repeating: [String](), count: titled.count)
        for (facts, conversation) in rooms {
            guard let holders = holders[facts.room], let first = holders.first else { continue }
            let main = holders.first { facts.mainSpaces.contains(titled[$0].facts.room) }
            conversations[main ?? first].append(conversation)
        }
        return zip(titled, conversations).map { space, conversations in
            SpaceEntry(
                id: space.facts.room, title: space.title, conversations: conversations.sorted(),
                matrix: space.facts.matrix)
        }
    }

    /// The spaces that a file spaces.json holds.
    package static func spaces(file bytes: UnsafeRawBufferPointer) -> [RoomFacts] {
        let tree = JSONTree()
        defer { withExtendedLifetime(tree) {} }
        return ((try? all(in: bytes)) ?? []).compactMap { space in
            (space.matrix?.bytes ?? []).withUnsafeBytes { tree.parse($0) }.flatMap { RoomFacts(matrix: $0) }
        }
    }
}
