package import Dates

/// Exports of DiscordChatExporter in HTML, its default: a file, or a folder of files for channels, threads and their parts.
///
///     preambles of files → DiscordArchive → feeds → DiscordHTMLConverter → groups → DiscordHTMLGroup → records
///
/// Facts, and where they were seen:
/// - `<div class=chatlog__message-group>` holds messages of one author, who is named in the first. (MessageGroupTemplate.cshtml)
/// - A message is `<div id=chatlog__message-container-1 … data-message-id=1>`; before 2022, `<div class="chatlog__message"
///   data-message-id="1" id="message-1">` after the author. Quotes of attributes may be missing, as the HTML is minified.
///   (the exporter's history)
/// - Until the middle of 2019, messages have no IDs: those of a group share its time, which tells the minute. The head has classes of its
///   own (`info__guild-name`), and pictures have no titles. (the exporter's history)
/// - Times are written in the exporter's language and zone. IDs are snowflakes and hold the same moment. (Discord's API)
/// - No file names the ID of its channel, but its usual name does: `Guild - Category - channel [1].html`. The preamble names the
///   server and the path of the channel, `Category / channel / thread`. (PreambleTemplate.cshtml)
/// - The texts of messages keep their line feeds; everything else is minified. (HtmlMessageWriter.cs)
package struct DiscordHTMLFormat: Format {
    package let id = "discord-html"
    package let name = "DiscordChatExporter HTML"
    package let version = 3

    package init() {}

    /// The most files that are looked at.
    private static let tried = 64

    package func recognise(_ source: Source) -> Recognition {
        source.candidates(".html").prefix(DiscordHTMLFormat.tried).contains {
            (try? DiscordHTMLHead($0, in: source)) != nil
        } ? .certain : .no
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = DiscordArchive()
        var heads: [DiscordHTMLHead] = []
        for file in source.candidates(".html") {
            if let head = try DiscordHTMLHead(file, in: source) { heads.append(head) }
        }
        let ids = Dictionary(heads.map { ($0.path.joined(separator: "\n"), $0.id) }, uniquingKeysWith: { $1 })
        for head in heads { archive.add(try head.file(in: source, ids: ids)) }
        return archive.archive(source.name)
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        DiscordHTMLConverter(feed, zone: zone)
    }

    package func cut(_ bytes: UnsafeRawBufferPointer, of feed: Feed) -> Int? {
        // IDs that are made of times count what stands before.
        guard bytes.offset(of: "data-message-id" as StaticString) != nil else { return nil }
        return DiscordHTMLMark.group.first(in: bytes)
    }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? { Array(id.utf8) }
}
