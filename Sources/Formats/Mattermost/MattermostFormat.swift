internal import Files
internal import Dates
internal import JSON

/// Bulk exports of Mattermost: `import.jsonl`, one object a line.
///
///     lines before the posts, and those of direct channels → MattermostList → a feed a conversation → MattermostMessages → records
///
/// Facts (Mattermost's documentation, "Bulk loading data"):
/// - The first line is `{"type":"version","version":1}`. Teams, channels and users come before the posts, direct channels after them.
/// - A post names its team, channel and user: `{"type":"post","post":{team, channel, user, message, create_at, …}}`. A direct post
///   names its `channel_members`. Posts of all channels are mixed.
/// - Replies are inside their post. Posts and replies have no IDs: Kedge makes them from the time and six letters for user and
///   text, so that another export of the server has the same ones.
/// - Mattermost orders a channel by `create_at`, and so does Kedge.
/// - Paths of attachments begin in the folder `data` next to the file, or in the file's own folder.
struct MattermostFormat: Format {
    let id = "mattermost"
    let name = "Mattermost bulk export"
    let version = 3

    func recognise(_ source: Source) -> Recognition {
        source.candidates(".jsonl").prefix(16).contains { (try? MattermostFormat.isExport($0, source)) == true }
            ? .certain : .no
    }

    private static func isExport(_ file: SourceFile, _ source: Source) throws(FileError) -> Bool {
        let head = try source.read(file, count: 64 << 10)
        let tree = JSONTree()
        return head.withUnsafeBytes { bytes in
            let text = Bytes(rebasing: bytes[(bytes.starts(with: "\u{FEFF}") ? 3 : 0)...])
            // Any kind of line may come first in a part of an export, and a broken line hides no other.
            for line in text.lines {
                guard line.first == UInt8(ascii: "{"), let value = tree.parse(line), let type = value["type"]?.bytes
                else {
                    continue
                }
                if (kinds + ["post", "direct_post"]).contains(where: { type == $0 && value[$0] != nil }) {
                    return true
                }
            }
            return false
        }
    }

    /// The kinds of lines besides posts. A line has its object under the name of its kind.
    static let kinds: [StaticString] = [
        "version", "channel", "direct_channel", "team", "user", "emoji", "role", "scheme", "bot",
    ]

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var list = MattermostList()
        for (rank, file) in source.candidates(".jsonl").enumerated() {
            if try MattermostFormat.isExport(file, source) { try list.add(file, rank: rank, in: source) }
        }
        return list.archive()
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        let messages = MattermostMessages(feed)
        return LineConverter(mark: messages.mark, isListed: true, json: messages.write)
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? {
        id.split(separator: "-").first.map { Array($0.utf8) }
    }
}

/// Converts the posts of one conversation. The file has the posts of all.
final class MattermostMessages {
    private let key: MattermostKey
    private var post: MattermostPost

    init(_ feed: Feed) {
        key = MattermostKey(feed.setting)
        post = MattermostPost(folder: feed.folder)
    }

    /// A text that every line with a post of the conversation contains.
    var mark: String { key.members.isEmpty ? "\"\(key.channel)\"" : "\"direct_post\"" }

    func write(_ line: JSONValue, into writer: inout RecordWriter) -> String? {
        guard let type = line["type"]?.bytes else { return nil }
        if type == "post", key.members.isEmpty, let post = line["post"] {
            guard post["channel"]?.string == key.channel, post["team"]?.string ?? "" == key.team else { return nil }
            return self.post.write(post, into: &writer)
        }
        guard type == "direct_post", !key.members.isEmpty, let post = line["direct_post"] else { return nil }
        return MattermostKey(members: post) == key ? self.post.write(post, into: &writer) : nil
    }
}

/// The channels and people of an export.
struct MattermostList {
    private var people: [String: String] = [:]
    private var teams: [String: String] = [:]
    private var channels: [Channel] = []
    private var problems: [ForeignProblem] = []
    /// The channels by their keys.
    private var places: [MattermostKey: Int] = [:]
    private let tree = JSONTree()

    private struct Channel {
        var key: MattermostKey
        var title: String
        var topic = ""
        var feeds: [Feed] = []
    }

    /// Reads all lines: in a part of an export, a post may name a channel that no line declares.
    mutating func add(_ file: SourceFile, rank: Int, in source: Source) throws(FileError) {
        try source.forEachLine(of: file) { line, offset in
            guard let problem = read(line, file, rank) else { return }
            problems.append(ForeignProblem(file: file.path, place: .byte(offset), kind: problem))
        }
    }

