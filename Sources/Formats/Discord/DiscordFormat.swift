package import Dates

/// Exports of DiscordChatExporter in JSON: a file, or a folder of files for channels, threads and their parts.
///
///     heads of files → DiscordArchive → feeds → DiscordMessage → records
///
/// Facts, and where they were seen:
/// - A file is `{guild, channel, dateRange, exportedAt?, messages: […], messageCount}`, oldest first unless `--reverse`; a part is a
///   whole file with the same channel. Every message begins `{"id", "type", "timestamp"`. (JsonMessageWriter.cs; real exports)
/// - `id` is a snowflake: it orders the messages of a channel. `type` is a name, or a number in a string. (MessageKind.cs)
/// - `channel.category` is the parent channel for a thread. The ID of a thread is that of the message it began with: of
///   a plain message, or of the line "Started a thread." (real exports)
/// - `reference` is a reply only if the type is `Reply`: pins and forwards have it too. (real exports)
/// - The text of a forward is in `forwardedMessage`, and `content` is empty. (JsonMessageWriter.cs)
/// - Text is flattened unless `--markdown false`: then it holds `<@id>`, `<#id>`, `<:name:id>`, `<t:seconds>`. Marks stay in any case.
///   (PlainTextMarkdownVisitor.cs)
/// - Copies of files have paths relative to the file of the export, with `\` if it was made on Windows. (real exports)
/// - Webhooks are bots with the discriminator 0000 and a name for each message. (Discord's API)
package struct DiscordFormat: Format {
    package let id = "discord"
    package let name = "DiscordChatExporter JSON"
    package let version = 2

    package init() {}

    /// The most files that are looked at.
    private static let tried = 64

    package func recognise(_ source: Source) -> Recognition {
        var almost: Recognition = .no
        for file in source.candidates(".json").prefix(DiscordFormat.tried) {
            guard let head = try? DiscordHead(file, in: source) else { continue }
            if head.start != nil { return .certain }
            almost = .unsure("an export of DiscordChatExporter that was cut before its messages")
        }
        return almost
    }

    package func archive(in source: Source) throws(SourceError) -> ForeignArchive {
        var archive = DiscordArchive()
        for file in source.candidates(".json") { try archive.add(file, in: source) }
        return archive.archive(source.name)
    }

    package func converter(
        for feed: Feed, of conversation: ForeignConversation, names: ForeignNames, state: String?, zone: Zone
    ) -> any Converter {
        var message = DiscordMessage(
            names: names, setting: DiscordSetting(feed.setting), folder: SourceFile.folder(of: feed.file))
        return ArrayConverter(feed) { record, writer in message.write(record, into: &writer) }
    }

    package func cut(_ bytes: UnsafeRawBufferPointer, of feed: Feed) -> Int? { DiscordCut.first(in: bytes) }

    package func needle(of id: String, in feed: Feed) -> [UInt8]? { Array("\"\(id)\"".utf8) }
}
