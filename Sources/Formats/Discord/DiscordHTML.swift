internal import Files
internal import Dates
internal import JSON

/// Exports of DiscordChatExporter in HTML, its default: a file, or a folder of files for channels, threads and their parts.
///
///     preambles of files → DiscordArchive → feeds → groups → DiscordHTMLGroup → records
///
/// Facts, and where they were seen:
/// - `<div class=chatlog__message-group>` holds messages of one author, who is named in the first. (MessageGroupTemplate.cshtml)
/// - A message is `<div id=chatlog__message-container-1 … data-message-id=1>`; before 2022, `<div class="chatlog__message"
///   data-message-id="1" id="message-1">` after the author. Quotes of attributes may be missing, as the HTML is minified.
///   (the exporter's history)
/// - Until the middle of 2019, messages have no IDs, and a group has one time, without seconds. The header has other classes
///   (`info__guild-name`), and pictures have no titles. (the exporter's history)
/// - Times are written in the exporter's language and zone. IDs are snowflakes and hold the same moment. (Discord's API)
/// - No file names the ID of its channel, but its usual name does: `Guild - Category - channel [1].html`. The preamble names the
///   server and the path of the channel, `Category / channel / thread`. (PreambleTemplate.cshtml)
/// - The texts of messages keep their line feeds; everything else is minified. (HtmlMessageWriter.cs)
struct DiscordHTMLFormat: Format {
    let id = "discord-html"
    let name = "DiscordChatExporter HTML"
    let version = 3

    /// The number of files to try before giving up.
    private static let tried = 64
    /// The class of the elements that hold messages of one author.
    static let group: StaticString = "chatlog__message-group"

    func recognise(_ source: Source) -> Recognition {
        source.candidates(".html").prefix(DiscordHTMLFormat.tried).contains {
            (try? DiscordHTMLHead($0, in: source)) != nil
        } ? .certain : .no
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var archive = DiscordArchive()
        var heads: [DiscordHTMLHead] = []
        for file in source.candidates(".html") {
            if let head = try DiscordHTMLHead(file, in: source) { heads.append(head) }
        }
        let ids = Dictionary(heads.map { ($0.path.joined(separator: "\n"), $0.id) }, uniquingKeysWith: { $1 })
        for head in heads { archive.add(try head.file(in: source, ids: ids)) }
        return archive.archive()
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        var group = DiscordHTMLGroup(
            setting: DiscordSetting(feed.setting), folder: feed.folder, times: MomentReader(context.zone))
        return BlockConverter(starts: { HTMLScanner.tags(ofClass: [DiscordHTMLFormat.group], in: $0) }) {
            block, writer in
            group.convert(block, into: &writer)
            return nil
        }
    }

    func cut(_ bytes: Bytes, of feed: Feed) -> Int? {
        // IDs made from times depend on the messages before them, so such a file has no cut.
        guard bytes.offset(of: "data-message-id" as StaticString) != nil else { return nil }
        return HTMLScanner.firstTag(ofClass: DiscordHTMLFormat.group, in: bytes)
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? { Array(id.utf8) }
}

/// The beginning of an HTML file, before its messages.
struct DiscordHTMLHead {
    private let source: SourceFile
    /// The name of the server.
    private let guild: String
    /// The category and the channel; for a thread: the category, its channel and the thread.
    let path: [String]
    private let topic: String
    /// The first byte of the messages.
    private let start: Int64
    /// The ID of the channel in the name of the file; else its path.
    let id: String

    /// The styles and scripts before the messages take some 100 KB.
    private static let longest = 1 << 20
    private static let tail = 64 << 10

