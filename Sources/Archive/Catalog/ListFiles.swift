internal import ArchiveFormat
internal import Files
internal import JSON
internal import Messages

/// The files of an archive that say how conversations are listed: spaces.json and invitations.json. Hardly any archive has them.
extension Catalogue {
    /// The space of each conversation that is in one. A conversation that several spaces list is in the first of them.
    func spaces(_ problems: inout ProblemList) -> [ConversationID: Space] {
        var spaces: [ConversationID: Space] = [:]
        for (place, entry) in Catalogue.read(paths.spaces, &problems, SpaceEntry.all).enumerated() {
            let space = Space(id: entry.id, title: entry.title ?? entry.id, place: place)
            for name in entry.conversations where spaces[ConversationID(name)] == nil {
                spaces[ConversationID(name)] = space
            }
        }
        return spaces
    }

    func invitations(_ problems: inout ProblemList) -> [Invitation] {
        Catalogue.read(paths.invitations, &problems, InvitationEntry.all).map { entry in
            let sender = entry.sender.map { Person(id: PersonID($0), name: entry.senderName ?? $0) }
            return Invitation(id: entry.id, title: entry.title, sender: sender, isToSpace: entry.isToSpace)
        }
    }

    /// The entries of a file; a file that is missing has none.
    private static func read<Entry>(
        _ path: String, _ problems: inout ProblemList,
        _ all: (UnsafeRawBufferPointer) throws(JSONReader.Failure) -> [Entry]
    ) -> [Entry] {
        do {
            guard try FileStamp.of(path) != nil else { return [] }
            let file = try SmallFile(path, limit: SmallFile.largest)
            return try all(file.slice.bytes)
        } catch let error as StoreError {
            problems.add("\(error.description); it is skipped")
        } catch {
            let reason = (error as? JSONReader.Failure)?.reason("a JSON array") ?? "\(error)"
            problems.add("\(path): \(reason); it is skipped")
        }
        return []
    }
}
