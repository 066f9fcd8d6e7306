internal import Files
internal import Dates
internal import JSON

/// Chats of Signal, exported by Signal itself or by two other programs.
///
/// Facts, from the sources of the programs:
/// - sigtop writes one file for each conversation: an array of the rows of Signal's own database, one row per line, in the order
///   in which messages were received. Signal refers to a message by `sent_at`, in milliseconds: `quote.id` is the `sent_at` of
///   the quoted message.
/// - Rows contain only IDs and telephone numbers of people. The file has the name of the conversation, with the number in
///   brackets.
/// - sigtop's default is text (`SignalText`), as is `chat.md` of signal-export.
/// - Signal's own export contains all chats in `main.jsonl` (`SignalNative`).
/// - signal-export writes a folder with `data.json` for each conversation: one message per line, with names, local times and no
///   IDs.
struct SignalFormat: Format {
    let id = "signal"
    let name = "Signal chats"
    let version = 2

    func recognise(_ source: Source) -> Recognition {
        if SignalFormat.native(in: source) != nil { return .certain }
        return SignalFormat.files(of: source).contains { SignalFile($0, in: source) != nil } ? .certain : .no
    }

    private static func files(of source: Source) -> some Sequence<SourceFile> {
        source.candidates(".json", ".txt", ".md")
    }

    /// The file of Signal's own export.
    private static func native(in source: Source) -> SourceFile? {
        source.candidates(".jsonl").first { file in
            let head = (try? source.read(file, count: 4 << 10)) ?? []
            return head.withUnsafeBytes { SignalNative.isExport($0) }
        }
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        if let file = SignalFormat.native(in: source) {
            var native = SignalNative()
            return try native.archive(of: file, in: source)
        }
        var archive = ForeignArchive(me: "me", people: [ForeignPerson(id: "me", name: "Me")], conversations: [])
        var list = ConversationList()
        let files = SignalFormat.files(of: source).compactMap { file in SignalFile(file, in: source).map { (file, $0) }
        }
        let withLines = Set(files.filter { $0.1.kind == .lines }.map(\.0.folder))
        for (file, found) in files {
            // signal-export writes both files; the lines contain more.
            if found.kind == .markdown, withLines.contains(file.folder) { continue }
            if let person = found.onlyPerson { archive.people.append(ForeignPerson(id: person, name: found.title)) }
            list.add(
                title: found.title, aliases: [found.alias].compactMap { $0 },
                feeds: [Feed(file: file.path, start: found.start, setting: found.kind.rawValue)])
        }
        archive.conversations = list.conversations
        // In text formats, the owner has a name but no ID.
        let kinds = Set(files.map(\.1.kind))
        if !kinds.contains(.rows) { (archive.me, archive.people) = (kinds == [.text] ? "You" : "Me", []) }
        return archive
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        switch SignalFile.Kind(rawValue: feed.setting) {
        case .lines: return LineConverter(json: SignalLines(feed, zone: context.zone).write)
        case .text: return SignalText.sigtop()
        case .markdown: return SignalText.markdown(feed, zone: context.zone)
        case .rows:
            let conversation = context.conversation
            let rows = SignalRows(names: context.names, title: conversation.title ?? conversation.id)
            return ArrayConverter(write: rows.write)
        case nil:
            let items = SignalItems(feed)
            return LineConverter(mark: items.mark, isListed: true, json: items.write)
        }
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? {
        guard feed.setting == SignalFile.Kind.rows.rawValue || feed.setting.hasPrefix("native ") else { return nil }
        return Array(id.utf8.prefix { $0 != UInt8(ascii: ".") })
    }
}

/// A file with the messages of one conversation.
struct SignalFile {
    let kind: Kind
    let title: String
    /// The byte at which its messages begin.
    let start: Int64
    /// Signal's own ID of the conversation.
    private(set) var alias: String?
    /// The ID of the other person, if the first messages are from only one other person.
    private(set) var onlyPerson: String?

    enum Kind: String, Hashable, Sendable {
        /// Rows of the database, from sigtop.
        case rows
        /// A message a line, from signal-export.
        case lines
        /// Text for reading, from sigtop.
        case text
        /// Text for reading, from signal-export.
        case markdown
    }

    /// Nil if the file contains no messages of Signal.
    init?(_ file: SourceFile, in source: Source) {
        guard let head = try? source.read(file, count: 64 << 10) else { return nil }
        // signal-export gives all its files the same name.
        let folder = file.folder.split(separator: "/").last.map(String.init) ?? source.name
        let tree = JSONTree()
        if head.withUnsafeBytes({ SignalFile.isLines($0, tree) }) {
            (kind, title, start) = (.lines, folder, 0)
            return
        }
        if head.withUnsafeBytes({ SignalText.isSigtop($0) }) {
            let line = head.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.dropFirst(14)
            (kind, title, start) = (.text, SignalText.withoutNumber(String(decoding: line, as: UTF8.self)), 0)
            return
        }
        if head.withUnsafeBytes({ SignalText.isMarkdown($0, file) }) {
            let stem = String(file.name.prefix { $0 != "." })
            (kind, title, start) = (.markdown, stem == "chat" || stem == "index" ? folder : stem, 0)
            return
        }
        guard let first = head.first(where: { $0 > 32 }), first == UInt8(ascii: "["),
            let bracket = head.firstIndex(of: first)
        else { return nil }
        let found = head.withUnsafeBytes { SignalFile.rows(Bytes(rebasing: $0[(bracket + 1)...])) }
        guard let found else { return nil }
        (kind, title, start) = (.rows, SignalFile.title(of: file.name), Int64(bracket) + 1)
        (alias, onlyPerson) = (found.conversation, found.people.count == 1 && !found.isGroup ? found.people.first : nil)
    }

    private static func isLines(_ bytes: Bytes, _ tree: JSONTree) -> Bool {
        for line in bytes.lines {
            // A broken line is reported, but hides no other.
            guard line.first == UInt8(ascii: "{"), let record = tree.parse(line) else { continue }
            return record["date"]?.isString == true && record["sender"] != nil && record["body"] != nil
                && record["reactions"]?.isArray == true
        }
        return false
    }

    private static func rows(_ bytes: Bytes) -> (conversation: String, people: Set<String>, isGroup: Bool)? {
        var conversation: String?
        var people: Set<String> = []
        var isGroup = false
        let isOther = JSONRecords.first(in: bytes) { row -> Bool? in
            guard let row else { return nil }
            if conversation == nil {
                guard row["id"]?.isString == true, SignalRows.time(of: row) != nil,
                    row["type"]?.isString == true || row["received_at"] != nil, let id = row["conversationId"]?.string
                else { return true }
                conversation = id
            }
            if let person = SignalRows.person(of: row) { people.insert(person) }
            if let type = row["type"]?.bytes, type.starts(with: "group") { isGroup = true }
            return nil
        }
        if isOther == true { return nil }
        return conversation.map { ($0, people, isGroup) }
    }

    /// `Jane Doe` for `Jane Doe (+15551234567).json`
    private static func title(of name: Substring) -> String {
        let stem = name.dropLast(5)
        guard stem.hasSuffix(")"), let start = stem.lastIndex(of: "("), start > stem.startIndex else {
            return String(stem)
        }
        let title = stem[..<start].reversed().drop { $0 == " " }
        return title.isEmpty ? String(stem) : String(title.reversed())
    }
}
