internal import Dates

/// Converts the messages of one file.
final class TelegramHTMLConverter: Converter {
    private let feed: Feed
    private let folder: Substring
    private var clock: TelegramHTMLClock
    private var message = TelegramHTMLMessage()
    private var text = MarkedText()
    /// Of the last message with a name: those that are joined to it are by the same person.
    private var sender: [UInt8] = []
    private var time = Timestamp(milliseconds: 0)

    private static let begin: StaticString = "<div class=\"message "

    init(_ feed: Feed, state: String?, zone: Zone) {
        self.feed = feed
        folder = SourceFile(path: feed.file, size: 0).folder
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
        while let next = bytes.offset(of: begin, from: start + 1) {
            convert(Bytes(rebasing: bytes[start..<next]), at: offset + Int64(start), &writer)
            start = next
        }
        guard isEnd || bytes.count - start > Record.longest else { return start }
        let last = Bytes(rebasing: bytes[start...])
        if isEnd, TelegramHTMLConverter.isWhole(last) {
            convert(last, at: offset + Int64(start), &writer)
        } else {
            report(
                isEnd ? "the file ends within a record" : "record longer than 16 MB", at: offset + Int64(start), &writer
            )
        }
        return bytes.count
    }

    /// Whether each `<div` has its end. What follows the last message ends those around it too.
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

    private func report(_ kind: String, at offset: Int64, _ writer: inout RecordWriter) {
        writer.problem(ForeignProblem(file: feed.file, place: .byte(offset), kind: kind))
    }

    // MARK: - Messages

    private func convert(_ record: Bytes, at offset: Int64, _ writer: inout RecordWriter) {
        message.read(record)
        guard let id = message.id, !id.isEmpty else { return report("message without an ID", at: offset, &writer) }
        if message.isService {
            service(id, &writer)
        } else {
            if let date = message.time {
                if let time = clock.moment(date) {
                    self.time = time
                } else {
                    report("message without a date", at: offset, &writer)
                }
            }
            ordinary(id, at: offset, &writer)
        }
    }

    private func ordinary(_ id: Bytes, at offset: Int64, _ writer: inout RecordWriter) {
        if let name = message.sender { sender = TelegramHTMLMessage.name(name) }
        writer.message(id: id, at: time, key: key(id))
        person(sender, &writer)
        if message.isCall { writer.text("kind", "system") }
        if let target = message.replyTo { writer.text("replyTo", target) }
        text.clear()
        message.addOrigin(to: &text)
        writer.attachments(message.attachments(in: folder))
        message.addMedia(to: &text)
        if let body = message.text { TelegramHTMLText.add(body, to: &text) }
        message.addFoot(to: &text)
        writer.text("text", text.bytes)
        message.writeReactions(to: &writer)
        if let problem = writer.endMessage() { report(problem, at: offset, &writer) }
    }

    private func key(_ id: Bytes) -> Int64 { Int64(id.string) ?? 0 }

    private func person(_ name: [UInt8], _ writer: inout RecordWriter) {
        guard !name.isEmpty else { return }
        name.withUnsafeBytes { name in
            writer.text("from", name)
            writer.person(name, name: name)
        }
    }

    /// Lines of the service have no time: they take that of the message before, or the beginning of a new day.
    private func service(_ id: Bytes, _ writer: inout RecordWriter) {
        guard let body = message.body else { return }
        if id.first == UInt8(ascii: "-"), id.count < 9 {
            if let day = clock.day(body), day > time { time = day }
            return
        }
        let line = TelegramHTMLService(body)
        writer.message(id: id, at: time, key: key(id))
        writer.text("kind", "system")
        if let actor = line.actor { person(Array(actor.utf8), &writer) }
        if let presence = line.presence { writer.text("presence", presence) }
        if let target = message.replyTo { writer.text("replyTo", target) }
        writer.attachments(message.attachments(in: folder))
        writer.text("text", line.text)
        writer.end()
    }
}
