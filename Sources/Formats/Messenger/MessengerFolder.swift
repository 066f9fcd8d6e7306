/// The chats of an export: a folder of `message_1.json`, `message_2.json` …, or one file of any name.
struct MessengerFolder {
    private let source: Source

    init(_ source: Source) { self.source = source }

    /// The files that may hold messages.
    var files: some Sequence<SourceFile> { source.candidates(".json") }

    func archive() throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive(conversations: [])
        var ids = UniqueIDs()
        // A file that is not named by a number is a chat of its own.
        let chats = Dictionary(grouping: files) { MessengerHead.number(of: $0) == nil ? $0.path : String($0.folder) }
        for (_, files) in chats.sorted(by: { $0.key < $1.key }) {
            let numbered = files.map { (file: $0, number: MessengerHead.number(of: $0)) }
            var feeds: [Feed] = []
            var head: MessengerHead?
            for (file, number) in numbered.sorted(by: { $0.number ?? 1 < $1.number ?? 1 }) {
                guard let found = MessengerHead(file, in: source) else {
                    // Other files of the export are no chats.
                    guard number != nil else { continue }
                    archive.problems.append(ForeignProblem(file: file.path, kind: "not a file of messages"))
                    continue
                }
                head = head ?? found
                let setting = MessengerSetting(
                    number: number ?? 1, isOldestFirst: found.isOldestFirst, isEncrypted: found.isEncrypted)
                feeds.append(
                    Feed(
                        file: file.path, start: found.start, setting: setting.text,
                        rank: Int(clamping: -setting.number)))
            }
            guard let head, let file = numbered.first?.file else { continue }
            let name = numbered.first?.number == nil ? file.name.prefix { $0 != "." } : file.folder
            archive.conversations.append(conversation(head, name, feeds, &ids))
        }
        return archive
    }

    private func conversation(
        _ head: MessengerHead, _ folder: Substring, _ feeds: [Feed], _ ids: inout UniqueIDs
    ) -> ForeignConversation {
        let thread = String(folder.split(separator: "/").last ?? "chat")
        let title = head.title ?? (head.participants.isEmpty ? thread : head.participants.joined(separator: ", "))
        let name = Slug.of(title)
        let id = ids.take(name.isEmpty ? "chat" : name)
        return ForeignConversation(
            id: id, title: title == id ? nil : title, members: head.participants, aliases: thread == id ? [] : [thread],
            feeds: feeds, order: .byKey)
    }
}

/// How the messages of a file stand in it.
struct MessengerSetting {
    /// The number of the file: the newest is 1.
    var number = 1
    var isOldestFirst = false
    var isEncrypted = false

    init(number: Int, isOldestFirst: Bool, isEncrypted: Bool) {
        (self.number, self.isOldestFirst, self.isEncrypted) = (number, isOldestFirst, isEncrypted)
    }

    init(_ text: String) {
        let words = text.split(separator: " ")
        number = words.first.flatMap { Int($0) } ?? 1
        (isOldestFirst, isEncrypted) = (words.contains("oldest"), words.contains("encrypted"))
    }

    var text: String { "\(number)" + (isOldestFirst ? " oldest" : "") + (isEncrypted ? " encrypted" : "") }
}
