package import Dates

/// Exports of Telegram Desktop in HTML, which is what it writes unless it is asked for JSON.
///
/// Facts ([src]: the exporter's source, telegramdesktop/tdesktop, export_output_html.cpp):
/// - A chat is `messages.html`, `messages2.html`, …, a thousand messages each; all chats are `chats/chat_001/…`. [src]
/// - A message is `<div class="message default clearfix" id="message12">`, or `… clearfix joined` without a name when the message
///   before is by the same person. A file begins with a message that has a name. [src]
/// - A line of the service is `<div class="message service" …>`, without a time; so is the line of a new day, whose ID is a small
///   negative number. [src]
/// - The time stands in `title="08.05.2020 12:34:56 UTC+03:00"`: the local clock, with the offset of the zone in winter, even in
///   summer. Until 2022 there is no offset. [src]
/// - In texts, line feeds are `<br>`, and `< > & " '` are escaped; no other `<div` stands there. [src]
/// - There are no IDs of people and of chats: a person is a name. [src]
package struct TelegramHTMLFormat: Format {
    package let id = "telegram-html"
    package let name = "Telegram export in HTML"

    package init() {}

    package func recognise(_ source: Source) -> Recognition {
        TelegramHTMLFile.candidates(source).contains { TelegramHTMLFile.title(of: $0, in: source) != nil }
            ? .certain : .no
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = ForeignArchive()
        archive.me = TelegramHTMLFile.me(in: source)
        var chats: [(folder: String, title: String, files: [SourceFile])] = []
        for file in TelegramHTMLFile.candidates(source) {
            guard let title = TelegramHTMLFile.title(of: file, in: source) else { continue }
            if let index = chats.firstIndex(where: { $0.folder == String(file.folder) }) {
                chats[index].files.append(file)
            } else {
                chats.append((String(file.folder), title, [file]))
            }
        }
        var uses: [String: Int] = [:]
        for chat in chats { uses[TelegramHTMLFormat.slug(chat.title), default: 0] += 1 }
        archive.conversations = chats.map { chat in
            // Of several chats with one name, the folder tells which it is.
            let slug = TelegramHTMLFormat.slug(chat.title)
            let more = uses[slug] == 1 ? "" : "-" + Slug.of(chat.folder)
            var conversation = ForeignConversation(id: slug + more, title: chat.title)
            conversation.feeds = chat.files.map { Feed(file: $0.path) }
            return conversation
        }
        return archive
    }

    private static func slug(_ title: String) -> String {
        let slug = Slug.of(title)
        return slug.isEmpty ? "chat" : slug
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        TelegramHTMLConverter(feed, state: state, zone: zone)
    }

    /// A message that names its sender.
    package func cut(_ bytes: UnsafeRawBufferPointer, of feed: Feed) -> Int? {
        bytes.offset(of: "<div class=\"message default clearfix\" id=\"message")
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? {
        Int64(id).map { Array("id=\"message\($0)\"".utf8) }
    }
}
