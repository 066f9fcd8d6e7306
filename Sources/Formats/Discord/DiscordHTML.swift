internal import CSimdjson
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

/// Converts the groups of an HTML file.
final class DiscordHTMLConverter: Converter {
    private let feed: Feed
    private var group: DiscordHTMLGroup

    init(_ feed: Feed, zone: Zone) {
        self.feed = feed
        group = DiscordHTMLGroup(
            setting: DiscordSetting(feed.setting), folder: SourceFile.folder(of: feed.file), times: MomentReader(zone))
    }

    func convert(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter
    ) -> Int {
        let marks = DiscordHTMLMark.group.all(in: bytes)
        for (index, mark) in marks.enumerated() where isEnd || index + 1 < marks.count {
            let end = index + 1 < marks.count ? marks[index + 1] : bytes.count
            let broken = group.convert(Bytes(rebasing: bytes[mark..<end]), into: &writer)
            for place in broken {
                writer.problem(
                    ForeignProblem(
                        file: feed.file, place: .byte(offset + Int64(mark + place)),
                        kind: "message without an ID of Discord or a time"))
            }
        }
        if isEnd { return bytes.count }
        guard let last = marks.last else { return 0 }
        if last == 0, bytes.count > Record.longest {
            writer.problem(
                ForeignProblem(file: feed.file, place: .byte(offset), kind: "group of messages is longer than 16 MB"))
            return bytes.count
        }
        return last
    }
}

/// The beginning of an HTML file, before its messages.
struct DiscordHTMLHead {
    private let source: SourceFile
    /// The name of the server.
    private let guild: String
    /// The names that lead to the channel: its category, its channel if it is a thread, its own.
    let path: [String]
    private let topic: String
    /// The first byte of the messages.
    private let start: Int64
    /// The ID of the channel in the name of the file; else its path.
    let id: String

    /// The styles and scripts before the messages take some 100 KB.
    private static let longest = 1 << 20
    private static let tail = 64 << 10

    /// Nil for any other file.
    init?(_ file: SourceFile, in source: Source) throws(SourceError) {
        // Other pages show so within their first bytes.
        let first = try source.read(file, count: 64)
        guard first.contains(UInt8(ascii: "<")) else { return nil }
        let head = try source.read(file, count: DiscordHTMLHead.longest)
        guard
            ["preamble__entry", "info__guild-name"].contains(where: {
                Source.firstOffset(of: Array($0.utf8), in: head) != nil
            }),
            Source.firstOffset(of: Array("chatlog".utf8), in: head) != nil
        else { return nil }
        let (mark, entries) = head.withUnsafeBytes { bytes in
            let mark = DiscordHTMLMark.group.first(in: bytes)
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
            // Until 2020, each had a class of its own.
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
            if number.utf8.count >= 6, number.utf8.allSatisfy({ (48...57).contains($0) }) { return String(number) }
        }
        return nil
    }

    /// The file, with the IDs at its ends.
    /// - Parameter ids: the IDs of channels by their paths.
    func file(in source: Source, ids: [String: String]) throws(SourceError) -> DiscordFile {
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
        let first = begin.withUnsafeBytes { bytes in
            DiscordHTMLMark.message.first(in: bytes).flatMap { DiscordHTMLMark.id(in: bytes, at: $0) }
        }
        let last = end.withUnsafeBytes { bytes in
            DiscordHTMLMark.message.all(in: bytes).last.flatMap { DiscordHTMLMark.id(in: bytes, at: $0) }
        }
        // What stands after the messages is their end: since 2023 the exporter leaves out `</html>`.
        let isCut = ["</html>", "<div class=postamble", "<div class=\"postamble"].allSatisfy {
            Source.firstOffset(of: Array($0.utf8), in: end) == nil
        }
        // Until the middle of 2019, messages have no IDs: nobody can tell then how files follow each other but by their times.
        let hasGroup = begin.withUnsafeBytes { DiscordHTMLMark.group.first(in: $0) != nil }
        return DiscordFile(
            self.source, head, start: start, first: first ?? (hasGroup ? 0 : nil), last: last ?? (hasGroup ? 0 : nil),
            isCut: isCut)
    }
}

/// Bytes by which parts of the HTML are found. No text of a message holds them, as its `<` is escaped.
struct DiscordHTMLMark {
    private let name: [UInt8]
    /// The bytes before the name: with a quote before it, and without.
    private let before: [[UInt8]]

    static let group = DiscordHTMLMark("chatlog__message-group", after: "<div class=")
    static let message = DiscordHTMLMark("data-message-id=", after: "")

    private init(_ name: StaticString, after: String) {
        self.name = Array(Bytes(start: name.utf8Start, count: name.utf8CodeUnitCount))
        before = after.isEmpty ? [[]] : [Array((after + "\"").utf8), Array(after.utf8)]
    }

    /// The offset of the first mark from a place on, with what stands before it.
    func first(in bytes: Bytes, from start: Int = 0) -> Int? {
        var at = start
        while let place = find(bytes, at) {
            for before in before where place - before.count >= start {
                if bytes[(place - before.count)..<place].elementsEqual(before) { return place - before.count }
            }
            at = place + 1
        }
        return nil
    }

    /// All of them.
    func all(in bytes: Bytes) -> [Int] {
        var found: [Int] = []
        while let place = first(in: bytes, from: found.last.map { $0 + name.count } ?? 0) { found.append(place) }
        return found
    }

    private func find(_ bytes: Bytes, _ start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        let found = name.withUnsafeBytes { name in
            guard let name = name.baseAddress else { return bytes.count }
            return start
                + csj_find(
                    (base + start).assumingMemoryBound(to: CChar.self), bytes.count - start,
                    name.assumingMemoryBound(to: CChar.self), self.name.count)
        }
        return found < bytes.count ? found : nil
    }

    /// The number after a mark of a message.
    static func id(in bytes: Bytes, at mark: Int) -> Int64? {
        var start = mark + message.name.count
        if start < bytes.count, bytes[start] == UInt8(ascii: "\"") { start += 1 }
        var end = start
        while end < bytes.count, (48...57).contains(bytes[end]) { end += 1 }
        return start < end ? DiscordID.number(Bytes(rebasing: bytes[start..<end])) : nil
    }
}
