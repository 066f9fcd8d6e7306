internal import Dates

/// Chats as text for people: of sigtop (`msg -f text`, its default), and of signal-export (`chat.md`).
///
///     From: Ben Ito (+4917000000)            [2026-03-01 10:00:00] Ana: low tide
///     Type: incoming
///     Sent: Tue, 21 Jun 2022 18:10:00 +0200  (- Me: 👍 -)
///     Reaction: 👍 from You
///
///     low tide
enum SignalText {
    // MARK: - sigtop

    static func isSigtop(_ bytes: Bytes) -> Bool {
        bytes.starts(with: "Conversation: ") && bytes.offset(of: "\nFrom: " as StaticString) != nil
            && bytes.offset(of: "\nSent: " as StaticString) != nil
    }

    static func sigtop(_ feed: Feed) -> BlockConverter {
        var times: [Int64: Int] = [:]
        return BlockConverter(feed, isStart: isSigtopMessage) { block, writer in
            sigtop(block, &times, &writer)
        }
    }

    private static func isSigtopMessage(_ bytes: Bytes) -> Bool {
        guard bytes.starts(with: "From: ") else { return false }
        let next = Bytes(rebasing: bytes[min(bytes.count, bytes.lineLength + 1)...])
        return next.starts(with: "Type: ") || next.starts(with: "Sent: ")
    }

    private static func sigtop(
        _ block: Bytes, _ times: inout [Int64: Int], _ writer: inout RecordWriter
    ) -> String? {
        var rest = block
        func nextLine() -> Bytes {
            let line = Bytes(rebasing: rest[..<rest.lineLength]).withoutReturn
            rest = Bytes(rebasing: rest[min(rest.count, rest.lineLength + 1)...])
            return line
        }
        var (sender, type, sent, edited) = ("", "", Int64?.none, false)
        var (files, reactions, quoted) = ([ForeignAttachment](), Reactions(), Int64?.none)
        while !rest.isEmpty {
            let line = nextLine().string
            if line.isEmpty { break }
            if line.hasPrefix(">") {
                if line.hasPrefix("> Sent: ") { quoted = quoted ?? MailDate.milliseconds(String(line.dropFirst(8))) }
                continue
            }
            guard let colon = line.firstRange(of: ": ") else { continue }
            let value = String(line[colon.upperBound...])
            switch line[..<colon.lowerBound] {
            case "From": sender = withoutNumber(value)
            case "Type": type = value
            case "Sent": sent = MailDate.milliseconds(value)
            case "Edited", "Version": edited = true
            case "Attachment", "Sticker": files.append(file(value))
            case "Reaction":
                guard let from = value.firstRange(of: " from ") else { continue }
                reactions.add(String(value[..<from.lowerBound]), by: withoutNumber(String(value[from.upperBound...])))
            default: break
            }
        }
        guard let sent, !sender.isEmpty else { return "message without a sender or a time" }
        let count = (times[sent] ?? 0) + 1
        times[sent] = count
        Array((count == 1 ? "\(sent)" : "\(sent).\(count)").utf8).withUnsafeBytes {
            writer.message(id: $0, at: Timestamp(milliseconds: sent))
        }
        let text = trimmed(rest)
        if type == "incoming" || type == "outgoing" || type.isEmpty {
            person(sender, &writer)
            writer.text("text", text)
        } else {
            writer.text("kind", "system")
            writer.text("text", text.isEmpty ? Array(type.replacing("-", with: " ").utf8) : text)
        }
        if let quoted { writer.text("replyTo", String(quoted)) }
        if edited { writer.flag("edited") }
        writer.attachments(files)
        writer.reactions(reactions.list)
        return writer.endMessage()
    }

    /// `pier.jpg (image/jpeg, 5 bytes)`
    private static func file(_ value: String) -> ForeignAttachment {
        guard value.hasSuffix(")"), let start = value.lastIndex(of: "("), start > value.startIndex else {
            return ForeignAttachment(name: value)
        }
        let size = value[start...].split(separator: " ").dropLast().last.flatMap { Int64($0) }
        let name = value[..<start]
        return ForeignAttachment(name: String(name.hasSuffix(" ") ? name.dropLast() : name), size: size)
    }

