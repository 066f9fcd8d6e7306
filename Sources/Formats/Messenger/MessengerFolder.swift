/// The chats of an export, each in a folder of its own.
struct MessengerFolder {
    private let source: Source
    /// The files of messages, by their numbers.
    let files: [(file: SourceFile, number: Int)]

    init(_ source: Source) {
        self.source = source
        files = source.files.compactMap { file in MessengerFolder.number(of: file).map { (file, $0) } }
    }

    /// 2 for `message_2.json`
    private static func number(of file: SourceFile) -> Int? {
        guard file.name.hasPrefix("message_"), file.name.hasSuffix(".json") else { return nil }
        return Int(file.name.dropFirst(8).dropLast(5))
    }

    func archive() throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive(conversations: [])
        var ids = UniqueIDs()
        for (folder, files) in Dictionary(grouping: files, by: \.file.folder).sorted(by: { $0.key < $1.key }) {
            let files = files.sorted { $0.number < $1.number }
            var feeds: [Feed] = []
            var head: MessengerHead?
            for (file, number) in files {
                guard let found = MessengerHead(file, in: source) else {
                    archive.problems.append(ForeignProblem(file: file.path, kind: "not a file of messages"))
                    continue
                }
                head = head ?? found
                feeds.append(
                    Feed(file: file.path, start: found.start, setting: "\(number)", rank: Int(clamping: -number)))
            }
            guard let head else { continue }
            archive.conversations.append(conversation(head, folder, feeds, &ids))
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
