/// The names of chats.
enum WhatsAppName {
    /// The name that the first line of a chat of an iPhone has before it: `Family: ‎Messages and calls are end-to-end encrypted.`
    static func chat(by first: Bytes, _ stamp: WhatsAppStamp) -> String? {
        let line = Bytes(rebasing: first[stamp.length...])
        let message = WhatsAppMessage(line, title: [])
        guard let author = message.author, message.file == nil, !message.isDeleted else { return nil }
        let start = (author.baseAddress.map { $0 + author.count + 2 }).flatMap { text in
            line.baseAddress.map { text - $0 }
        }
        guard let start, start < line.count else { return nil }
        let text = Bytes(rebasing: line[start...])
        return text.withoutMarks.count < text.count ? author.string : nil
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

    /// As the languages of phones begin names of files.
    private static let beginnings = [
        "WhatsApp Chat with ", "WhatsApp Chat - ", "WhatsApp-Chat mit ", "WhatsApp Chat mit ", "Chat de WhatsApp con ",
        "Discussion WhatsApp avec ", "Conversa do WhatsApp com ", "Chat WhatsApp con ", "WhatsApp-chat met ",
        "Czat WhatsApp z ", "Чат WhatsApp с контактом ", "WhatsApp Chat ile ", "WhatsApp - ",
    ]

    /// A name that is good to type.
    static func typed(_ name: String) -> String {
        let slug = Slug.of(name)
        return slug.isEmpty ? "chat" : slug
    }
}
