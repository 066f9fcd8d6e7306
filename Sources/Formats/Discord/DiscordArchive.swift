internal import Files
internal import Dates
internal import JSON

/// Puts the files of a source together: parts and overlapping exports of a channel, threads with their channel, posts with
/// their forum.
struct DiscordArchive {
    private var files: [DiscordFile] = []
    private var problems: [ForeignProblem] = []

    mutating func add(_ file: SourceFile, in source: Source) throws(FileError) {
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

    /// A conversation to which files are being added.
    private struct Group {
        var id: String
        var head: DiscordHead
        var files: [DiscordFile] = []
        /// The threads that began in this channel, with the feeds of each.
        var threads: [DiscordFile] = []
        /// True for a forum: the export has its posts, but no file of its own.
        var isForum = false
    }

    func archive() -> ForeignArchive {
        let sorted = files.sorted { DiscordArchive.age($0) < DiscordArchive.age($1) }
        let groups = DiscordArchive.grouped(sorted)
        let ranks = Dictionary(sorted.enumerated().map { ($1.file.path, $0) }, uniquingKeysWith: { $1 })
        var ids = UniqueIDs()
        let guilds = Set(files.map(\.head.guild.id))
        return ForeignArchive(
            name: guilds.count == 1 ? files.last?.head.guild.name : nil,
            conversations: groups.map { DiscordArchive.conversation($0, ranks, &ids) }, problems: problems)
    }

    /// Orders files by the time of the export, then by the time of the file.
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
        var known: Set<String> = []
        let aliases = ([group.id] + group.threads.map(\.head.channel.id)).filter {
            Int64($0) != nil && known.insert($0).inserted
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

    /// The files in order, if each is ascending and ends before the next begins; nil if they overlap and must be merged.
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

/// The head of a file of DiscordChatExporter: everything before its messages.
struct DiscordHead {
    var guild = (id: "", name: "")
    var channel = (id: "", type: "", name: "", topic: "")
    /// The category of a channel; the parent of a thread.
    var parent = (id: "", name: "")
    var exportedAt = ""
    /// The byte after the bracket of the messages; nil if the file ends before it.
    var start: Int64?

    private static let longest = 64 << 10

    init() {}

    /// Nil if the file is not one of DiscordChatExporter.
    init?(_ file: SourceFile, in source: Source) throws(FileError) {
        let head = try source.read(file, count: DiscordHead.longest)
        guard DiscordHead.beginsWithGuild(head) else { return nil }
        let found = JSONRecords.head(of: head) { .some(DiscordHead($0)) as DiscordHead?? }
        guard let found else {
            // A short file without messages: the export stopped right after its beginning.
            guard file.size < Int64(DiscordHead.longest), head.offset(of: "\"channel\"") != nil
            else { return nil }
            return
        }
        guard let fields = found.result else { return nil }
        self = fields
        start = found.start
    }

    private static func beginsWithGuild(_ head: [UInt8]) -> Bool {
        head.withUnsafeBytes { head in
            var reader = JSONCursor(bytes: head, at: JSONRecords.start(of: head))
            return reader.take("{", "\"guild\"")
        }
    }

    private init?(_ head: JSONValue) {
        guard let channel = head["channel"], let id = channel["id"]?.string, !id.isEmpty else { return nil }
        func text(_ value: JSONValue?) -> String { value?.string ?? "" }
        guild = (text(head["guild"]?["id"]), text(head["guild"]?["name"]))
        self.channel = (id, text(channel["type"]), text(channel["name"]), text(channel["topic"]))
        parent = (text(channel["categoryId"]), text(channel["category"]))
        exportedAt = text(head["exportedAt"])
    }

    var isThread: Bool { channel.type.hasSuffix("Thread") }
    var isDirect: Bool { guild.id == "0" || channel.type.hasPrefix("Direct") }
}

/// A file of DiscordChatExporter, with the IDs of its first and last messages.
struct DiscordFile {
    let file: SourceFile
    let head: DiscordHead
    let start: Int64
    /// The IDs of the first and the last message; nil if the file has no messages or another layout.
    let first: Int64?
    let last: Int64?
    /// True if the file has no message.
    let isEmpty: Bool
    /// True if the end of the file is missing.
    let isCut: Bool
}

extension DiscordFile {
    /// The bytes at the end that are read to find the last message: first the smaller number, then the larger one.
    private static let ends = [64 << 10, 4 << 20]

    init(_ file: SourceFile, _ head: DiscordHead, start: Int64, in source: Source) throws(FileError) {
        let begin = try source.read(file, at: start, count: 4_096)
        let first = begin.withUnsafeBytes { DiscordCut.firstID(in: $0) }
        var last: Int64?
        var isCut = false
        for length in DiscordFile.ends where last == nil {
            let from = max(start, file.size - Int64(length))
            let end = try source.read(file, at: from, count: Int(file.size - from))
            last = end.withUnsafeBytes { DiscordCut.lastID(in: $0) }
            isCut = end.last { $0 > 0x20 } != UInt8(ascii: "}")
            if from == start || first == nil { break }
        }
        self.init(
            file: file, head: head, start: start, first: first, last: last,
            isEmpty: begin.first { $0 > 0x20 } == UInt8(ascii: "]"), isCut: isCut)
    }
}

/// Finds messages in the middle of a file by how they begin: `{"id": "1", "type": "Default", "timestamp": "…`, with any white
/// space. No other object begins this way, and the quotes inside a text are escaped.
enum DiscordCut {
    /// The offset of the first message.
    static func first(in bytes: Bytes) -> Int? { JSONCursor.firstObject(in: bytes) { id($0) != nil } }

    /// The ID of the last message that begins in these bytes.
    static func lastID(in bytes: Bytes) -> Int64? {
        var end = bytes.count
        while let brace = bytes[..<end].lastIndex(of: UInt8(ascii: "{")) {
            if let id = id(JSONCursor(bytes: bytes, at: brace + 1)) { return id }
            end = brace
        }
        return nil
    }

    /// The ID of the first message.
    static func firstID(in bytes: Bytes) -> Int64? {
        first(in: bytes).flatMap { id(JSONCursor(bytes: bytes, at: $0 + 1)) }
    }

    /// The ID of the message that begins with the brace before this place; nil if no message begins there.
    private static func id(_ start: JSONCursor) -> Int64? {
        var reader = start
        guard reader.take("\"id\"", ":", "\""), let digits = reader.digits(), let id = DiscordID.number(digits),
            reader.take("\"", ",", "\"type\"", ":", "\"")
        else { return nil }
        reader.skipName()
        return reader.take("\"", ",", "\"timestamp\"", ":", "\"") ? id : nil
    }
}

/// Exports of DiscordChatExporter in JSON: a file, or a folder of files for channels, threads and their parts.
///
///     heads of files → DiscordArchive → feeds → DiscordMessage → records
///
/// Facts, and where they were seen:
/// - A file is `{guild, channel, dateRange, exportedAt?, messages: […], messageCount}`, oldest first unless `--reverse`; a part is a
///   whole file with the same channel. Every message begins `{"id", "type", "timestamp"`. (JsonMessageWriter.cs; real exports)
/// - `id` is a snowflake: it orders the messages of a channel. `type` is a name, or a number in a string. (MessageKind.cs)
/// - `channel.category` is the parent channel for a thread. The ID of a thread is that of the message it began with: of
///   a plain message, or of the line "Started a thread." (real exports)
/// - `reference` is a reply only if the type is `Reply`: pins and forwards have it too. (real exports)
/// - The text of a forward is in `forwardedMessage`, and `content` is empty. (JsonMessageWriter.cs)
/// - Text is flattened unless `--markdown false`: then it holds `<@id>`, `<#id>`, `<:name:id>`, `<t:seconds>`. Marks stay in any case.
///   (PlainTextMarkdownVisitor.cs)
/// - Copies of files have paths relative to the file of the export, with `\` if it was made on Windows. (real exports)
/// - Webhooks are bots with the discriminator 0000 and a name for each message. (Discord's API)
struct DiscordFormat: Format {
    let id = "discord"
    let name = "DiscordChatExporter JSON"
    let version = 3

    /// The number of files to try before giving up.
    private static let tried = 64

    func recognise(_ source: Source) -> Recognition {
        var almost: Recognition = .no
        for file in source.candidates(".json").prefix(DiscordFormat.tried) {
            guard let head = try? DiscordHead(file, in: source) else { continue }
            if head.start != nil { return .certain }
            almost = .unsure("a DiscordChatExporter export that was cut off before its messages")
        }
        return almost
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var archive = DiscordArchive()
        for file in source.candidates(".json") { try archive.add(file, in: source) }
        return archive.archive()
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        var message = DiscordMessage(
            names: context.names, setting: DiscordSetting(feed.setting), folder: feed.folder)
        return ArrayConverter { record, writer in message.write(record, into: &writer) }
    }

    func cut(_ bytes: Bytes, of feed: Feed) -> Int? { DiscordCut.first(in: bytes) }

    func needle(of id: String, in feed: Feed) -> [UInt8]? { Array("\"\(id)\"".utf8) }
}
