internal import Dates
internal import JSON

/// Mailboxes: the mail of a mailing list or a folder in one file, as mbox. A file is a conversation, and replies make threads.
///
///     From ana@example.org Tue Mar  5 09:12:40 2024
///     From: Ana Petrova <ana@example.org>
///     Date: Tue, 5 Mar 2024 09:12:40 +0100
///     Message-ID: <1@example.org>
///     Subject: low tide
///
///     At six.
///
/// Facts: RFC 4155 (the file), 5322 (headers), 2045 and 2047 (texts that are not ASCII). A text line that begins with "From " has
/// ">" before it. Archives of Mailman write `ana at example.org (Ana Petrova)`. The first message of a thread is shown with its
/// subject.
struct MailboxFormat: LogFormat {
    let id = "mbox"
    let name = "mailbox (mbox)"

    func candidates(_ source: Source) -> [SourceFile] {
        source.files.filter { file in
            source.isFile || !file.name.contains(".")
                || [".mbox", ".mbx", ".mail", ".txt", ".eml"].contains { file.name.lowercased().hasSuffix($0) }
        }
    }

    /// A single mail among many other texts, as in a home or a system's folder, makes no mailbox of them.
    func recognise(_ source: Source) -> Recognition {
        let files = candidates(source).filter { $0.size > 0 }
        let count = files.count { log(of: $0, in: source) != nil }
        return count == 0 ? .no : 2 * count >= files.count ? .certain : .weak
    }

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        guard let head = try? source.read(file, count: 16 << 10) else { return nil }
        let isMailbox = head.withUnsafeBytes { bytes in
            guard MailboxFormat.isStart(bytes) else { return false }
            let rest = bytes.afterLine
            let headers = Mail.headers(rest).fields
            return headers["from"] != nil
                && (headers["date"] != nil || headers["subject"] != nil || headers["message-id"] != nil)
        }
        guard isMailbox else { return nil }
        return ForeignLog(feed: Feed(file: file.path), title: file.stem, place: file.path)
    }

    /// `From ana@example.org Tue Mar  5 09:12:40 2024`
    private static func isStart(_ bytes: Bytes) -> Bool {
        guard bytes.starts(with: "From ") else { return false }
        let line = Bytes(rebasing: bytes[..<min(bytes.lineLength, 400)]).withoutReturn.string
        let words = line.split(separator: " ")
        return words.count >= 6 && words.contains { $0.contains(":") && $0.first?.isNumber == true }
            && words.contains { $0.count == 4 && Int($0) != nil }
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        var threads: [UInt64: String] = [:]
        var used: Set<UInt64> = []
        var clock = LocalClock(context.zone)
        return BlockConverter(isStart: MailboxFormat.isStart) { block, writer in
            MailboxFormat.write(Mail(block), &threads, &used, &clock, &writer)
        }
    }

    /// - Parameters:
    ///   - threads: the ID of each thread's first message, by the fingerprints of the thread's messages.
    ///   - used: the fingerprints of all IDs.
    private static func write(
        _ mail: Mail, _ threads: inout [UInt64: String], _ used: inout Set<UInt64>, _ clock: inout LocalClock,
        _ writer: inout RecordWriter
    ) -> String? {
        guard let time = mail.time(&clock) else { return "mail without a time" }
        var id = mail.id
        if id.isEmpty || !used.insert(Fingerprint.of(id)).inserted {
            // A mail without an ID gets one from its bytes; so does a second mail with the same ID.
            id = (id.isEmpty ? "mail" : id) + "-\(mail.fingerprint)"
            guard used.insert(Fingerprint.of(id)).inserted else { return nil }
        }
        let parent = mail.parents.last { threads[Fingerprint.of($0)] != nil }
        let root = parent.flatMap { threads[Fingerprint.of($0)] }
        threads[Fingerprint.of(id)] = root ?? id
        writer.message(id: id, at: time)
        writer.sender(Array(mail.sender.utf8), name: Array(mail.name.utf8))
        var text: [UInt8] = []
        if root == nil, !mail.subject.isEmpty {
            var (subject, label) = (mail.subject, MarkedText())
            subject.withUTF8 { label.add(Bytes($0), .bold) }
            text = label.bytes + [10]
        }
        text += mail.text
        Marks.trim(&text, from: 0)
        writer.text("text", text)
        if let root, let parent {
            writer.text("thread", root)
            writer.text("replyTo", parent)
        }
        writer.attachments(mail.files)
        let isBlank = writer.isBlank
        if isBlank { writer.text("text", "[mail without a text]") }
        writer.end()
        return isBlank && mail.hasBody ? "mail without a text" : nil
    }
}

