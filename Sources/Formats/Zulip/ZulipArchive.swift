/// Gathers the channels of an archive and the files of their topics.
struct ZulipArchive {
    private let source: Source
    /// By the folder in which they are.
    private var indexes: [Substring: ZulipIndex] = [:]
    private var channels: [Key: [ZulipTopic]] = [:]
    private var problems: [ForeignProblem] = []

    /// A channel keeps its number when it is renamed. A folder without a number is a channel of its own.
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
                problems.append(error.problem)
            }
        }
    }

    /// Adds a file, if it is a topic.
    mutating func add(_ file: SourceFile) throws(SourceError) {
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
            problems.append(ForeignProblem(file: file.path, kind: "is no topic of Zulip"))
        }
    }

    func archive() throws(SourceError) -> ForeignArchive {
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

    /// Files that the index does not list are older than the others.
    private func feeds(of topics: [ZulipTopic]) throws(SourceError) -> [Feed] {
        let roots = try roots(of: topics)
        let sorted = topics.sorted { ($0.age, $0.file.path) < ($1.age, $1.file.path) }
        var feeds: [Feed] = []
        for (rank, topic) in sorted.enumerated() {
            let setting = ZulipSetting(topic: topic.name, root: roots[ZulipName.unresolved(topic.name)])
            feeds.append(Feed(file: topic.file.path, setting: setting.text, rank: rank))
        }
        return feeds
    }

    /// The first messages of topics that lie in several files, as when they were resolved.
    private func roots(of topics: [ZulipTopic]) throws(SourceError) -> [Substring: Int64] {
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
