internal import Dates
internal import JSON

/// Chats of Messenger and Instagram, from "Download your information" in JSON.
///
/// Facts, from exports and from the sources of programs that read them:
/// - A chat is a folder with `message_1.json`, `message_2.json` …: the newest messages first, in each file and of all files.
/// - `{"participants":[{"name"}],"messages":[{"sender_name","timestamp_ms","content",…}],"title",…}`; the title comes last.
/// - Texts are UTF-8, with each byte escaped as if it were a character: `\u00c5\u0082` is ł.
/// - End-to-end encrypted chats (2024 on, messenger.com/secure_storage/dyi) are a file each: `{"participants":["Ana"],
///   "threadName":"Ben_1","messages":[{"senderName","text","timestamp","type","media":[{"uri"}],"reactions","isUnsent"}]}`, with
///   texts as plain UTF-8.
/// - A file may be renamed, and programs that write the format put the oldest message first: contents decide.
/// - There are no IDs and no replies. Paths of files are relative to the root of the whole export.
struct MessengerFormat: Format {
    let id = "messenger"
    let name = "Messenger or Instagram chats"
    let version = 2

    func recognise(_ source: Source) -> Recognition {
        source.candidates(".json").contains { MessengerHead($0, in: source) != nil } ? .certain : .no
    }

    func archive(in source: Source) -> ForeignArchive {
        var archive = ForeignArchive(conversations: [])
        var list = ConversationList()
        // A file without a number in its name is a separate chat.
        let chats = Dictionary(grouping: source.candidates(".json")) {
            MessengerHead.number(of: $0) == nil ? $0.path : String($0.folder)
        }
        for (_, files) in chats.sorted(by: { $0.key < $1.key }) {
            let numbered = files.map { (file: $0, number: MessengerHead.number(of: $0)) }
            var feeds: [Feed] = []
            var head: MessengerHead?
            for (file, number) in numbered.sorted(by: { $0.number ?? 1 < $1.number ?? 1 }) {
                guard let found = MessengerHead(file, in: source) else {
                    // Other files of the export are not chats.
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
            let thread = String(name.split(separator: "/").last ?? "chat")
            let title = head.title ?? (head.participants.isEmpty ? thread : head.participants.joined(separator: ", "))
            list.add(title: title, aliases: [thread], members: head.participants, feeds: feeds, order: .byKey)
        }
        archive.conversations = list.conversations
        return archive
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        ArrayConverter(write: MessengerMessages(feed).write)
    }
}
