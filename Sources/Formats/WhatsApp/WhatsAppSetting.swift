/// The setting of a feed: how its lines begin, whether the export holds files, whether nobody has the
/// name of the chat, the character set of lines that are no UTF-8, and the orders of its dates.
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

/// The parts of a message that stand after its time.
struct WhatsAppMessage {
    /// Nil for lines about the chat.
    private(set) var author: Bytes?
    private(set) var text: Bytes
    private(set) var isSystem = false
    private(set) var isDeleted = false
    private(set) var isEdited = false
    /// The name of its file.
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
        // On iPhones, lines about the chat have its name before them, or that of the person who acted, and a mark in front.
        isSystem =
            marked.count > text.count && file == nil && !isDeleted && !isEdited
            && (author.elementsEqual(title) || WhatsAppWords.isNotice(text, by: author))
        self.author = isSystem ? nil : author
    }

    /// The name without the sign of people who are not in the phone's contacts.
    var authorName: Bytes {
        guard let author else { return .empty }
        guard author.first == UInt8(ascii: "~") else { return author }
        var reader = WhatsAppStampReader(author)
        _ = reader.take("~")
        reader.skipBlanks()
        let name = Bytes(rebasing: author[reader.at...])
        return name.isEmpty ? author : name
    }

    /// The number of bytes before `: `; nil if the line is about the chat. Names have no quotes, but subjects of groups have.
    static func authorLength(_ body: Bytes) -> Int? {
        let line = Bytes(rebasing: body[..<min(body.lineLength, 160)]).withoutReturn
        for at in 0..<line.count {
            if line[at] == UInt8(ascii: "\"") || Bytes(rebasing: line[at...]).starts(with: "“") { return nil }
            if line[at] == UInt8(ascii: ":"), at > 0, at + 1 == line.count || line[at + 1] == 32 { return at }
        }
        return nil
    }
}