/// A mail, with the parts that Kedge shows.
struct Mail {
    private let fields: [String: String]
    /// The line before the mail.
    private let envelope: String
    private(set) var text: [UInt8] = []
    private(set) var files: [ForeignAttachment] = []
    let hasBody: Bool
    /// A hash of all its bytes.
    let fingerprint: UInt64

    init(_ block: Bytes) {
        let line = block.lineLength
        envelope = Bytes(rebasing: block[..<line]).string
        let (fields, start) = Mail.headers(Bytes(rebasing: block[min(block.count, line + 1)...]))
        self.fields = fields
        fingerprint = Fingerprint.of(block)
        let body = Bytes(rebasing: block[min(block.count, line + 1 + start)...])
        hasBody = !body.trimmed.isEmpty
        let part = Mail.part(fields, body, depth: 0)
        (text, files) = (part.text, part.files)
        Marks.removeControls(&text)
        // `>From ` was "From " in the mail.
        if text.contains(UInt8(ascii: ">")) { text = Mail.unquoted(text) }
        Marks.trim(&text, from: 0)
    }

    private static func unquoted(_ text: [UInt8]) -> [UInt8] {
        let lines = text.split(separator: 10, omittingEmptySubsequences: false).map { line in
            line.drop { $0 == UInt8(ascii: ">") }.starts(with: "From ".utf8) && line.first == UInt8(ascii: ">")
                ? line.dropFirst() : line
        }
        return Array(lines.joined(separator: [10]))
    }

    /// The headers, with names in lower case, and the place of the body. If a header is repeated, the first one is used.
    static func headers(_ bytes: Bytes) -> (fields: [String: String], body: Int) {
        var (fields, name, lines) = ([String: String](), "", bytes.wholeLines(isEnd: true))
        while let line = lines.next()?.line, !line.trimmed.isEmpty {
            if line[0] == 0x20 || line[0] == 9 {
                if !name.isEmpty { fields[name, default: ""] += " " + decoded(line.trimmed) }
                continue
            }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let found = Bytes(rebasing: line[..<colon]).string.lowercased()
            name = fields[found] == nil ? found : ""
            if !name.isEmpty { fields[name] = decoded(Bytes(rebasing: line[(colon + 1)...]).trimmed) }
        }
        return (fields, lines.end)
    }

    private static func decoded(_ line: Bytes) -> String {
        String(decoding: inCharset("", Array(line)), as: UTF8.self)
    }

    // MARK: - Headers

    var id: String { Mail.ids(fields["message-id"] ?? "").first ?? "" }

    var subject: String { Mail.words(fields["subject"] ?? "") }

    /// The IDs of the mails that this one answers, the direct one last.
    var parents: [String] { Mail.ids(fields["references"] ?? "") + Mail.ids(fields["in-reply-to"] ?? "") }

