package import Messages

/// The files of an archive that say how conversations are listed: spaces.json and invitations.json. Hardly any archive has them.
struct ListFiles {
    private static let largestFile: Int64 = 64 << 20

    let archive: String

    private var spacesPath: String { archive + "/spaces.json" }
    private var invitationsPath: String { archive + "/invitations.json" }

    /// The space of each conversation that is in one. A conversation that stands in several is in the first of them.
    func spaces(_ problems: inout ProblemList) -> [ConversationID: Space] {
        var spaces: [ConversationID: Space] = [:]
        let reader = JSONReader(names: "")
        var place = 0
        ListFiles.forEach(in: spacesPath, "id title conversations", &problems) { fields in
            guard let id = fields.text(0), fields.kind(2) == .array else { return }
            let space = Space(id: id, title: fields.text(1) ?? id, place: place)
            place += 1
            for name in (try? reader.strings(Slice(fields.bytes(2)))) ?? [] where spaces[ConversationID(name)] == nil {
                spaces[ConversationID(name)] = space
            }
        }
        return spaces
    }

    func invitations(_ problems: inout ProblemList) -> [Invitation] {
        var invitations: [Invitation] = []
        ListFiles.forEach(in: invitationsPath, "id title from fromName space", &problems) { fields in
            guard let id = fields.text(0), !id.isEmpty else { return }
            let sender = fields.text(2).map { Person(id: PersonID($0), name: fields.text(3) ?? $0) }
            invitations.append(
                Invitation(id: id, title: fields.text(1), sender: sender, isToSpace: fields.kind(4) == .yes))
        }
        return invitations
    }

    /// Calls `body` with each object of an array in a file; a file that is missing has none.
    private static func forEach(
        in path: String, _ names: String, _ problems: inout ProblemList, _ body: (Fields) -> Void
    ) {
        do {
            guard try FileStamp.of(path) != nil else { return }
            let file = try SmallFile(path, limit: largestFile)
            try JSONReader(names: names).array(file.slice) { fields in
                body(fields)
                return true
            }
        } catch let error as StoreError {
            problems.add("\(error.description); it is skipped")
        } catch {
            let reason = (error as? JSONReader.Failure)?.reason("a JSON array") ?? "\(error)"
            problems.add("\(path): \(reason); it is skipped")
        }
    }
}

extension JSONArchive {
    func spaces() -> [ConversationID: Space] {
        var problems = ProblemList()
        let spaces = ListFiles(archive: catalogue.archive).spaces(&problems)
        found.replace("spaces.json", with: problems)
        return spaces
    }

    /// Asynchronous, since a caller would else get the version of the protocol, which knows none.
    package func invitations() async -> [Invitation] {
        var problems = ProblemList()
        let invitations = ListFiles(archive: catalogue.archive).invitations(&problems)
        found.replace("invitations.json", with: problems)
        return invitations
    }
}
