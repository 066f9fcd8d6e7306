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
package struct TelegramHTMLFormat: LogFormat {
    package let id = "telegram-html"
    package let name = "Telegram export in HTML"

    package init() {}

    package func candidates(_ source: Source) -> [SourceFile] { TelegramHTMLFile.candidates(source) }

    package func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        TelegramHTMLFile.title(of: file, in: source).map { title in
            ForeignLog(
                feed: Feed(file: file.path), title: title, place: String(file.folder),
                number: TelegramHTMLFile.number(file.name) ?? 1)
        }
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = listed(in: source)
        archive.me = TelegramHTMLFile.me(in: source)
        return archive
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
