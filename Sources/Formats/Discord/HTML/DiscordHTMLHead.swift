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
