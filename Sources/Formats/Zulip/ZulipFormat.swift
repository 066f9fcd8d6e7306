internal import Files
internal import Dates
internal import JSON

/// Archives of public channels, written by zulip-archive: one folder for each channel, one file for each topic.
///
///     stream_index.json (ZulipIndex), files (ZulipTopic) → ZulipArchive: a feed a topic → ZulipMessages → records
///
/// Facts (github.com/zulip/zulip-archive: lib/populate.py, lib/url.py; HTML: Zulip's own tests of its Markdown):
/// - `stream_index.json` is `{"streams": {NAME: {"id", "latest_id", "topic_data": {TOPIC: {"size", "latest_date"}}}}, "time"}`. Zulip
///   calls streams channels today.
/// - `213222-general/hello.json` is an array of `{"content", "id", "sender_full_name", "timestamp"}`, ascending. The text is
///   HTML. Names of files are percent-encoded, with "." instead of "%".
/// - IDs of messages are unique on the server, and ascend across topics. Senders have no IDs, nor are there reactions.
/// - A later run adds to the files of topics. Files of renamed topics stay, so a message may be in two files: the file of a topic
///   in the index wins. Resolving a topic also renames it: it gets "✔ " before its name.
///
/// A topic is a thread: its first message is the root, and shows the name of the topic.
struct ZulipFormat: Format {
    let id = "zulip"
    let name = "zulip-archive"

    func recognise(_ source: Source) -> Recognition {
        let hasTopic = source.files.lazy.filter(ZulipTopic.isCandidate).prefix(16).contains {
            (try? ZulipTopic.Head($0, in: source)) != nil
        }
        if hasTopic { return .certain }
        let hasIndex = source.files.contains { ZulipIndex.isIndex($0, in: source) }
        return hasIndex ? .unsure("a zulip-archive export without the messages of its topics") : .no
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var list = ZulipArchive(source)
        for file in source.files where ZulipTopic.isCandidate(file) { try list.add(file) }
        return try list.archive()
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        let messages = ZulipMessages(feed, state: context.state)
        return ArrayConverter(state: { messages.state }, write: messages.write)
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? { Array(id.utf8) }
}

/// Gathers the channels of an archive and the files of their topics.
struct ZulipArchive {
    private let source: Source
    /// By folder.
    private var indexes: [Substring: ZulipIndex] = [:]
    private var channels: [Key: [ZulipTopic]] = [:]
    private var problems: [ForeignProblem] = []

    /// The key of a channel: its number, which stays when it is renamed. A folder without a number is a separate channel.
    private struct Key: Hashable {
        let root: Substring
        let number: Int64?
        let folder: String
    }

    init(_ source: Source) {
        self.source = source
        for file in source.files where ZulipIndex.isIndex(file, in: source) {
            do {
                let index = try ZulipIndex(file, in: source)
                if index == nil { problems.append(ForeignProblem(file: file.path, kind: "index is not valid JSON")) }
                indexes[file.folder] = index
            } catch {
                problems.append(ForeignProblem(error))
            }
        }
    }

    /// Adds a file, if it is a topic.
    mutating func add(_ file: SourceFile) throws(FileError) {
        let folder = SourceFile.name(of: String(file.folder))
        let root = SourceFile.folder(of: String(file.folder))
        let number = ZulipName.number(of: folder)
        let key = Key(root: root, number: number, folder: number == nil ? String(folder) : "")
        let name = ZulipName.decoded(file.name.dropLast(".json".utf8.count))
        if let age = number.flatMap({ indexes[root]?.age(of: name, in: folder, $0) }) {
            channels[key, default: []].append(ZulipTopic(file: file, name: name, age: age))
        } else if let head = try ZulipTopic.Head(file, in: source) {
            channels[key, default: []].append(ZulipTopic(file: file, name: head.topic ?? name, age: ZulipIndex.Age()))
        } else if number != nil {
            problems.append(ForeignProblem(file: file.path, kind: "is not a Zulip topic"))
        }
    }