    /// - Parameter line: 64 more bytes can be read after it.
    /// - Returns: the error in it.
    private mutating func read(_ line: Bytes, _ file: SourceFile, _ rank: Int) -> String? {
        let start = line.starts(with: "\u{FEFF}") ? 3 : 0
        guard let value = tree.parse(Bytes(rebasing: line[start...]), padding: 64), let type = value["type"]?.bytes
        else { return "line is not valid JSON" }
        if type == "post", let post = value["post"] {
            let key = MattermostKey(team: post["team"]?.string ?? "", channel: post["channel"]?.string ?? "")
            if key.channel.isEmpty { return "post without a channel" }
            add(key, file, rank)
        } else if type == "direct_post", let post = value["direct_post"] {
            let key = MattermostKey(members: post)
            if key.members.isEmpty { return "direct post without the members of its channel" }
            add(key, file, rank)
        } else if type == "user", let user = value["user"] {
            readUser(user)
        } else if type == "team", let team = value["team"], let name = team["name"]?.string {
            teams[name] = team["display_name"]?.string ?? name
        } else if type == "channel", let channel = value["channel"] {
            readChannel(channel, file, rank)
        } else if type == "direct_channel", let channel = value["direct_channel"] {
            readDirect(channel, file, rank)
        } else if !MattermostFormat.kinds.contains(where: { type == $0 }) {
            return "line of a kind that Kedge does not read: \(type.string)"
        }
        return nil
    }

    private mutating func readUser(_ user: JSONValue) {
        guard let id = user["username"]?.string, !id.isEmpty else { return }
        let first = user["first_name"]?.string ?? ""
        let last = user["last_name"]?.string ?? ""
        let nickname = user["nickname"]?.string ?? ""
        let full = [first, last].filter { !$0.isEmpty }.joined(separator: " ")
        people[id] = !nickname.isEmpty ? nickname : !full.isEmpty ? full : id
    }

    private mutating func readChannel(_ channel: JSONValue, _ file: SourceFile, _ rank: Int) {
        guard let name = channel["name"]?.string, !name.isEmpty else { return }
        let title = channel["display_name"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? name
        let topics = [channel["header"]?.string, channel["purpose"]?.string].compactMap { $0 }
        add(
            MattermostKey(team: channel["team"]?.string ?? "", channel: name), file, rank,
            ("#" + title, topics.first { !$0.isEmpty } ?? ""))
    }

    private mutating func readDirect(_ channel: JSONValue, _ file: SourceFile, _ rank: Int) {
        let key = MattermostKey(members: channel)
        guard !key.members.isEmpty else { return }
        add(key, file, rank, (title(of: key), channel["header"]?.string ?? ""))
    }

    private func title(of key: MattermostKey) -> String {
        key.members.isEmpty ? "#" + key.channel : key.members.map { people[$0] ?? $0 }.joined(separator: ", ")
    }

    /// - Parameter declared: nil for the conversation of a post: its declaration may be in another file, or missing.
    private mutating func add(
        _ key: MattermostKey, _ file: SourceFile, _ rank: Int, _ declared: (title: String, topic: String)? = nil
    ) {
        let feed = Feed(file: file.path, setting: key.text, rank: rank)
        let place = places[key] ?? channels.count
        if place == channels.count {
            places[key] = place
            channels.append(Channel(key: key, title: title(of: key)))
        }
        if channels[place].feeds.last != feed, !channels[place].feeds.contains(feed) {
            channels[place].feeds.append(feed)
        }
        if let declared { (channels[place].title, channels[place].topic) = declared }
    }

    func archive() -> ForeignArchive {
        var ids = UniqueIDs()
        let conversations = channels.map { channel in
            let names = channel.key.typedNames
            let id = ids.take(names)
            return ForeignConversation(
                id: id, title: channel.title, topic: channel.topic.isEmpty ? nil : channel.topic,
                members: channel.key.members, aliases: names.filter { $0 != id }, feeds: channel.feeds, order: .byKey)
        }
        return ForeignArchive(
            name: teams.count == 1 ? teams.first?.value : nil,
            people: people.map { ForeignPerson(id: $0.key, name: $0.value) }.sorted { $0.id < $1.id },
            conversations: conversations, problems: problems)
    }
}

/// Names a conversation: a channel of a team, or the members of a direct channel.
struct MattermostKey: Hashable {
    var team = ""
    var channel = ""
    /// In alphabetical order; none for a channel of a team.
    var members: [String] = []

    init(team: String, channel: String) {
        (self.team, self.channel) = (team, channel)
    }

    /// The key of a direct channel or a direct post: newer exports list `participants`.
    init(members value: JSONValue) {
        members = (value["channel_members"] ?? value["members"]).list.compactMap(\.string)
        if members.isEmpty { members = value["participants"].list.compactMap { $0["username"]?.string } }
        members.sort()
    }

    /// The key as the setting of a feed.
    var text: String { members.isEmpty ? "c\n\(team)\n\(channel)" : "d\n" + members.joined(separator: "\n") }

    init(_ text: String) {
        let parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if parts.first == "d" {
            members = Array(parts.dropFirst())
        } else if parts.count == 3 {
            (team, channel) = (parts[1], parts[2])
        }
    }

    /// Names that are easy to type, the shortest first.
    var typedNames: [String] {
        let names = members.isEmpty ? [channel, team + "-" + channel] : [members.joined(separator: "-")]
        return names.map { name in
            String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "/" || $0.value < 0x20 ? "-" : $0 }))
        }
    }
}
