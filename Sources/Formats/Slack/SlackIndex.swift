internal import Files
internal import JSON
/// A conversation in an index file of an export.
struct SlackChannel {
    enum Kind { case channel, group, direct }

    var kind: Kind
    /// `C…`, `G…`, `D…`; empty if unknown.
    var id: String
    /// Empty for direct messages.
    var name: String
    var members: [String] = []
    /// In mrkdwn.
    var topic: [UInt8] = []
}

/// The index files of an export: `channels.json`, `groups.json`, `mpims.json`, `dms.json`, `users.json`, `org_users.json`. Any of
/// them may be missing.
struct SlackIndex {
    private(set) var channels: [SlackChannel] = []
    private(set) var people: [ForeignPerson] = []
    /// The names that people log in with, by their IDs.
    private(set) var handles: [String: String] = [:]
    private(set) var problems: [ForeignProblem] = []
    /// True if a file lists conversations.
    private(set) var listsChannels = false

    /// The files that list conversations, with the kind of conversation.
    static let lists: [(name: String, kind: SlackChannel.Kind)] = [
        ("channels.json", .channel), ("groups.json", .channel), ("mpims.json", .group), ("dms.json", .direct),
    ]
    static let peopleFiles = ["org_users.json", "users.json"]

    /// The list of an organisation's people may be large.
    private static let largest = 512 << 20

    /// - Parameter folder: the root of the export, with "/" at its end, or empty.
    init(in source: Source, folder: String) throws(FileError) {
        for name in SlackIndex.peopleFiles {
            guard let file = source.file(folder + name) else { continue }
            let bytes = try source.whole(file, limit: SlackIndex.largest)
            note(JSONRecords.forEach(in: bytes) { readPerson($0) }, file)
        }
        for list in SlackIndex.lists {
            guard let file = source.file(folder + list.name) else { continue }
            listsChannels = true
            let bytes = try source.whole(file, limit: SlackIndex.largest)
            note(JSONRecords.forEach(in: bytes) { readChannel($0, list.kind) }, file)
        }
    }

    private mutating func note(_ broken: Int, _ file: SourceFile) {
        if broken > 0 {
            problems.append(ForeignProblem(file: file.path, kind: "\(broken) of its records are not valid JSON"))
        }
    }

    private mutating func readPerson(_ user: JSONValue) {
        guard let id = user["id"]?.string, !id.isEmpty else { return }
        let profile = user["profile"]
        let names = [
            profile?["display_name"], profile?["real_name"], user["real_name"], user["name"],
        ]
        if let name = names.lazy.compactMap({ $0?.string }).first(where: { !$0.isEmpty }) {
            people.append(ForeignPerson(id: id, name: name))
            // A bot's messages may have no ID but this one.
            if let bot = profile?["bot_id"]?.string, !bot.isEmpty { people.append(ForeignPerson(id: bot, name: name)) }
        }
        if let handle = user["name"]?.string, !handle.isEmpty { handles[id] = handle }
    }

    private mutating func readChannel(_ channel: JSONValue, _ kind: SlackChannel.Kind) {
        let id = channel["id"]?.string ?? ""
        let name = channel["name"]?.string ?? ""
        guard !id.isEmpty || !name.isEmpty else { return }
        var found = SlackChannel(kind: kind, id: id, name: kind == .direct ? "" : name)
        found.members = channel["members"].list.compactMap(\.string)
        for key in [channel["topic"], channel["purpose"]] where found.topic.isEmpty {
            if let value = key?["value"]?.bytes { found.topic = Array(value) }
        }
        channels.append(found)
    }
}

/// The facts about an export that the converter of a feed needs.
struct SlackSetting {
    /// The place of the copies of files in an export.
    enum Storage: String {
        case none = "-"
        /// `__uploads/F1/name`
        case uploads = "u"
        /// `channel/attachments/F1-name`
        case attachments = "a"
        /// `C1/F1-name`, next to the dump `C1.json`
        case dump = "d"
    }

    var storage: Storage
    /// The folder that contains `__uploads` or the conversation's folders of files; with "/" at its end, or empty.
    var folder: String

    var text: String { storage.rawValue + folder }

    init(storage: Storage, folder: String) {
        (self.storage, self.folder) = (storage, folder)
    }

    init(_ text: String) {
        storage = Storage(rawValue: String(text.prefix(1))) ?? .none
        folder = String(text.dropFirst())
    }

    /// The path of the copy of a file; nil if the export has none.
    func path(id: String, name: String) -> String? {
        guard storage != .none, !id.isEmpty,
            id.utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }), id != ".", id != ".."
        else { return nil }
        let name = SlackSetting.safe(name)
        return storage == .uploads ? folder + id + "/" + name : folder + id + "-" + name
    }

    /// The name that slackdump gives a file: safe on every system.
    static func safe(_ name: String) -> String {
        var safe = String(name.map { "<>:\"/\\|?*".contains($0) ? "_" : $0 })
        while safe.last == " " || safe.last == "." { safe.removeLast() }
        let base = safe.prefix { $0 != "." }.uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(base)
            || base.count == 4 && (base.hasPrefix("COM") || base.hasPrefix("LPT"))
                && ("1"..."9").contains(base.suffix(1))
        {
            safe = "_" + safe
        }
        return safe.isEmpty ? "unnamed_file" : safe
    }
}
