internal import Dates

/// Puts the files of a source together: parts and overlapping exports of a channel, threads with their channel, posts with
/// their forum.
struct DiscordArchive {
    private var files: [DiscordFile] = []
    private var problems: [ForeignProblem] = []

    mutating func add(_ file: SourceFile, in source: Source) throws(SourceError) {
        guard let head = try DiscordHead(file, in: source) else { return }
        guard let start = head.start else {
            problems.append(ForeignProblem(file: file.path, kind: "the file ends before its messages"))
            return
        }
        add(try DiscordFile(file, head, start: start, in: source))
    }

    mutating func add(_ found: DiscordFile) {
        if found.isCut {
            problems.append(
                ForeignProblem(
                    file: found.file.path, place: .byte(found.file.size), kind: "the end of the file is missing"))
        }
        files.append(found)
    }

    /// A conversation while its files are collected.
    private struct Group {
        var id: String
        var head: DiscordHead
        var files: [DiscordFile] = []
        /// The threads that began in it, with the feeds of each.
        var threads: [DiscordFile] = []
        /// Whether it is a forum, known by its posts alone.
        var isForum = false
    }

    func archive(_ name: String) -> ForeignArchive {
        let sorted = files.sorted { DiscordArchive.age($0) < DiscordArchive.age($1) }
        let groups = DiscordArchive.grouped(sorted)
        let ranks = Dictionary(sorted.enumerated().map { ($1.file.path, $0) }, uniquingKeysWith: { $1 })
        var ids = UniqueIDs()
        let guilds = Set(files.map(\.head.guild.id))
        return ForeignArchive(
            name: guilds.count == 1 ? files.last?.head.guild.name : nil,
            conversations: groups.map { DiscordArchive.conversation($0, ranks, &ids) }, problems: problems)
    }

    /// By the time of the export, then by that of the file.
    private static func age(_ file: DiscordFile) -> (Int64, Int64, String) {
        let exported = Timestamp(iso8601: file.head.exportedAt)?.milliseconds
        return (exported ?? file.file.modified / 1_000_000, file.file.modified, file.file.path)
    }

    private static func grouped(_ files: [DiscordFile]) -> [Group] {
        var groups: [String: Group] = [:]
        for file in files where !file.head.isThread {
            groups[file.head.channel.id, default: Group(id: file.head.channel.id, head: file.head)].files.append(file)
            groups[file.head.channel.id]?.head = file.head
        }
        for file in files where file.head.isThread {
            let parent = file.head.parent.id
            if groups[parent] != nil {
                groups[parent]?.threads.append(file)
            } else if file.first != nil, file.first == Int64(file.head.channel.id), !parent.isEmpty {
                groups[parent] = Group(id: parent, head: file.head, threads: [file], isForum: true)
            } else {
                let id = file.head.channel.id
                groups[id, default: Group(id: id, head: file.head)].files.append(file)
            }
        }
        // Older channels come first, so that newer ones do not take their names.
        return groups.values.sorted { (Int64($0.id) ?? .max, $0.id) < (Int64($1.id) ?? .max, $1.id) }
    }

    private static func conversation(
        _ group: Group, _ ranks: [String: Int], _ ids: inout UniqueIDs
    ) -> ForeignConversation {
        let head = group.head
        let name = group.isForum ? head.parent.name : head.channel.name
        let ordered = group.threads.isEmpty ? sequence(group.files) : nil
        let feeds =
            (ordered ?? group.files).map { feed($0, ranks, DiscordSetting(channel: $0.head.channel.id)) }
            + group.threads.map { file in
                let channel = file.head.channel
                let isPost = file.first != nil && file.first == Int64(channel.id)
                return feed(
                    file, ranks,
                    DiscordSetting(root: channel.id, channel: channel.id, title: isPost ? channel.name : ""))
            }
        var aliases: [String] = []
        for id in [group.id] + group.threads.map(\.head.channel.id) where Int64(id) != nil && !aliases.contains(id) {
            aliases.append(id)
        }
        let slug = Slug.of(name)
        let topic = group.isForum ? "" : head.channel.topic
        return ForeignConversation(
            id: slug.isEmpty ? ids.take(group.id) : ids.take(slug, slug + "-" + group.id),
            title: name.isEmpty ? nil : head.isDirect ? name : "#" + name,
            topic: topic.isEmpty ? nil : topic, aliases: aliases, feeds: feeds,
            order: ordered == nil ? .byKey : .sequence)
    }

    private static func feed(_ file: DiscordFile, _ ranks: [String: Int], _ setting: DiscordSetting) -> Feed {
        Feed(file: file.file.path, start: file.start, setting: setting.text, rank: ranks[file.file.path] ?? 0)
    }

    /// The files in their order if each is ascending and ends before the next begins; nil if they must be merged.
    private static func sequence(_ files: [DiscordFile]) -> [DiscordFile]? {
        let full = files.filter { !$0.isEmpty }
        let ends = full.compactMap { file in
            file.first.flatMap { first in file.last.flatMap { last in first <= last ? (first, last, file) : nil } }
        }
        guard ends.count == full.count else { return nil }
        let sorted = ends.sorted { $0.0 < $1.0 }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.1 >= next.0 { return nil }
        return sorted.map(\.2)
    }
}
