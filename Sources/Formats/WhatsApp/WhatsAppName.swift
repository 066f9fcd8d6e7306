/// The names of chats.
enum WhatsAppName {
    /// The name that the first line of a chat of an iPhone has before it: `Family: ‎Messages and calls are end-to-end encrypted.`
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

    /// The name that the file or its folder tells: `WhatsApp Chat with Jane.txt`, `WhatsApp Chat - Family/_chat.txt`.
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

    /// Whether the name of a file, or of its folder, is of a language other than English.
    static func isForeign(_ file: SourceFile) -> Bool {
        beginnings.dropFirst(3).contains { file.name.hasPrefix($0) || file.folder.contains($0) }
    }

    /// As the languages of phones begin names of files: English first.
    private static let beginnings = [
        "WhatsApp Chat with ", "WhatsApp Chat - ", "WhatsApp - ", "WhatsApp-Chat mit ", "WhatsApp Chat mit ",
        "Chat de WhatsApp con ",
        "Discussion WhatsApp avec ", "Conversa do WhatsApp com ", "Chat WhatsApp con ", "WhatsApp-chat met ",
        "Czat WhatsApp z ", "Чат WhatsApp с контактом ", "WhatsApp Chat ile ", "WhatsApp-chatt med ",
        "WhatsApp-keskustelu: ", "Chat do WhatsApp com ", "Xat de WhatsApp amb ",
        "Chat WhatsApp cu ", "Chat WhatsApp dengan ", "Чат WhatsApp з ", "Συνομιλία WhatsApp με ", "WhatsApp chat s ",
    ]

    /// A name that is good to type.
    static func typed(_ name: String) -> String {
        let slug = Slug.of(name)
        return slug.isEmpty ? "chat" : slug
    }
}