    /// Nil if the file is not one of DiscordChatExporter.
    init?(_ file: SourceFile, in source: Source) throws(FileError) {
        // The first bytes are enough to reject other HTML pages.
        let first = try source.read(file, count: 64)
        guard first.contains(UInt8(ascii: "<")) else { return nil }
        let head = try source.read(file, count: DiscordHTMLHead.longest)
        guard
            ["preamble__entry", "info__guild-name"].contains(where: {
                head.offset(of: $0) != nil
            }),
            head.offset(of: "chatlog") != nil
        else { return nil }
        let (mark, entries) = head.withUnsafeBytes { bytes in
            let mark = HTMLScanner.firstTag(ofClass: DiscordHTMLFormat.group, in: bytes)
            return (mark, DiscordHTMLHead.entries(Bytes(rebasing: bytes[..<(mark ?? bytes.count)])))
        }
        guard let guild = entries.first else { return nil }
        self.source = file
        self.guild = guild
        path = (entries.count > 1 ? entries[1] : guild).split(separator: " / ").map(String.init)
        topic = entries.count > 2 ? entries[2] : ""
        start = mark.map(Int64.init) ?? file.size
        id = DiscordHTMLHead.id(inName: file.name) ?? ([guild] + path).joined(separator: "\n")
    }

    /// The texts of the entries of the preamble.
    private static func entries(_ html: Bytes) -> [String] {
        var scanner = HTMLScanner(html)
        var found: [String] = []
        while let piece = scanner.next(), found.count < 3 {
            // Until 2020, each entry had a class of its own.
            guard case .tag(let tag) = piece, !tag.isEnd, tag.name == "div",
                tag.hasClass("preamble__entry") || tag.hasClass("info__guild-name")
                    || tag.hasClass("info__channel-name")
                    || tag.hasClass("info__channel-topic")
            else { continue }
            let inside = tag.inside(html)
            found.append(String(decoding: HTMLText.convert(Bytes(rebasing: html[inside])), as: UTF8.self))
        }
        return found
    }

    /// `12` of `Guild - Text - general [12] [part 2].html`
    static func id(inName name: Substring) -> String? {
        for part in name.split(separator: "[").dropFirst() {
            let number = part.prefix { $0 != "]" }
            if number.utf8.count >= 6, number.utf8.allSatisfy({ $0.isDigit }) { return String(number) }
        }
        return nil
    }

    /// The file, with the IDs of its first and last messages.
    /// - Parameter ids: the IDs of channels by their paths.
    func file(in source: Source, ids: [String: String]) throws(FileError) -> DiscordFile {
        var head = DiscordHead()
        head.guild = ("", guild)
        let isThread = path.count > 2
        head.channel = (
            id, isThread ? "GuildPublicThread" : guild == "Direct Messages" ? "DirectTextChat" : "", path.last ?? "",
            topic
        )
        let parent = path.dropLast().joined(separator: "\n")
        head.parent = (ids[parent] ?? guild + "\n" + parent, path.dropLast().last ?? "")
        let begin = try source.read(self.source, at: start, count: 4_096)
        let from = max(start, self.source.size - Int64(DiscordHTMLHead.tail))
        let end = try source.read(self.source, at: from, count: Int(self.source.size - from))
        let first = begin.withUnsafeBytes { DiscordHTMLHead.messageIDs(in: $0).first ?? nil }
        let last = end.withUnsafeBytes { DiscordHTMLHead.messageIDs(in: $0).last ?? nil }
        // The lines after the messages mark a complete file: since 2023 the exporter leaves out `</html>`.
        let isCut = ["</html>", "<div class=postamble", "<div class=\"postamble"].allSatisfy {
            end.offset(of: $0) == nil
        }
        // Until the middle of 2019, messages have no IDs: only their times give the order of the files.
        let hasGroup = begin.withUnsafeBytes {
            HTMLScanner.firstTag(ofClass: DiscordHTMLFormat.group, in: $0) != nil
        }
        return DiscordFile(
            file: self.source, head: head, start: start, first: first ?? (hasGroup ? 0 : nil),
            last: last ?? (hasGroup ? 0 : nil), isEmpty: first == nil && !hasGroup, isCut: isCut)
    }

    /// The IDs of the messages; nil for an ID that is not Discord's. The text of a message cannot contain the attribute, as `<`
    /// is escaped there.
    private static func messageIDs(in html: Bytes) -> [Int64?] {
        let mark: StaticString = "data-message-id="
        var (at, found) = (0, [Int64?]())
        while let place = html.offset(of: mark, from: at) {
            at = place + mark.utf8CodeUnitCount
            let rest = html[at...].drop { $0 == UInt8(ascii: "\"") }
            found.append(DiscordID.number(Bytes(rebasing: rest.prefix { $0.isDigit })))
        }
        return found
    }
}
