internal import Dates
internal import JSON

/// Exports of DiscordChatExporter in CSV: one file for a channel, or for a part of it.
///
///     AuthorID,Author,Date,Content,Attachments,Reactions
///     "101","ana","2024-01-05T09:12:00.0000000+00:00","low tide","https://…/a.png","👍 (2),❤ (1)"
///
/// Facts (CsvMessageWriter.cs and its history): every field is quoted, with quotes doubled. Until 2023, dates have the format of
/// the user's language; until 2019, `;` separates the fields and there is no ID of the author. IDs of messages, replies and edits
/// are missing. Service lines are only their English words.
struct DiscordCSVFormat: LogFormat {
    let id = "discord-csv"
    let name = "DiscordChatExporter CSV"
    let order = ForeignConversation.Order.byKey

    func candidates(_ source: Source) -> [SourceFile] { Array(source.candidates(".csv")) }

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        guard let head = try? source.read(file, count: 64 << 10) else { return nil }
        let found = head.withUnsafeBytes { DiscordCSVFormat.first(in: $0) }
        guard let found else { return nil }
        let (order, problems) = MomentReader.setting(of: file, in: source, sample: found.date) {
            DiscordCSVFormat.converter(Feed(file: file.path, setting: found.style), $0)
        }
        let name = DiscordFileName(file.name)
        return ForeignLog(
            feed: Feed(file: file.path, setting: [found.style, order].joined(separator: " ")), title: name.channel,
            place: name.id ?? "\(file.folder)/\(name.whole)", number: name.part, aliases: name.id.map { [$0] } ?? [],
            problems: problems)
    }

    /// The layout of the file, and one of its dates; nil for a file with neither a header nor a record.
    private static func first(in bytes: Bytes) -> (style: String, date: String?)? {
        let start = bytes.starts(with: "\u{FEFF}") ? 3 : 0
        let head = Bytes(rebasing: bytes[start...])
        var isHead = ["AuthorID,Author,Date,Content", "Author;Date;Content"].contains { head.starts(with: $0) }
        let isOld = head.starts(with: "Author;")
        var lines = bytes.wholeLines(isEnd: true, from: start)
        while let (at, _) = lines.next() {
            let rest = Bytes(rebasing: bytes[at...])
            if isStart(rest, isOld: isOld) {
                let fields = CSV.read(rest, separator: UInt8(ascii: isOld ? ";" : ",")).fields
                if fields.count > 3 {
                    return (isOld ? "old" : "new", String(decoding: fields[isOld ? 1 : 2], as: UTF8.self))
                }
                isHead = isHead || isOld
            }
        }
        return isHead ? (isOld ? "old" : "new", nil) : nil
    }

    /// True if a row begins here: `"101","ana",` or `"ana#0001";`. Quotes within a text are doubled, so no line of a text
    /// matches.
    private static func isStart(_ bytes: Bytes, isOld: Bool) -> Bool {
        guard bytes.first == UInt8(ascii: "\"") else { return false }
        if !isOld {
            let digits = bytes.dropFirst().prefix { $0.isDigit }.count
            return digits > 0 && Bytes(rebasing: bytes[(digits + 1)...]).starts(with: "\",\"")
        }
        let line = Bytes(rebasing: bytes[..<min(bytes.lineLength, 200)])
        guard let end = line.offset(of: "\";\"" as StaticString), end > 5 else { return false }
        return line[end - 5] == UInt8(ascii: "#") && line[(end - 4)..<end].allSatisfy { $0.isDigit }
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        let order = feed.setting.split(separator: " ").dropFirst().first ?? ""
        return DiscordCSVFormat.converter(feed, MomentReader(context.zone, setting: String(order)))
    }

    private static func converter(_ feed: Feed, _ times: MomentReader) -> BlockConverter {
        let isOld = feed.setting.hasPrefix("old")
        var identity = LineIdentity()
        let folder = feed.folder
        return BlockConverter(isStart: { isStart($0, isOld: isOld) }) { block, writer in
            let (found, isAlone) = CSV.read(block, separator: UInt8(ascii: isOld ? ";" : ","))
            var fields = found[...]
            let author = isOld ? fields.first ?? [] : fields.popFirst() ?? []
            guard fields.count >= 3 else { return "row with too few fields" }
            let row = Array(fields)
            guard
                let time = row[1].withUnsafeBytes({ DiscordTime.moment($0) })
                    ?? times.moment(String(decoding: row[1], as: UTF8.self))
            else { return "row without a time" }
            let id = identity.next(at: time, name: author, text: row[2])
            let key = id.withUnsafeBytes { DiscordID.key(of: $0, milliseconds: time.milliseconds) }
            writer.message(id: id, at: time, key: key)
            writer.sender(author, name: row[0])
            var text: [UInt8] = []
            row[2].withUnsafeBytes { DiscordText(names: ForeignNames(), mentions: nil).append($0, to: &text) }
            Marks.trim(&text, from: 0)
            writer.text("text", text)
            if isNotice(row[2]) {
                writer.text("kind", "system")
                if row[2].elementsEqual("Joined the server.".utf8) { writer.text("presence", "join") }
            }
            writer.attachments(row.count > 3 ? files(String(decoding: row[3], as: UTF8.self), folder) : [])
            writer.reactions(row.count > 4 ? reactions(String(decoding: row[4], as: UTF8.self)) : [])
            // The export has nothing of a message that is only a sticker or an embed.
            if writer.isBlank { writer.text("text", CSV.empty) }
            writer.end()
            return isAlone ? nil : CSV.lost
        }
    }

    private static func isNotice(_ text: [UInt8]) -> Bool {
        let words = String(decoding: text, as: UTF8.self)
        return [
            "Joined the server.", "Pinned a message.", "Started a thread.", "Left the group.",
            "Changed the channel icon.", "Changed the channel name.", "Added a recipient.", "Removed a recipient.",
        ].contains(words) || words.hasPrefix("Started a call that lasted ") && words.hasSuffix(" minutes.")
            || words.hasPrefix("Changed the channel name: ")
            || words.hasPrefix("Added ") && words.hasSuffix(" to the group.")
            || words.hasPrefix("Removed ") && words.hasSuffix(" from the group.")
    }

    /// Addresses or paths, separated by commas. A comma inside a name is not followed by an address or a path.
    private static func files(_ list: String, _ folder: Substring) -> [ForeignAttachment] {
        guard !list.isEmpty else { return [] }
        let beginning = list.prefix { $0 != "/" && $0 != "\\" }
        var names: [String] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            if names.isEmpty || part.hasPrefix(beginning) || part.contains("://") {
                names.append(String(part))
            } else {
                names[names.count - 1] += "," + part
            }
        }
        return names.map { ForeignAttachment(at: $0, in: folder) }
    }

    /// `👍 (2),❤ (1)`
    private static func reactions(_ list: String) -> [ForeignReaction] {
        list.split(separator: ",").compactMap { part in
            guard part.hasSuffix(")"), let open = part.lastIndex(of: "("),
                let count = Int(part[open...].dropFirst().dropLast()), count > 0
            else { return nil }
            let name = String(part[..<open].filter { $0 != " " })
            guard !name.isEmpty else { return nil }
            let emoji = DiscordHTMLText.emoji(Array(name.utf8))
            return ForeignReaction(emoji: String(decoding: emoji, as: UTF8.self), count: count)
        }
    }
}