    func archive() throws(FileError) -> ForeignArchive {
        var archive = ForeignArchive(problems: problems)
        var ids = UniqueIDs()
        for (key, topics) in channels.sorted(by: {
            ($0.key.root, $0.value[0].file.path) < ($1.key.root, $1.value[0].file.path)
        }) {
            let name = name(of: key, topics)
            let number = key.number.map { "\($0)" }
            let slug = Slug.of(name)
            let last = "channel-" + (number ?? "1")
            let id = slug.isEmpty ? ids.take(last) : ids.take([slug] + (number.map { [slug + "-" + $0] } ?? []))
            archive.conversations.append(
                ForeignConversation(
                    id: id, title: "#" + name,
                    aliases: (number.map { [ZulipName.alias($0)] } ?? []) + (name == id ? [] : [name]),
                    feeds: try feeds(of: topics), order: .byKey))
        }
        return archive
    }

    private func name(of key: Key, _ topics: [ZulipTopic]) -> String {
        if let name = key.number.flatMap({ indexes[key.root]?.name(of: $0) }) { return name }
        if key.number == nil { return key.folder.isEmpty ? source.name : ZulipName.decoded(key.folder) }
        let folder = SourceFile.name(of: String(topics[0].file.folder))
        return ZulipName.decoded(folder.drop { $0 != "-" }.dropFirst())
    }

    /// The feeds of topics. Files that the index does not list are older than the others.
    private func feeds(of topics: [ZulipTopic]) throws(FileError) -> [Feed] {
        let roots = try roots(of: topics)
        let sorted = topics.sorted { ($0.age, $0.file.path) < ($1.age, $1.file.path) }
        var feeds: [Feed] = []
        for (rank, topic) in sorted.enumerated() {
            let setting = ZulipSetting(topic: topic.name, root: roots[ZulipName.unresolved(topic.name)])
            feeds.append(Feed(file: topic.file.path, setting: setting.text, rank: rank))
        }
        return feeds
    }

    /// The first messages of topics with several files, for example after a topic was resolved.
    private func roots(of topics: [ZulipTopic]) throws(FileError) -> [Substring: Int64] {
        var roots: [Substring: Int64] = [:]
        for (name, files) in Dictionary(grouping: topics, by: { ZulipName.unresolved($0.name) }) where files.count > 1 {
            for topic in files {
                guard let first = try ZulipTopic.Head(topic.file, in: source)?.first else { continue }
                roots[name] = min(roots[name] ?? first, first)
            }
        }
        return roots
    }
}

/// A file with the messages of a topic.
struct ZulipTopic {
    let file: SourceFile
    let name: String
    let age: ZulipIndex.Age

    static func isCandidate(_ file: SourceFile) -> Bool {
        file.name.hasSuffix(".json") && file.name != ZulipIndex.name && !file.name.hasPrefix("._")
    }

    /// The facts in the first message of a file.
    struct Head {
        let first: Int64
        /// The name of the topic, which old versions of zulip-archive write into each message.
        let topic: String?

        private static let sizes = [64 << 10, 4 << 20]

        /// Nil for any other file.
        init?(_ file: SourceFile, in source: Source) throws(FileError) {
            for size in Head.sizes {
                let head = try source.read(file, count: size)
                guard Head.isArray(head) else { return nil }
                if let found = Head.read(head) {
                    guard let found else { return nil }
                    self = found
                    return
                }
                if head.count < size { return nil }
            }
            return nil
        }

        private init(first: Int64, topic: String?) {
            (self.first, self.topic) = (first, topic)
        }

        private static func isArray(_ head: [UInt8]) -> Bool {
            head.withUnsafeBytes { bytes in
                let start = JSONRecords.start(of: bytes)
                return start > 0 && bytes[start - 1] == UInt8(ascii: "[")
            }
        }

        /// - Returns: `.some(nil)` if the first complete record is not a message; nil if no record is complete.
        private static func read(_ head: [UInt8]) -> Head?? {
            head.withUnsafeBytes { bytes in
                let start = JSONRecords.start(of: bytes)
                return JSONRecords.first(in: Bytes(rebasing: bytes[start...])) { value -> Head?? in
                    guard let value else { return nil }
                    guard let id = value["id"]?.integer, id > 0, value["sender_full_name"]?.isString == true,
                        value["timestamp"]?.integer != nil, value["content"]?.isString == true
                    else { return .some(nil) }
                    return Head(first: id, topic: value["subject"]?.string)
                }
            }
        }
    }
}
