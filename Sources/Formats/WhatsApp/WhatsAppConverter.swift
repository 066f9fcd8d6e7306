internal import Dates

/// Converts the messages of one chat. A message is written when the next one is seen, since it may have several lines.
final class WhatsAppConverter: Converter {
    private let feed: Feed
    private let setting: WhatsAppSetting
    /// The name of the chat: on iPhones, the author of lines about the chat.
    private let title: [UInt8]
    private var clock: LocalClock
    private var identity = LineIdentity()
    private var text = WhatsAppText()
    private var run = 0
    /// The converter that decodes the lines of the file, and knows where they stand there.
    weak var decoder: CharsetConverter?
    /// Whether lines before the first message were reported.
    private var isLost = false

    init(_ feed: Feed, title: String, zone: Zone) {
        self.feed = feed
        self.title = Array(title.utf8)
        setting = WhatsAppSetting(feed.setting)
        clock = LocalClock(zone)
    }

    func convert(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int
    {
        var at = 0
        var open: (start: Int, stamp: WhatsAppStamp)?
        while at < bytes.count {
            let rest = Bytes(rebasing: bytes[at...])
            let length = rest.lineLength
            guard length < rest.count || isEnd || rest.count > Record.longest else { break }
            if let stamp = stamp(Bytes(rebasing: rest[..<length])) {
                if let open {
                    write(open.stamp, Bytes(rebasing: bytes[open.start..<at]), offset + Int64(open.start), &writer)
                }
                open = (at, stamp)
            } else if open == nil, !Bytes(rebasing: rest[..<length]).withoutReturn.withoutMarks.isEmpty {
                report("line that belongs to no message", offset + Int64(at), &writer)
            }
            at = min(bytes.count, at + length + 1)
        }
        if let open, isEnd || at - open.start > Record.longest {
            write(open.stamp, Bytes(rebasing: bytes[open.start..<at]), offset + Int64(open.start), &writer)
            return at
        }
        return open?.start ?? at
    }

    private func stamp(_ line: Bytes) -> WhatsAppStamp? {
        guard let stamp = WhatsAppStamp(line), stamp.style == setting.style else { return nil }
        return stamp
    }

    private func report(_ problem: String, _ at: Int64, _ writer: inout RecordWriter) {
        if !isLost { writer.problem(ForeignProblem(file: feed.file, place: .byte(at), kind: problem)) }
        isLost = true
    }

    // MARK: - Messages

    private func write(_ stamp: WhatsAppStamp, _ lines: Bytes, _ at: Int64, _ writer: inout RecordWriter) {
        guard let day = day(of: stamp, at), lines.count <= Record.longest else {
            writer.problem(
                ForeignProblem(
                    file: feed.file, place: .byte(at),
                    kind: lines.count > Record.longest ? "message is longer than 16 MB" : "date does not exist"))
            return
        }
        let rest = Bytes(rebasing: lines[stamp.length...])
        // The first line is about the chat even where the other person has its name.
        let message = WhatsAppMessage(rest, title: setting.isGroup || at < 4 ? title : [])
        isLost = false
        identity.next(
            day: day, second: stamp.second, kind: message.author == nil ? 3 : 0, name: message.author, text: rest)
        let moment = clock.moment(day: day, second: stamp.second)
        identity.id.withUnsafeBytes { writer.message(id: $0, at: moment) }
        if let author = message.author {
            writer.text("from", author)
            writer.person(author, name: message.authorName)
        }
        finish(message, &writer)
        writer.end()
    }

    private func finish(_ message: WhatsAppMessage, _ writer: inout RecordWriter) {
        guard !message.isDeleted else {
            writer.flag("deleted")
            return
        }
        if WhatsAppText.isPlain(message.text) {
            writer.text("text", message.text.withoutMarks)
        } else {
            text.clear()
            text.append(message.text)
            writer.text("text", text.bytes)
        }
        if message.isSystem { writer.text("kind", Bytes("system")) }
        if message.isEdited { writer.flag("edited") }
        if let file = message.file { writer.attachments([attachment(file.string)]) }
    }

    private func attachment(_ name: String) -> ForeignAttachment {
        let name = String(name.split(separator: "/").last ?? "")
        let isInside = setting.hasFiles && !name.isEmpty && name != ".." && !name.contains("\\")
        let folder = feed.file.split(separator: "/").dropLast().map { $0 + "/" }.joined()
        return ForeignAttachment(name: name, path: isInside ? folder + name : nil)
    }

    /// The day by the order that counts at this byte.
    private func day(of stamp: WhatsAppStamp, _ at: Int64) -> Int? {
        let at = decoder?.place(of: at) ?? at
        while run + 1 < setting.runs.count, setting.runs[run + 1].start <= at { run += 1 }
        return setting.runs.indices.contains(run) ? stamp.date.day(setting.runs[run].order) : nil
    }
}