/// Rows of values with a separator.
enum CSV {
    /// The error for text after a row where no new row begins.
    static let lost = "text that belongs to no row"
    /// The text for a message whose row is empty.
    static let empty = "[no text: a sticker, or what the export leaves out]"

    /// The fields of the first row in these bytes, and true if only white space follows it. A field is quoted, with its quotes
    /// doubled, or bare.
    static func read(_ row: Bytes, separator: UInt8) -> (fields: [[UInt8]], isAlone: Bool) {
        var (fields, field, isQuoted, at) = ([[UInt8]](), [UInt8](), false, 0)
        while at < row.count {
            let byte = row[at]
            at += 1
            if isQuoted {
                guard byte == UInt8(ascii: "\"") else {
                    field.append(byte)
                    continue
                }
                if at < row.count, row[at] == UInt8(ascii: "\"") {
                    field.append(byte)
                    at += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\""), field.isEmpty {
                isQuoted = true
            } else if byte == separator {
                fields.append(field)
                field = []
            } else if byte == 10 {
                break
            } else if byte != 13 {
                field.append(byte)
            }
        }
        fields.append(field)
        let rest = Bytes(rebasing: row[min(at, row.count)...])
        return (fields.map { field in field.contains(13) ? field.filter { $0 != 13 } : field }, rest.trimmed.isEmpty)
    }
}

/// The facts in the file names of DiscordChatExporter: `Guild - Category - channel [12345678] (after 2020-01-01) [part 2].csv`.
struct DiscordFileName {
    /// The name without its extension and its part number.
    let whole: String
    let channel: String
    /// The ID of the channel.
    let id: String?
    /// The part number; 1 for the first part, whose name has no number.
    let part: Int

    init(_ name: Substring) {
        var rest = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        var part = 1
        if let place = rest.ranges(of: " [part ").last, rest.hasSuffix("]"),
            let number = Int(rest[place.upperBound...].dropLast())
        {
            (rest, part) = (rest[..<place.lowerBound], number)
        }
        (whole, self.part, id) = (String(rest), part, DiscordHTMLHead.id(inName: rest))
        let before = id.flatMap { rest.ranges(of: " [\($0)]").last }.map { rest[..<$0.lowerBound] } ?? rest
        channel = before.ranges(of: " - ").last.map { String(before[$0.upperBound...]) } ?? String(before)
    }
}