    /// `Ben Ito` for `Ben Ito (+4917000000)`: telephone numbers are left out.
    static func withoutNumber(_ name: String) -> String {
        guard name.hasSuffix(")"), let start = name.firstRange(of: " (+") else { return name }
        return String(name[..<start.lowerBound])
    }

    // MARK: - signal-export

    /// Whether the first line is a message of signal-export, not of a log of IRC: it ends with the two blanks of Markdown.
    static func isMarkdown(_ bytes: Bytes, _ file: SourceFile) -> Bool {
        guard let start = bytes.firstIndex(where: { $0 > 0x20 && $0 < 0x80 }) else { return false }
        let line = Bytes(rebasing: bytes[start...])
        guard isMarkdownMessage(line) else { return false }
        return file.name.hasSuffix(".md") || bytes.offset(of: "  \n\n[" as StaticString) != nil
    }

    static func markdown(_ feed: Feed, zone: Zone) -> BlockConverter {
        var (clock, identity) = (LocalClock(zone), LineIdentity())
        let folder = SourceFile.folder(of: feed.file)
        return BlockConverter(feed, isStart: isMarkdownMessage) { block, writer in
            markdown(block, folder, &clock, &identity, &writer)
        }
    }

    private static func isMarkdownMessage(_ bytes: Bytes) -> Bool {
        bytes.first == UInt8(ascii: "[") && bytes.lineLength > 22 && bytes[5] == UInt8(ascii: "-")
            && bytes[14] == UInt8(ascii: ":") && (bytes[20] == UInt8(ascii: "]") || bytes[17] == UInt8(ascii: "]"))
            && Bytes(rebasing: bytes[17..<bytes.lineLength]).offset(of: ":" as StaticString) != nil
    }

    private static func markdown(
        _ block: Bytes, _ folder: Substring, _ clock: inout LocalClock, _ identity: inout LineIdentity,
        _ writer: inout RecordWriter
    ) -> String? {
        guard let bracket = block.firstIndex(of: UInt8(ascii: "]")) else { return "message without a time" }
        // Old files have no seconds.
        guard bracket == 17 || bracket == 20 else { return "message without a time" }
        var date = Array(block[1..<bracket]) + (bracket == 17 ? Array(":00".utf8) : [])
        date[10] = UInt8(ascii: "T")
        let place = date.withUnsafeBytes { date -> (Timestamp, day: Int, second: Int)? in
            guard let moment = clock.moment(date), let written = IRCStamp(Bytes(rebasing: date[..<19]), .dated),
                let day = written.day
            else { return nil }
            return (moment, day, written.second)
        }
        let head = Bytes(rebasing: block[min(block.count, bracket + 2)...])
        guard let place, let colon = head.offset(of: ":" as StaticString), colon > 0 else {
            return "message without a sender or a time"
        }
        let sender = Bytes(rebasing: head[..<colon])
        var (files, reactions, lines) = ([ForeignAttachment](), Reactions(), [String]())
        let body = Bytes(rebasing: head[min(head.count, colon + 2)...]).string
        for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
            var line = line
            while let last = line.unicodeScalars.last, last == " " || last == "\r" { line.unicodeScalars.removeLast() }
            if line.hasPrefix("(- "), line.hasSuffix(" -)") {
                for pair in line.dropFirst(3).dropLast(3).split(separator: ", ") {
                    guard let colon = pair.firstRange(of: ": ") else { continue }
                    reactions.add(String(pair[colon.upperBound...]), by: String(pair[..<colon.lowerBound]))
                }
            } else if let file = link(line, folder) {
                files.append(file)
            } else {
                lines.append(String(line))
            }
        }
        let text = Array(lines.joined(separator: "\n").utf8).withUnsafeBytes { trimmed($0) }
        text.withUnsafeBytes { identity.next(day: place.day, second: place.second, kind: 0, name: sender, text: $0) }
        identity.id.withUnsafeBytes { writer.message(id: $0, at: place.0) }
        person(sender.string, &writer)
        writer.text("text", text)
        writer.attachments(files)
        writer.reactions(reactions.list)
        return writer.endMessage()
    }

    /// `![a.jpg](./media/a.jpg)` alone on a line.
    private static func link(_ line: Substring, _ folder: Substring) -> ForeignAttachment? {
        guard line.hasPrefix("![") || line.hasPrefix("["), line.hasSuffix(")"), let middle = line.firstRange(of: "](")
        else { return nil }
        let path = line[middle.upperBound...].dropLast()
        guard path.hasPrefix("./") || path.hasPrefix("media/") else { return nil }
        let name = line[..<middle.lowerBound].drop { $0 == "!" || $0 == "[" }
        let inside = Source.inside(String(percentDecoding: String(path)), of: folder)
        return ForeignAttachment(
            name: name.isEmpty ? String(path.split(separator: "/").last ?? "file") : String(name), path: inside)
    }

    // MARK: - Both

    private static func person(_ name: String, _ writer: inout RecordWriter) {
        var name = name
        writer.text("from", name)
        name.withUTF8 { writer.person(Bytes($0), name: Bytes($0)) }
    }

    /// The text without white space at its end and line feeds at its beginning.
    private static func trimmed(_ text: Bytes) -> [UInt8] {
        var text = Array(text.drop { $0 == 0x0A || $0 == 0x0D })
        text.removeAll { $0 < 32 && $0 != 9 && $0 != 10 || $0 == 127 }
        Marks.trim(&text, from: 0)
        return text
    }
}

