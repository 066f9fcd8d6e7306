package import Dates

/// Chats exported by "Export chat" of WhatsApp: a text file, alone or in a folder with the files of its messages.
///
/// Facts, from exports that parsers of others hold as their tests:
/// - iPhones write `[31/12/2022, 11:40:26] Jane: text` into `_chat.txt`, other phones `12/31/22, 11:40 PM - Jane: text` into
///   `WhatsApp Chat with Jane.txt`. Order, separators and halves of the day are those of the phone's language.
/// - A message goes on in the lines after it. Lines about the chat have no author; on iPhones, they have the name of the chat.
/// - U+200E stands before words of WhatsApp itself, U+202F before `PM`.
/// - There are no IDs, replies or reactions.
package struct WhatsAppFormat: Format {
    package let id = "whatsapp"
    package let name = "WhatsApp chat"
    package let version = 1

    private static let sample = 32 << 10

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        chats(in: source, most: 1).isEmpty ? .no : .certain
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var ids = UniqueIDs()
        var conversations: [ForeignConversation] = []
        for (file, style, first) in chats(in: source, most: .max) {
            let name = first ?? WhatsAppName.chat(of: file, in: source)
            let id = ids.take(WhatsAppName.typed(name))
            var setting = WhatsAppSetting(style: style, hasFiles: source.hasFiles(beside: file))
            var scan = WhatsAppScan(title: name, style: style)
            try scan.read(file, in: source)
            (setting.runs, setting.isGroup) = (scan.dates.runs, !scan.titleSpeaks)
            conversations.append(
                ForeignConversation(
                    id: id, title: name == id ? nil : name,
                    feeds: [Feed(file: file.path, setting: setting.text)]))
        }
        return ForeignArchive(conversations: conversations)
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        WhatsAppConverter(feed, title: conversation.title ?? conversation.id, zone: zone)
    }

    // MARK: - Files

    /// The files that are chats, how their lines begin, and the name of the chat as their first line tells it.
    private func chats(in source: Source, most: Int) -> [(file: SourceFile, style: WhatsAppStyle, name: String?)] {
        var found: [(file: SourceFile, style: WhatsAppStyle, name: String?)] = []
        for file in source.files
        where found.count < most && (file.name.hasSuffix(".txt") || source.isFile) && file.size > 0 {
            guard let bytes = try? source.read(file, count: WhatsAppFormat.sample),
                let chat = bytes.withUnsafeBytes({ look(at: $0, of: file) })
            else { continue }
            found.append((file, chat.style, chat.name))
        }
        return found
    }

    private func look(at bytes: Bytes, of file: SourceFile) -> (style: WhatsAppStyle, name: String?)? {
        var first: (stamp: WhatsAppStamp, line: Bytes)?
        var (stamps, lines, authors) = (0, 0, 0)
        var rest = bytes
        while !rest.isEmpty {
            let line = Bytes(rebasing: rest[..<rest.lineLength])
            lines += 1
            if let stamp = WhatsAppStamp(line), first.map({ $0.stamp.style == stamp.style }) ?? true {
                stamps += 1
                first = first ?? (stamp, line)
                if WhatsAppMessage(Bytes(rebasing: line[stamp.length...]), title: []).author != nil { authors += 1 }
            }
            // The first lines of a file may be lost, but a chat soon begins.
            if first == nil, lines > 5 { return nil }
            rest = Bytes(rebasing: rest[min(rest.count, rest.lineLength + 1)...])
        }
        // Messages may be long, and many lines of a group are about the group.
        guard let first, stamps * 50 >= lines, authors * 20 >= stamps,
            first.stamp.style != .brackets || isChat(bytes, first.line, file)
        else { return nil }
        return (first.stamp.style, first.stamp.style == .dash ? nil : WhatsAppName.chat(by: first.line, first.stamp))
    }

    /// Logs of other programs have such dates too: only the mark of an iPhone tells it from them.
    private func isChat(_ bytes: Bytes, _ line: Bytes, _ file: SourceFile) -> Bool {
        guard IRCStamp(line, .dated) != nil else { return true }
        return file.name == "_chat.txt" || bytes.string.unicodeScalars.contains("\u{200E}")
    }
}
