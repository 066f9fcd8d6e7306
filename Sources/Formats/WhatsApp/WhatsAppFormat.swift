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
    package let version = 2

    private static let sample = 32 << 10

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        let chats = chats(in: source)
        return chats.contains(where: \.isSure) ? .certain : chats.isEmpty ? .no : .weak
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var ids = UniqueIDs()
        var archive = ForeignArchive()
        for chat in chats(in: source) {
            let (file, style) = (chat.file, chat.style)
            let name = chat.name ?? WhatsAppName.chat(of: file, in: source)
            let id = ids.take(WhatsAppName.typed(name))
            var setting = WhatsAppSetting(style: style, hasFiles: source.hasFiles(beside: file))
            var scan = WhatsAppScan(
                title: name, style: style, isForeign: WhatsAppName.isForeign(file), dates: source.options.dates)
            try scan.read(file, in: source)
            let dates = scan.dates.result()
            if let problem = dates.problem(in: file.path) { archive.problems.append(problem) }
            (setting.runs, setting.isGroup) = (dates.runs, !scan.titleSpeaks)
            setting.charset = source.options.charset ?? scan.evidence.charset
            archive.conversations.append(
                ForeignConversation(
                    id: id, title: name == id ? nil : name,
                    feeds: [Feed(file: file.path, setting: setting.text)]))
        }
        return archive
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        let converter = WhatsAppConverter(feed, title: conversation.title ?? conversation.id, zone: zone)
        let decoder = CharsetConverter(converter, charset: WhatsAppSetting(feed.setting).charset)
        converter.decoder = decoder
        return decoder
    }

    // MARK: - Files

    /// A file that is a chat: how its lines begin, and the name of the chat as its first line tells it.
    private struct Chat {
        var file: SourceFile
        var style: WhatsAppStyle
        var name: String?
        /// Whether most of its lines are of such a chat. Others count where there is no such chat.
        var isSure = true
    }

    private func chats(in source: Source) -> [Chat] {
        var found: [Chat] = []
        for file in source.files where (file.name.hasSuffix(".txt") || source.isFile) && file.size > 0 {
            guard let bytes = try? source.read(file, count: WhatsAppFormat.sample),
                let chat = bytes.withUnsafeBytes({ look(at: $0, of: file) })
            else { continue }
            found.append(chat)
        }
        let sure = found.filter(\.isSure)
        return sure.isEmpty ? found : sure
    }

    private func look(at bytes: Bytes, of file: SourceFile) -> Chat? {
        var first: (stamp: WhatsAppStamp, line: Bytes, number: Int)?
        var (stamps, lines, authors, nicks) = (0, 0, 0, 0)
        for line in bytes.lines {
            lines += 1
            if let stamp = WhatsAppStamp(line), first.map({ $0.stamp.style == stamp.style }) ?? true {
                stamps += 1
                first = first ?? (stamp, line, lines)
                let body = Bytes(rebasing: line[stamp.length...])
                // `<ana> text`: a log of IRC.
                if body.first == UInt8(ascii: "<"), body.word.last == UInt8(ascii: ">") {
                    nicks += 1
                } else if WhatsAppMessage(body, title: []).author != nil {
                    authors += 1
                }
            }
        }
        guard let first, authors > nicks, first.stamp.style != .brackets || isChat(bytes, first.line, file) else {
            return nil
        }
        let name = first.stamp.style == .dash ? nil : WhatsAppName.chat(by: first.line, first.stamp)
        // Messages may be long, and many lines of a group are about the group. The first lines of a file may be lost, but a chat
        // soon begins.
        let isSure = stamps * 50 >= lines && authors * 20 >= stamps && first.number <= 6
        return Chat(file: file, style: first.stamp.style, name: name, isSure: isSure)
    }

    /// Logs of other programs have such dates too: only the mark of an iPhone tells it from them.
    private func isChat(_ bytes: Bytes, _ line: Bytes, _ file: SourceFile) -> Bool {
        guard IRCStamp(line, .dated) != nil else { return true }
        return file.name == "_chat.txt" || bytes.string.unicodeScalars.contains("\u{200E}")
    }
}
