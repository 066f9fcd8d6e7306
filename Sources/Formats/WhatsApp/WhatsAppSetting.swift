internal import JSON
/// The setting of a feed: the form of its lines, `files` if the export contains files, `group` if nobody has the name of the
/// chat, the character set of lines that are not UTF-8, and the orders of its dates.
/// (`brackets files group =CP1251 0:dmy 81233:mdy`)
struct WhatsAppSetting {
    var style = WhatsAppStyle.dash
    var hasFiles = false
    var isGroup = false
    var charset: String?
    var runs: [(start: Int64, order: DateOrder)] = []

    init(style: WhatsAppStyle, hasFiles: Bool) { (self.style, self.hasFiles) = (style, hasFiles) }

    init(_ text: String) {
        for word in text.split(separator: " ") {
            let pair = word.split(separator: ":")
            style = WhatsAppStyle(rawValue: String(word)) ?? style
            if word == "files" { hasFiles = true }
            if word == "group" { isGroup = true }
            if word.hasPrefix("=") { charset = String(word.dropFirst()) }
            if pair.count == 2, let start = Int64(pair[0]), let order = DateOrder(rawValue: String(pair[1])) {
                runs.append((start, order))
            }
        }
    }

    var text: String {
        let words =
            [style.rawValue] + (hasFiles ? ["files"] : []) + (isGroup ? ["group"] : [])
            + (charset.map { ["=\($0)"] } ?? [])
        return (words + runs.map { "\($0.start):\($0.order.rawValue)" }).joined(separator: " ")
    }
}

/// The parts of a message after its time.
struct WhatsAppMessage {
    /// Nil for lines about the chat.
    private(set) var author: Bytes?
    private(set) var text: Bytes
    private(set) var isSystem = false
    private(set) var isDeleted = false
    private(set) var isEdited = false
    /// The name of the message's file.
    private(set) var file: Bytes?

    /// - Parameter title: the name of the chat; empty if unknown.
    init(_ lines: Bytes, title: [UInt8]) {
        var end = lines.count
        while end > 0, lines[end - 1] == 10 || lines[end - 1] == 13 { end -= 1 }
        let body = Bytes(rebasing: lines[..<end])
        guard let length = WhatsAppMessage.authorLength(body) else {
            (text, isSystem) = (body.withoutMarks, true)
            return
        }
        let author = Bytes(rebasing: body[..<length]).withoutMarks
        let marked = Bytes(rebasing: body[min(end, length + 2)...])
        text = marked.withoutMarks
        isDeleted = WhatsAppWords.isDeletion(text)
        if !isDeleted, let before = WhatsAppWords.beforeEdit(text) { (text, isEdited) = (before, true) }
        if let found = WhatsAppWords.file(in: text) { (file, text) = (found.name, found.rest) }
        // On iPhones, a line about the chat has the name of the chat or of the person who acted before it, and a mark.
        isSystem =
            marked.count > text.count && file == nil && !isDeleted && !isEdited
            && (author.elementsEqual(title) || WhatsAppWords.isNotice(text, by: author))
        self.author = isSystem ? nil : author
    }

    /// The name without the sign for people who are not in the phone's contacts.
    var authorName: Bytes {
        guard let author else { return .empty }
        guard author.first == UInt8(ascii: "~") else { return author }
        var reader = WhatsAppStampReader(author)
        _ = reader.take("~")
        reader.skipBlanks()
        let name = Bytes(rebasing: author[reader.at...])
        return name.isEmpty ? author : name
    }

    private static let quotes: [StaticString] = ["\"", "“", "„", "«", "「"]

    /// The number of bytes before `: `; nil if the line is about the chat. Names contain no quotation marks, but subjects of
    /// groups do.
    static func authorLength(_ body: Bytes) -> Int? {
        let line = Bytes(rebasing: body[..<min(body.lineLength, 160)]).withoutReturn
        for at in 0..<line.count {
            let rest = Bytes(rebasing: line[at...])
            if quotes.contains(where: { rest.starts(with: $0) }) { return nil }
            if line[at] == UInt8(ascii: ":"), at > 0, at + 1 == line.count || line[at + 1] == 32 { return at }
        }
        return nil
    }
}

/// Finds the names of chats.
enum WhatsAppName {
    /// The name before the first line of an iPhone's chat: `Family: ‎Messages and calls are end-to-end encrypted.`
    static func chat(by first: Bytes, _ stamp: WhatsAppStamp) -> String? {
        let line = Bytes(rebasing: first[stamp.length...]).withoutReturn
        guard let length = WhatsAppMessage.authorLength(line) else { return nil }
        let text = line.after(length + 2)
        let shown = text.withoutMarks
        guard shown.count < text.count, WhatsAppWords.file(in: shown) == nil, !WhatsAppWords.isDeletion(shown) else {
            return nil
        }
        return Bytes(rebasing: line[..<length]).withoutMarks.string
    }

    /// The name of the chat, from the name of its file or folder: `WhatsApp Chat with Jane.txt`, `WhatsApp Chat - Family/_chat.txt`.
    static func chat(of file: SourceFile, in source: Source) -> String {
        let stem = file.name.hasSuffix(".txt") ? file.name.dropLast(4) : file.name
        if stem != "_chat", stem != "chat" { return name(in: String(stem)) }
        let folder = file.folder.split(separator: "/").last.map(String.init) ?? source.name
        return name(in: folder.hasSuffix(".zip") ? String(folder.dropLast(4)) : folder)
    }

    private static func name(in text: String) -> String {
        for start in beginnings where text.hasPrefix(start) && text.count > start.count {
            return String(text.dropFirst(start.count))
        }
        return text
    }

    /// True if the name of a file, or of its folder, is in a language other than English.
    static func isForeign(_ file: SourceFile) -> Bool {
        beginnings.dropFirst(3).contains { file.name.hasPrefix($0) || file.folder.contains($0) }
    }

    /// The beginnings of file names in the languages of phones, English first.
    private static let beginnings = [
        "WhatsApp Chat with ", "WhatsApp Chat - ", "WhatsApp - ", "WhatsApp-Chat mit ", "WhatsApp Chat mit ",
        "Chat de WhatsApp con ", "Discussion WhatsApp avec ", "Conversa do WhatsApp com ", "Chat WhatsApp con ",
        "WhatsApp-chat met ", "Czat WhatsApp z ", "Чат WhatsApp с контактом ", "WhatsApp Chat ile ",
        "WhatsApp-chatt med ", "WhatsApp-keskustelu: ", "Chat do WhatsApp com ", "Xat de WhatsApp amb ",
        "Chat WhatsApp cu ", "Chat WhatsApp dengan ", "Чат WhatsApp з ", "Συνομιλία WhatsApp με ", "WhatsApp chat s ",
    ]
}
