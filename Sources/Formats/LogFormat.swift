internal import Files

/// A format whose files each contain one conversation, or a part of one. The file's name or first bytes say which.
///
///     files → log(of:) → files of one place → a conversation: one feed for each file, in order
protocol LogFormat: Format {
    /// The files that may be logs.
    func candidates(_ source: Source) -> [SourceFile]

    /// The facts about a file; nil if it is not a log.
    func log(of file: SourceFile, in source: Source) -> ForeignLog?

    /// The order of the records of a conversation with several files.
    var order: ForeignConversation.Order { get }
}

/// The facts in a file about its conversation.
struct ForeignLog: Sendable {
    var feed: Feed
    var title: String
    /// Files with the same place are one conversation.
    var place: String
    /// Orders the files of a conversation; files with the same number are ordered by their paths.
    var number = 0
    /// The ID of the log's owner.
    var me: String?
    var aliases: [String] = []
    var members: [String] = []
    var topic: String?
    var problems: [ForeignProblem] = []
}

extension LogFormat {
    var order: ForeignConversation.Order { .sequence }

    func recognise(_ source: Source) -> Recognition {
        candidates(source).contains { log(of: $0, in: source) != nil } ? .certain : .no
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive { listed(in: source) }

    /// The conversations of all logs.
    func listed(in source: Source) -> ForeignArchive {
        let found = candidates(source).compactMap { file in log(of: file, in: source).map { (file: file, log: $0) } }
        let people = Set(found.compactMap(\.log.me))
        var archive = ForeignArchive(me: people.count == 1 ? people.first : nil)
        var list = ConversationList()
        for group in found.groups(by: \.log.place) {
            let logs = group.sorted { ($0.log.number, $0.file.path) < ($1.log.number, $1.file.path) }
            guard let last = logs.last?.log else { continue }
            archive.problems += logs.flatMap(\.log.problems)
            // Of overlapping files, the newest has the highest rank.
            let ages = logs.map(\.file).sorted { ($0.modified, $0.path) < ($1.modified, $1.path) }.map(\.path)
            let ranks = Dictionary(zip(ages, ages.indices), uniquingKeysWith: { $1 })
            let feeds = logs.map { log in
                var feed = log.log.feed
                if self.order == .byKey { feed.rank = ranks[feed.file] ?? 0 }
                return feed
            }
            list.add(
                title: last.title, place: last.place, aliases: last.aliases, members: last.members, topic: last.topic,
                feeds: feeds, order: self.order)
        }
        archive.conversations = list.conversations
        return archive
    }
}
