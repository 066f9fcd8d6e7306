internal import Files
internal import Dates
internal import JSON

/// Exports of Telegram Desktop in HTML, its default format.
///
/// Facts ([src]: the exporter's source, telegramdesktop/tdesktop, export_output_html.cpp):
/// - A chat is `messages.html`, `messages2.html`, …, a thousand messages each; all chats are `chats/chat_001/…`. [src]
/// - A message is `<div class="message default clearfix" id="message12">`, or `… clearfix joined` without a name if the message
///   before has the same sender. A file begins with a message that has a name. [src]
/// - A service message is `<div class="message service" …>`, without a time. So is the line for a new day, whose ID is a small
///   negative number. [src]
/// - The time is in `title="08.05.2020 12:34:56 UTC+03:00"`: the local clock, with the offset of the zone in winter, even in
///   summer. Until 2022 there is no offset. [src]
/// - In texts, line feeds are `<br>`, and `< > & " '` are escaped; they contain no other `<div`. [src]
/// - There are no IDs of people or chats: a person is identified by name. [src]
struct TelegramHTMLFormat: LogFormat {
    let id = "telegram-html"
    let name = "Telegram export in HTML"

    private static let headSize = 8 << 10

    /// Files that may hold messages: those of one chat in the order of their numbers.
    func candidates(_ source: Source) -> [SourceFile] {
        if source.isFile { return source.files }
        let numbered = source.files.compactMap { file in TelegramHTMLFormat.number(file.name).map { (file, $0) } }
        return TelegramFolder.withoutSentFiles(
            numbered.sorted { ($0.0.folder, $0.1) < ($1.0.folder, $1.1) }.map(\.0))
    }

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        TelegramHTMLFormat.title(of: file, in: source).map { title in
            ForeignLog(
                feed: Feed(file: file.path), title: title, place: String(file.folder),
                number: TelegramHTMLFormat.number(file.name) ?? 1)
        }
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var archive = listed(in: source)
        archive.me = TelegramHTMLFormat.me(in: source)
        return archive
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        TelegramHTMLConverter(feed, state: context.state, zone: context.zone)
    }

    /// The first message with a sender's name.
    func cut(_ bytes: Bytes, of feed: Feed) -> Int? {
        bytes.offset(of: "<div class=\"message default clearfix\" id=\"message")
    }

    func needle(of id: String, in feed: Feed) -> [UInt8]? {
        Int64(id).map { Array("id=\"message\($0)\"".utf8) }
    }

    // MARK: - Files

    /// 2 for `messages2.html`, 1 for `messages.html`.
    private static func number(_ name: Substring) -> Int? {
        guard name.hasPrefix("messages"), name.hasSuffix(".html") else { return nil }
        let digits = name.dropFirst("messages".count).dropLast(".html".count)
        return digits.isEmpty ? 1 : Int(digits)
    }

    /// The name of the chat; nil if the file holds none.
    private static func title(of file: SourceFile, in source: Source) -> String? {
        guard let head = try? source.read(file, count: headSize) else { return nil }
        return head.withUnsafeBytes { head -> String? in
            guard head.offset(of: "<title>Exported Data</title>") != nil,
                head.offset(of: "<div class=\"history\">") != nil,
                let name = content(after: "<div class=\"text bold\">", in: head)
            else { return nil }
            return name.isEmpty ? "Deleted Account" : name
        }
    }

    /// The owner of an export of all data.
    private static func me(in source: Source) -> String? {
        guard let file = source.file("export_results.html"), let head = try? source.read(file, count: headSize) else {
            return nil
        }
        return head.withUnsafeBytes { head -> String? in
            var names: [String] = []
            for label in ["\nFirst name\n", "\nLast name\n"] {
                guard let place = head.offset(of: label) else { continue }
                let rest = Bytes(rebasing: head[place...])
                if let name = content(after: "<div class=\"value bold\">", in: rest) { names.append(name) }
            }
            return names.isEmpty ? nil : names.joined(by: " ")
        }
    }

    private static func content(after tag: String, in html: Bytes) -> String? {
        guard let place = html.offset(of: tag) else { return nil }
        let rest = Bytes(rebasing: html[(place + tag.utf8.count)...])
        guard let end = rest.offset(of: "</div>") else { return nil }
        return HTMLEntity.string(Bytes(rebasing: rest[..<end]).trimmed)
    }
}

