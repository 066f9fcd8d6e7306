/// The channels and people of an export.
struct MattermostList {
    private var people: [String: String] = [:]
    private var teams: [String: String] = [:]
    private var channels: [Channel] = []
    private var problems: [ForeignProblem] = []

    private struct Channel {
        var key: MattermostKey
        var title: String
        var topic: String
        var members: [String]
        var feeds: [Feed]
    }

    mutating func add(_ file: SourceFile, rank: Int, in source: Source) throws(SourceError) {
        let first = try source.offsets(of: Array(#"{"type":"post""#.utf8), in: file, limit: 1).first ?? file.size
        try readLines(of: file, upTo: first, rank, source)
        let direct = Array(#"{"type":"direct_channel""#.utf8)
        for offset in try source.offsets(of: direct, in: file, from: first) {
            let bytes = try source.read(file, at: offset, count: 64 << 10)
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            read(Array(line), file, rank)
        }
    }

    private mutating func readLines(
        of file: SourceFile, upTo end: Int64, _ rank: Int, _ source: Source
    ) throws(SourceError) {
        var (position, rest) = (Int64(0), [UInt8]())
        while position < end {
            let bytes = try source.read(file, at: position, count: Int(min(4 << 20, end - position)))
            guard !bytes.isEmpty else { break }
            position += Int64(bytes.count)
            rest += bytes
            let whole = rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            for line in rest[..<whole].split(separator: UInt8(ascii: "\n")) { read(Array(line), file, rank) }
            rest.removeFirst(whole)
            if rest.count > Record.longest { return }
        }
        if !rest.isEmpty { read(rest, file, rank) }
    }

    private mutating func read(_ line: [UInt8], _ file: SourceFile, _ rank: Int) {
        let tree = JSONTree()
        let padded = line + [UInt8](repeating: 0, count: 64)
        padded.withUnsafeBytes { bytes in
            let start = bytes.starts(with: "\u{FEFF}") ? 3 : 0
            guard let value = tree.parse(Bytes(rebasing: bytes[start..<line.count]), padding: 64),
                let type = value["type"]?.bytes
            else { return problems.append(ForeignProblem(file: file.path, kind: "line is not valid JSON")) }
            if type == "user", let user = value["user"] {
                readUser(user)
            } else if type == "team", let team = value["team"], let name = team["name"]?.string {
                teams[name] = team["display_name"]?.string ?? name
            } else if type == "channel", let channel = value["channel"] {
                readChannel(channel, file, rank)
            } else if type == "direct_channel", let channel = value["direct_channel"] {
                readDirect(channel, file, rank)
            }
        }
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
        let topics = [channel["header"]?.string, channel["purpose"]?.string].compactMap { $0 }
        add(
            MattermostKey(team: channel["team"]?.string ?? "", channel: name), file, rank,
            title: "#" + (channel["display_name"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? name),
            topic: topics.first { !$0.isEmpty } ?? "", members: [])
    }

    private mutating func readDirect(_ channel: JSONValue, _ file: SourceFile, _ rank: Int) {
        let key = MattermostKey(members: channel)
        guard !key.members.isEmpty else { return }
        let names = key.members.map { people[$0] ?? $0 }
        add(
            key, file, rank, title: names.joined(separator: ", "), topic: channel["header"]?.string ?? "",
            members: key.members)
    }

    private mutating func add(
        _ key: MattermostKey, _ file: SourceFile, _ rank: Int, title: String, topic: String, members: [String]
    ) {
        let feed = Feed(file: file.path, setting: key.text, rank: rank)
        if let place = channels.firstIndex(where: { $0.key == key }) {
            if !channels[place].feeds.contains(feed) { channels[place].feeds.append(feed) }
            (channels[place].title, channels[place].topic) = (title, topic)
        } else {
            channels.append(Channel(key: key, title: title, topic: topic, members: members, feeds: [feed]))
        }
    }

    func archive() -> ForeignArchive {
        var ids = UniqueIDs()
        let conversations = channels.map { channel in
            let names = channel.key.typedNames
            let id = ids.take(names)
            return ForeignConversation(
                id: id, title: channel.title, topic: channel.topic.isEmpty ? nil : channel.topic,
                members: channel.members,
                aliases: names.filter { $0 != id }, feeds: channel.feeds, order: .byKey)
        }
        return ForeignArchive(
            name: teams.count == 1 ? teams.first?.value : nil,
            people: people.map { ForeignPerson(id: $0.key, name: $0.value) }.sorted { $0.id < $1.id },
            conversations: conversations, problems: problems)
    }
}