    private static func ids(_ text: String) -> [String] {
        text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1).compactMap { part in
            part.firstIndex(of: ">").map { String(part[..<$0]) }
        }.filter { !$0.isEmpty }
    }

    func time(_ clock: inout LocalClock) -> Timestamp? {
        let written = fields["date"] ?? ""
        if let milliseconds = MailDate.milliseconds(written) { return Timestamp(milliseconds: milliseconds) }
        let words = envelope.split(separator: " ").dropFirst(2).joined(separator: " ")
        // The time in the envelope is UTC (RFC 4155).
        for (text, east) in [(written, nil), (words, 0)] {
            let moment = WrittenMoment(text)
            guard let day = moment.day, let second = moment.second else { continue }
            return clock.moment(day: day, second: second, east: east ?? moment.east)
        }
        return nil
    }

    /// The address of the author.
    var sender: String {
        let from = fields["from"] ?? ""
        if let open = from.lastIndex(of: "<"), let end = from[open...].firstIndex(of: ">") {
            return from[open..<end].dropFirst().lowercased()
        }
        let address = from.prefix { $0 != "(" }.split(separator: " ").joined(separator: " ").lowercased()
        return address.replacing(" at ", with: "@")
    }

    var name: String {
        let from = fields["from"] ?? ""
        var name = ""
        if let open = from.lastIndex(of: "<") {
            name = String(from[..<open])
        } else if let open = from.firstIndex(of: "("), let end = from.lastIndex(of: ")"), open < end {
            name = String(from[open..<end].dropFirst())
        }
        name = Mail.words(name).filter { $0 != "\"" && $0 != "\\" }.split(separator: " ").joined(separator: " ")
        return name.isEmpty ? sender : name
    }

    /// The text of a header: `=?utf-8?Q?caf=C3=A9?=` is café (RFC 2047).
    private static func words(_ text: String) -> String {
        var (out, rest, wasEncoded) = ([UInt8](), text[...], false)
        while let start = rest.firstRange(of: "=?") {
            let before = rest[..<start.lowerBound]
            let parts = rest[start.upperBound...].split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].hasPrefix("="), parts[1].count == 1 else {
                out += Array(rest[..<start.upperBound].utf8)
                rest = rest[start.upperBound...]
                wasEncoded = false
                continue
            }
            // Blanks between two encoded words are not part of the text.
            if !wasEncoded || !before.allSatisfy(\.isWhitespace) { out += Array(before.utf8) }
            let isQuoted = parts[1].lowercased() == "q"
            let bytes = Array(isQuoted ? parts[2].replacing("_", with: " ").utf8 : parts[2].utf8)
            let plain = bytes.withUnsafeBytes { isQuoted ? quotedPrintable($0) : base64($0) }
            out += inCharset(String(parts[0].prefix { $0 != "*" }), plain)
            rest = parts[3].dropFirst()
            wasEncoded = true
        }
        return String(decoding: out + Array(rest.utf8), as: UTF8.self)
    }

    // MARK: - Bodies

    private static func part(
        _ fields: [String: String], _ body: Bytes, depth: Int
    ) -> (text: [UInt8], files: [ForeignAttachment], isHTML: Bool) {
        let type = fields["content-type"] ?? "text/plain"
        let kind = type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        if kind.hasPrefix("multipart/"), depth < 8, let boundary = parameter("boundary", of: type) {
            return parts(between: boundary, body, depth, isAlternative: kind == "multipart/alternative")
        }
        let disposition = fields["content-disposition"] ?? ""
        let name = parameter("filename", of: disposition) ?? parameter("name", of: type)
        let isText = kind.hasPrefix("text/") && !disposition.lowercased().hasPrefix("attachment")
        guard isText else {
            return ([], [ForeignAttachment(name: name.map { words($0) } ?? String(kind))], false)
        }
        let encoding = (fields["content-transfer-encoding"] ?? "").lowercased()
        let plain =
            encoding.hasPrefix("base64")
            ? base64(body) : encoding.hasPrefix("quoted") ? quotedPrintable(body) : Array(body)
        let text = inCharset(parameter("charset", of: type) ?? "", plain)
        guard kind == "text/html" else { return (text, [], false) }
        return (text.withUnsafeBytes { HTMLText.convert($0) }, [], true)
    }

    private static func parts(
        between boundary: String, _ body: Bytes, _ depth: Int, isAlternative: Bool
    ) -> (text: [UInt8], files: [ForeignAttachment], isHTML: Bool) {
        var (starts, lines) = ([(line: Int, body: Int)](), body.wholeLines(isEnd: true))
        let mark = "--" + boundary
        while let (start, line) = lines.next() {
            if line.starts(with: mark.utf8) { starts.append((start, lines.end)) }
        }
        var (text, files, isHTML) = ([UInt8](), [ForeignAttachment](), true)
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1].line : body.count
            // Nothing after the last boundary belongs to the mail.
            if Bytes(rebasing: body[start.line..<start.body]).trimmed.string == mark + "--" { break }
            let bytes = Bytes(rebasing: body[min(start.body, end)..<end])
            let (fields, from) = headers(bytes)
            let part = part(fields, Bytes(rebasing: bytes[min(from, bytes.count)...]), depth: depth + 1)
            files += part.files
            if part.text.isEmpty { continue }
            // If a text is there in two forms, the plain one is used.
            if isAlternative, !text.isEmpty, part.isHTML || !isHTML { continue }
            if isAlternative { text = [] }
            if !text.isEmpty, text.last != 10 { text.append(10) }
            text += part.text
            isHTML = part.isHTML
        }
        return (text, files, isHTML)
    }

    /// The value of `; name=value` or `; name="value"`.
    private static func parameter(_ name: String, of header: String) -> String? {
        for part in header.split(separator: ";").dropFirst() {
            let words = part.split(separator: "=", maxSplits: 1)
            guard words.count == 2, words[0].filter({ $0 != " " && $0 != "*" }).lowercased() == name else { continue }
            return String(words[1].drop { $0 == " " || $0 == "\"" }.prefix { $0 != "\"" })
        }
        return nil
    }

    private static func inCharset(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { bytes in
            let decoder = LineDecoder(Charset.known(name) ?? Charset.usual)
            guard !decoder.keeps(bytes) else { return Array(bytes) }
            var (text, lines) = ([UInt8](), bytes.wholeLines(isEnd: true))
            while let (start, line) = lines.next() {
                decoder.decode(line, to: &text)
                if start + line.count < bytes.count { text.append(10) }
            }
            return text
        }
    }

    private static func quotedPrintable(_ bytes: Bytes) -> [UInt8] {
        var (out, at) = ([UInt8](), 0)
        while at < bytes.count {
            guard bytes[at] == UInt8(ascii: "=") else {
                out.append(bytes[at])
                at += 1
                continue
            }
            if at + 2 < bytes.count, let high = bytes[at + 1].hexValue, let low = bytes[at + 2].hexValue {
                out.append(high << 4 | low)
                at += 3
            } else if let end = bytes[(at + 1)...].prefix(3).firstIndex(of: 10) {
                // A soft line break: the line continues.
                at = end + 1
            } else {
                out.append(bytes[at])
                at += 1
            }
        }
        return out
    }

    private static func base64(_ bytes: Bytes) -> [UInt8] {
        var (out, value, bits) = ([UInt8](), UInt32(0), 0)
        for byte in bytes {
            let digit: UInt32
            switch byte {
            case 65...90: digit = UInt32(byte) - 65
            case 97...122: digit = UInt32(byte) - 71
            case 48...57: digit = UInt32(byte) + 4
            case UInt8(ascii: "+"), UInt8(ascii: "-"): digit = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): digit = 63
            // The text ends before the padding.
            case UInt8(ascii: "="): return out
            default: continue
            }
            (value, bits) = (value << 6 | digit, bits + 6)
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
                value &= (1 << UInt32(bits)) - 1
            }
        }
        return out
    }
}

/// Dates of mail (RFC 5322): `Tue, 21 Jun 2022 18:10:00 +0200`
enum MailDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// The zones of RFC 822, in hours east of UTC. All other names count as UTC (RFC 5322, 4.3).
    private static let zones = ["EDT": -4, "EST": -5, "CDT": -5, "CST": -6, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8]

    /// Milliseconds since 1970; nil if the text is not a date.
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

    /// Years of two or three digits count from 1900; 00 to 49 count from 2000 (RFC 5322, 4.3).
    private static func full(_ year: Int) -> Int {
        (0..<50).contains(year) ? year + 2_000 : (50..<1_000).contains(year) ? year + 1_900 : year
    }

    /// The offset of `+0200` or `EST`, in seconds east of UTC.
    private static func east(_ zone: String) -> Int {
        guard let number = Int(zone), (-1_500..<1_500).contains(number) else { return (zones[zone] ?? 0) * 3_600 }
        return (number / 100 * 60 + number % 100) * 60
    }
}
