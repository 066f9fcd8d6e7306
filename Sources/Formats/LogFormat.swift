/// A format whose files hold a conversation each, or a part of one, and tell in their names or first bytes which.
///
///     files → log(of:) → those of one place → a conversation: a feed for each file, in their order
package protocol LogFormat: Format {
    /// The files that may be logs.
    func candidates(_ source: Source) -> [SourceFile]

    /// What a file tells of itself; nil for any other file.
    func log(of file: SourceFile, in source: Source) -> ForeignLog?

    /// How the records of a conversation with several files are ordered.
    var order: ForeignConversation.Order { get }
}

/// What a file tells of the conversation that it holds.
package struct ForeignLog: Sendable {
    var feed: Feed
    var title: String
    /// Files of one place are one conversation.
    var place: String
    /// Files of a conversation are ordered by it, then by their paths.
    var number = 0
    /// The ID of the person whose log it is.
    var me: String?
    var aliases: [String] = []
    var members: [String] = []
    var topic: String?
    var problems: [ForeignProblem] = []
}

extension LogFormat {
    package var order: ForeignConversation.Order { .sequence }

    package func recognise(_ source: Source) -> Recognition {
        candidates(source).contains { log(of: $0, in: source) != nil } ? .certain : .no
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive { listed(in: source) }

    /// The conversations of all logs.
    func listed(in source: Source) -> ForeignArchive {
        var places: [String: [(file: SourceFile, log: ForeignLog)]] = [:]
        var (order, people) = ([String](), Set<String>())
        for file in candidates(source) {
            guard let log = log(of: file, in: source) else { continue }
            if places[log.place] == nil { order.append(log.place) }
            places[log.place, default: []].append((file, log))
            if let me = log.me { people.insert(me) }
        }
        var archive = ForeignArchive(me: people.count == 1 ? people.first : nil)
        var list = ConversationList()
        for place in order {
            let logs = (places[place] ?? []).sorted { ($0.log.number, $0.file.path) < ($1.log.number, $1.file.path) }
            guard let last = logs.last?.log else { continue }
            archive.problems += logs.flatMap(\.log.problems)
            // Of files that overlap, the newest counts.
            let ages = logs.map(\.file).sorted { ($0.modified, $0.path) < ($1.modified, $1.path) }.map(\.path)
            let ranks = Dictionary(zip(ages, ages.indices), uniquingKeysWith: { $1 })
            let feeds = logs.map { log in
                var feed = log.log.feed
                if self.order == .byKey { feed.rank = ranks[feed.file] ?? 0 }
                return feed
            }
            list.add(
                title: last.title, place: place, aliases: last.aliases, members: last.members, topic: last.topic,
                feeds: feeds, order: self.order)
        }
        archive.conversations = list.conversations
        return archive
    }
}