/// Reactions one by one, counted by emoji.
struct Reactions {
    private var order: [String] = []
    private var people: [String: [String]] = [:]

    mutating func add(_ emoji: String, by person: String) {
        guard !emoji.isEmpty else { return }
        if people[emoji] == nil { order.append(emoji) }
        people[emoji, default: []].append(person)
    }

    var list: [ForeignReaction] {
        order.map { emoji in
            let all = people[emoji] ?? []
            return ForeignReaction(emoji: emoji, count: all.count, people: all.filter { !$0.isEmpty })
        }
    }
}

/// Dates of mail (RFC 5322): `Tue, 21 Jun 2022 18:10:00 +0200`
enum MailDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// The zones of RFC 822, in hours east of UTC. All other names count as UTC (RFC 5322, 4.3).
    private static let zones = ["EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8]

    /// Milliseconds since 1970; nil for anything else.
    static func milliseconds(_ text: String) -> Int64? {
        let parts = text.split { $0 == " " || $0 == "," }.drop { !$0.allSatisfy(\.isNumber) }.map(String.init)
        guard parts.count >= 5, let day = Int(parts[0]),
            let month = months.firstIndex(of: parts[1].prefix(3).lowercased()), let year = Int(parts[2]),
            let date = CivilDate(checkedYear: full(year), month: month + 1, day: day)
        else { return nil }
        let clock = parts[3].split(separator: ":").compactMap { Int($0) }
        guard clock.count >= 2, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]) else { return nil }
        let second = clock[0] * 3_600 + clock[1] * 60 + min(59, max(0, clock.count > 2 ? clock[2] : 0))
        return Int64(date.daysSinceEpoch * 86_400 + second - east(parts[4])) * 1_000
    }

    /// Years of two and three digits are counted from 1900, up to 49 from 2000 (RFC 5322, 4.3).
    private static func full(_ year: Int) -> Int {
        (0..<50).contains(year) ? year + 2_000 : (50..<1_000).contains(year) ? year + 1_900 : year
    }

    /// The seconds east of UTC of `+0200` or `EST`.
    private static func east(_ zone: String) -> Int {
        guard let number = Int(zone), (-1_500..<1_500).contains(number) else { return (zones[zone] ?? 0) * 3_600 }
        return (number / 100 * 60 + number % 100) * 60
    }
}