/// Converts the messages of one file.
final class TelegramHTMLConverter: Converter {
    private let folder: Substring
    private var clock: TelegramHTMLClock
    private var message = TelegramHTMLMessage()
    private var text = MarkedText()
    /// The sender of the last message with a name: messages joined to it have the same sender.
    private var sender: [UInt8] = []
    private var time = Timestamp(milliseconds: 0)

    private static let begin: StaticString = "<div class=\"message "

    init(_ feed: Feed, state: String?, zone: Zone) {
        folder = feed.folder
        clock = TelegramHTMLClock(zone)
        guard let state, let line = state.firstIndex(of: "\n") else { return }
        time = Timestamp(milliseconds: Int64(state[..<line]) ?? 0)
        sender = Array(state[state.index(after: line)...].utf8)
    }

    var state: String { "\(time.milliseconds)\n\(String(decoding: sender, as: UTF8.self))" }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        let begin = TelegramHTMLConverter.begin
        guard var start = bytes.offset(of: begin) else {
            return isEnd ? bytes.count : max(0, bytes.count - begin.utf8CodeUnitCount)
        }
        func convert(to end: Int) {
            writer.place = offset + Int64(start)..<offset + Int64(end)
            if let problem = self.convert(Bytes(rebasing: bytes[start..<end]), &writer) { writer.report(problem) }
        }
        while let next = bytes.offset(of: begin, from: start + 1) {
            convert(to: next)
            start = next
        }
        guard isEnd || bytes.count - start > Record.longest else { return start }
        if isEnd, TelegramHTMLConverter.isWhole(Bytes(rebasing: bytes[start...])) {
            convert(to: bytes.count)
        } else {
            writer.report(isEnd ? "the file ends within a record" : Record.tooLong, at: offset + Int64(start))
        }
        return bytes.count
    }

    /// True if each `<div` has its end. The bytes after the last message may close further elements.
    private static func isWhole(_ record: Bytes) -> Bool {
        var (depth, at) = (0, 0)
        while let place = record[at...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = Bytes(rebasing: record[place...])
            if rest.starts(with: "<div") { depth += 1 }
            if rest.starts(with: "</div>") { depth -= 1 }
            if depth == 0 { return true }
            at = place + 1
        }
        return false
    }

    // MARK: - Messages

    private func convert(_ record: Bytes, _ writer: inout RecordWriter) -> String? {
        message.read(record)
        guard let id = message.id, !id.isEmpty else { return "message without an ID" }
        guard !message.isService else {
            service(id, &writer)
            return nil
        }
        if let date = message.time {
            let found = clock.moment(date)
            if found == nil { writer.report("message without a date") }
            time = found ?? time
        }
        if let name = message.sender { sender = TelegramHTMLMessage.name(name) }
        writer.message(id: id, at: time, key: key(id))
        writer.sender(sender)
        if message.media.isCall { writer.text("kind", "system") }
        if let target = message.replyTo { writer.text("replyTo", target) }
        text.clear()
        message.addOrigin(to: &text)
        writer.attachments(message.media.attachments(in: folder))
        message.media.describe(in: &text)
        if let body = message.text { TelegramHTMLText.add(body, to: &text) }
        message.addFoot(to: &text)
        writer.text("text", text.bytes)
        message.writeReactions(to: &writer)
        return writer.endMessage()
    }

    private func key(_ id: Bytes) -> Int64 { Int64(id.string) ?? 0 }

    /// Writes a service message. It has no time, so it takes that of the message before, or the beginning of a new day.
    private func service(_ id: Bytes, _ writer: inout RecordWriter) {
        guard let body = message.body else { return }
        if id.first == UInt8(ascii: "-"), id.count < 9 {
            if let day = clock.day(body), day > time { time = day }
            return
        }
        let line = TelegramHTMLService(body)
        writer.message(id: id, at: time, key: key(id))
        writer.text("kind", "system")
        if let actor = line.actor { writer.sender(Array(actor.utf8)) }
        if let presence = line.presence { writer.text("presence", presence) }
        if let target = message.replyTo { writer.text("replyTo", target) }
        writer.attachments(message.media.attachments(in: folder))
        writer.text("text", line.text)
        writer.end()
    }
}
