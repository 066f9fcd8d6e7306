/// A file with the messages of one conversation.
struct SignalFile {
    let kind: Kind
    let title: String
    /// The byte at which its messages begin.
    let start: Int64
    /// Signal's own ID of the conversation.
    private(set) var alias: String?
    /// The ID of the other person, if nobody else writes in the first messages.
    private(set) var onlyPerson: String?

    enum Kind: String, Hashable, Sendable {
        /// Rows of the database, from sigtop.
        case rows
        /// A message a line, from signal-export.
        case lines
        /// Text for people, from sigtop.
        case text
        /// Text for people, from signal-export.
        case markdown
    }

    /// Nil for any other file.
    init?(_ file: SourceFile, in source: Source) {
        guard let head = try? source.read(file, count: 64 << 10) else { return nil }
        let tree = JSONTree()
        if head.withUnsafeBytes({ SignalFile.isLines($0, tree) }) {
            // signal-export names all its files alike.
            let folder = file.folder.split(separator: "/").last.map(String.init) ?? source.name
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
            let folder = file.folder.split(separator: "/").last.map(String.init) ?? source.name
            (kind, title, start) = (.markdown, stem == "chat" || stem == "index" ? folder : stem, 0)
            return
        }
        guard let first = head.first(where: { $0 > 32 }), first == UInt8(ascii: "["),
            let bracket = head.firstIndex(of: first)
        else { return nil }
        let found = head.withUnsafeBytes { SignalFile.rows(Bytes(rebasing: $0[(bracket + 1)...]), tree) }
        guard let found else { return nil }
        (kind, title, start) = (.rows, SignalFile.title(of: file.name), Int64(bracket) + 1)
        (alias, onlyPerson) = (found.conversation, found.people.count == 1 && !found.isGroup ? found.people.first : nil)
    }

    private static func isLines(_ bytes: Bytes, _ tree: JSONTree) -> Bool {
        for line in bytes.lines {
            // A broken line is reported, and hides no other.
            guard line.first == UInt8(ascii: "{"), let record = tree.parse(line) else { continue }
            return record["date"]?.isString == true && record["sender"] != nil && record["body"] != nil
                && record["reactions"]?.isArray == true
        }
        return false
    }

    private static func rows(
        _ bytes: Bytes, _ tree: JSONTree
    ) -> (conversation: String, people: Set<String>, isGroup: Bool)? {
        var splitter = RecordSplitter(bytes, isEnd: false)
        var conversation: String?
        var people: Set<String> = []
        var isGroup = false
        while case .record(let range)? = splitter.next() {
            guard let row = tree.parse(Bytes(rebasing: bytes[range])) else { continue }
            if conversation == nil {
                guard row["id"]?.isString == true, SignalRows.time(of: row) != nil,
                    row["type"]?.isString == true || row["received_at"] != nil, let id = row["conversationId"]?.string
                else { return nil }
                conversation = id
            }
            if let person = SignalRows.person(of: row) { people.insert(person) }
            if let type = row["type"]?.bytes, type.starts(with: "group") { isGroup = true }
        }
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
