internal import Dates
internal import JSON

/// Chats as text for reading: from sigtop (`msg -f text`, its default), and from signal-export (`chat.md`).
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

    static func sigtop() -> BlockConverter {
        var times = SignalTimes()
        return BlockConverter(isStart: isSigtopMessage) { block, writer in
            sigtop(block, &times, &writer)
        }
    }

    private static func isSigtopMessage(_ bytes: Bytes) -> Bool {
        guard bytes.starts(with: "From: ") else { return false }
        let next = bytes.afterLine
        return next.starts(with: "Type: ") || next.starts(with: "Sent: ")
    }

    private static func sigtop(
        _ block: Bytes, _ times: inout SignalTimes, _ writer: inout RecordWriter
    ) -> String? {
        var lines = block.wholeLines(isEnd: true)
        var (sender, type, sent, edited) = ("", "", Int64?.none, false)
        var (files, reactions, quoted) = ([ForeignAttachment](), Reactions(), Int64?.none)
        while let line = lines.next()?.line.withoutReturn.string, !line.isEmpty {
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
        writer.message(id: times.next(sent), at: Timestamp(milliseconds: sent))
        let text = trimmed(Bytes(rebasing: block[lines.end...]))
        if type == "incoming" || type == "outgoing" || type.isEmpty {
            writer.sender(Array(sender.utf8))
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

    /// True if the first line is a message from signal-export. Lines of IRC logs look similar, but do not end with the two blanks
    /// of Markdown.
    static func isMarkdown(_ bytes: Bytes, _ file: SourceFile) -> Bool {
        guard let start = bytes.firstIndex(where: { $0 > 0x20 && $0 < 0x80 }) else { return false }
        let line = Bytes(rebasing: bytes[start...])
        guard isMarkdownMessage(line) else { return false }
        return file.name.hasSuffix(".md") || bytes.offset(of: "  \n\n[" as StaticString) != nil
    }

    static func markdown(_ feed: Feed, zone: Zone) -> BlockConverter {
        var (clock, identity) = (LocalClock(zone), LineIdentity())
        let folder = feed.folder
        return BlockConverter(isStart: isMarkdownMessage) { block, writer in
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
        // Old files have times without seconds.
        guard bracket == 17 || bracket == 20 else { return "message without a time" }
        var date = Array(block[1..<bracket]) + (bracket == 17 ? Array(":00".utf8) : [])
        date[10] = UInt8(ascii: "T")
        let time = date.withUnsafeBytes { $0.dayAndSecond }
        let head = Bytes(rebasing: block[min(block.count, bracket + 2)...])
        guard let (day, second) = time, let colon = head.offset(of: ":" as StaticString), colon > 0 else {
            return "message without a sender or a time"
        }
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
        let sender = Array(head[..<colon])
        writer.message(
            id: identity.next(day: day, second: second, name: sender, text: text),
            at: clock.moment(day: day, second: second))
        writer.sender(sender)
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

    /// The text without white space at its end and line feeds at its beginning.
    private static func trimmed(_ text: Bytes) -> [UInt8] {
        var text = Array(text.drop { $0 == 0x0A || $0 == 0x0D })
        Marks.removeControls(&text)
        Marks.trim(&text, from: 0)
        return text
    }
}
