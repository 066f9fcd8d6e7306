internal import Messages

/// The conversations of an archive: the folders in `conversations`.
struct Catalogue {
    private static let largestFile: Int64 = 64 << 20
    /// Bytes of a name, at most, in all file systems of Linux.
    private static let longestName = 255

    let archive: String

    /// The folder that all of them are in.
    var root: String { archive + "/conversations" }

    /// The folder that the archive is in.
    var parent: String {
        guard let slash = archive.lastIndex(of: "/") else { return "." }
        return slash == archive.startIndex ? "/" : String(archive[..<slash])
    }

    /// Where a conversation is that is among `ids`.
    func path(of id: ConversationID) -> String { root + "/" + id.rawValue }

    /// The folder's name is the ID, for that is what one opens. Nil for what could lead out of the archive, and for what
    /// is not there.
    func folder(of id: ConversationID) throws(StoreError) -> String? {
        let name = id.rawValue
        guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/")),
            name.utf8.count <= Catalogue.longestName
        else { return nil }
        let path = path(of: id)
        return try Folder.exists(path) ? path : nil
    }

    /// The files of a conversation as they are now; what has the name of one and is none is told elsewhere. Nil for what is
    /// not there.
    func log(of id: ConversationID) throws(StoreError) -> PlainLog? {
        guard let folder = try folder(of: id) else { return nil }
        var strays = ProblemList()
        return PlainLog(segments: try Segment.all(in: folder, of: id, &strays))
    }

    /// All conversations, by the bytes of their IDs. What stands among them and is none takes no other away.
    /// - Throws: when the folder of all of them cannot be read.
    func ids() throws(StoreError) -> [ConversationID] {
        var problems = ProblemList()
        return try ids(&problems)
    }

    /// - Parameter problems: takes what stands among the conversations and is none, a line each.
    func ids(_ problems: inout ProblemList) throws(StoreError) -> [ConversationID] {
        guard try Folder.exists(root) else {
            if let obstacle = File.obstacle(root) {
                throw .unreadable("\(root): \(obstacle == File.irregular ? "not a folder" : obstacle); move it away")
            }
            return []
        }
        var ids: [ConversationID] = []
        var unnamed: [String] = []
        for entry in try Folder.entries(root, unnamed: { unnamed.append($0) }) {
            if let reason = obstacle(entry) {
                problems.add("conversations/\(printable(entry.name)): \(reason); it is passed over")
            } else {
                ids.append(ConversationID(entry.name))
            }
        }
        for name in unnamed {
            problems.add(
                "conversations/\(printable(name)): its name is not UTF-8; it is passed over until it is renamed")
        }
        return ids
    }

    /// Why something in the folder of conversations is none; nil when it is one.
    private func obstacle(_ entry: Folder.Entry) -> String? {
        if let isFolder = entry.isFolder { return isFolder ? nil : "not a folder" }
        do throws(StoreError) {
            if try Folder.exists(root + "/" + entry.name) { return nil }
            return try File.status(root + "/" + entry.name) == nil ? "a link that leads nowhere" : "not a folder"
        } catch {
            return error.reason
        }
    }

    /// Reads conversation.json. Its tables are of megabytes: there is one for many files.
    static func reader() -> JSONReader { JSONReader(names: "title topic members") }

    /// Without a readable conversation.json the ID is the title. Members are named by their IDs.
    func conversation(
        _ id: ConversationID, in folder: String, by reader: borrowing JSONReader
    ) -> (Conversation, ProblemList) {
        let path = folder + "/conversation.json"
        let plain = Conversation(id: id, title: id.rawValue, topic: nil)
        var problems = ProblemList()
        do {
            guard try FileStamp.of(path) != nil else {
                // The file may be missing: a title is all it gives.
                if let obstacle = File.obstacle(path) {
                    problems.add("\(id)/conversation.json: \(obstacle); the ID is shown as its title")
                }
                return (plain, problems)
            }
            let file = try SmallFile(path, limit: Catalogue.largestFile)
            let fields = try reader.object(file.slice)
            let (title, topic) = (fields.text(0) ?? id.rawValue, fields.text(1))
            let members = fields.kind(2) == .array ? try reader.strings(Slice(fields.bytes(2))) : []
            let persons = members.map { Person(id: PersonID($0), name: $0) }
            return (Conversation(id: id, title: title, topic: topic, members: persons), problems)
        } catch let error as StoreError {
            problems.add("\(id)/conversation.json: \(error.reason); the ID is shown as its title")
        } catch {
            let reason = (error as? JSONReader.Failure)?.reason("a JSON object") ?? "\(error)"
            problems.add("\(id)/conversation.json: \(reason); the ID is shown as its title")
        }
        return (plain, problems)
    }
}
