internal import Files
internal import Dates
internal import JSON

/// Chats exported by "Export chat" of WhatsApp: a text file, alone or in a folder with the files of its messages.
///
/// Facts, from exports among the test files of other parsers:
/// - iPhones write `[31/12/2022, 11:40:26] Jane: text` into `_chat.txt`, other phones `12/31/22, 11:40 PM - Jane: text` into
///   `WhatsApp Chat with Jane.txt`. Order, separators and AM or PM depend on the phone's language.
/// - A message continues in the lines after it. Lines about the chat have no author; on iPhones, their author is the name of the
///   chat.
/// - U+200E comes before WhatsApp's own words, U+202F before `PM`.
/// - There are no IDs, replies or reactions.
struct WhatsAppFormat: Format {
    let id = "whatsapp"
    let name = "WhatsApp chat"
    let version = 3

    private static let sample = 32 << 10

    func recognise(_ source: Source) -> Recognition {
        let chats = chats(in: source)
        return chats.contains(where: \.isSure) ? .certain : chats.isEmpty ? .no : .weak
    }

    func archive(in source: Source) throws(FileError) -> ForeignArchive {
        var (archive, list) = (ForeignArchive(), ConversationList())
        for chat in chats(in: source) {
            let (file, style) = (chat.file, chat.style)
            let name = chat.name ?? WhatsAppName.chat(of: file, in: source)
            var setting = WhatsAppSetting(style: style, hasFiles: source.hasFiles(beside: file))
            var scan = WhatsAppScan(
                title: name, style: style, isForeign: WhatsAppName.isForeign(file), dates: source.options.dates)
            try scan.read(file, in: source)
            let dates = scan.dates.result()
            if let problem = dates.problem(in: file.path) { archive.problems.append(problem) }
            (setting.runs, setting.isGroup) = (dates.runs, !scan.titleSpeaks)
            setting.charset = source.options.charset ?? scan.evidence.charset
            list.add(title: name, feeds: [Feed(file: file.path, setting: setting.text)])
        }
        archive.conversations = list.conversations
        return archive
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        let conversation = context.conversation
        let converter = WhatsAppConverter(feed, title: conversation.title ?? conversation.id, zone: context.zone)
        let decoder = CharsetConverter(converter, charset: WhatsAppSetting(feed.setting).charset)
        converter.decoder = decoder
        return decoder
    }

    // MARK: - Files

    /// A file that is a chat: the form of its lines, and the name of the chat in its first line.
    private struct Chat {
        var file: SourceFile
        var style: WhatsAppStyle
        var name: String?
        /// True if most of its lines have the form of a chat. Other files are used only if no file is sure.
        var isSure = true
    }

    private func chats(in source: Source) -> [Chat] {
        var found: [Chat] = []
        for file in source.files where (file.name.hasSuffix(".txt") || source.isFile) && file.size > 0 {
            guard let bytes = try? source.read(file, count: WhatsAppFormat.sample),
                let chat = bytes.withUnsafeBytes({ look(at: $0, of: file) })
            else { continue }
            found.append(chat)
        }
        let sure = found.filter(\.isSure)
        return sure.isEmpty ? found : sure
    }

    private func look(at bytes: Bytes, of file: SourceFile) -> Chat? {
        var first: (stamp: WhatsAppStamp, line: Bytes, number: Int)?
        var (stamps, lines, authors, nicks) = (0, 0, 0, 0)
        for line in bytes.lines {
            lines += 1
            if let stamp = WhatsAppStamp(line), first.map({ $0.stamp.style == stamp.style }) ?? true {
                stamps += 1
                first = first ?? (stamp, line, lines)
                let body = Bytes(rebasing: line[stamp.length...])
                // `<ana> text` is from an IRC log.
                if body.first == UInt8(ascii: "<"), body.word.last == UInt8(ascii: ">") {
                    nicks += 1
                } else if WhatsAppMessage(body, title: []).author != nil {
                    authors += 1
                }
            }
        }
        guard let first, authors > nicks, first.stamp.style != .brackets || isChat(bytes, first.line, file) else {
            return nil
        }
        let name = first.stamp.style == .dash ? nil : WhatsAppName.chat(by: first.line, first.stamp)
        // Messages may be long, and many lines of a group are about the group. The first lines of a file may be missing, but a
        // chat begins soon.
        let isSure = stamps * 50 >= lines && authors * 20 >= stamps && first.number <= 6
        return Chat(file: file, style: first.stamp.style, name: name, isSure: isSure)
    }

    /// True if the file is WhatsApp's. Logs of other programs have the same dates; only an iPhone's mark distinguishes them.
    private func isChat(_ bytes: Bytes, _ line: Bytes, _ file: SourceFile) -> Bool {
        guard IRCStamp(line, .dated) != nil else { return true }
        return file.name == "_chat.txt" || bytes.string.unicodeScalars.contains("\u{200E}")
    }
}

/// Reads the times of a whole chat before any message is converted: the last one can decide how the first is read.
struct WhatsAppScan {
    private let title: [UInt8]
    private let style: WhatsAppStyle
    private(set) var dates: DateOrders
    private(set) var evidence = Charset.Evidence()
    private var stamps = 0
    /// The number of messages to search for WhatsApp's own words.
    private static let most = 2_000
    /// True if a person has the same name as the chat.
    private(set) var titleSpeaks = false

    /// - Parameters:
    ///   - isForeign: true if the name of the file is in a language other than English.
    ///   - dates: the order of dates that the user chose.
    init(title: String, style: WhatsAppStyle, isForeign: Bool, dates: DateOrder?) {
        self.title = Array(title.utf8)
        self.style = style
        self.dates = DateOrders(named: dates)
        self.dates.isForeign = isForeign
    }

    mutating func read(_ file: SourceFile, in source: Source) throws(FileError) {
        try source.forEachLine(of: file) { line, offset in
            evidence.add(line)
            look(at: line, at: offset)
        }
    }

    private mutating func look(at line: Bytes, at offset: Int64) {
        guard let stamp = WhatsAppStamp(line), stamp.style == style else { return }
        dates.add(stamp.date, at: offset)
        stamps += 1
        if !dates.isForeign, stamps < WhatsAppScan.most,
            WhatsAppWords.areForeign(Bytes(rebasing: line[stamp.length...]))
        {
            dates.isForeign = true
        }
        guard !titleSpeaks, style != .dash else { return }
        let rest = Bytes(rebasing: line[stamp.length...]).withoutMarks
        guard rest.count > title.count + 2, rest.prefix(title.count).elementsEqual(title) else { return }
        let text = Bytes(rebasing: rest[title.count...])
        titleSpeaks = text.starts(with: ": ") && text.after(2).withoutMarks.count == text.after(2).count
    }
}

/// Converts the messages of one chat. A message may have several lines, so it is written when the next one begins.
final class WhatsAppConverter: Converter {
    private let feed: Feed
    private let setting: WhatsAppSetting
    /// The name of the chat. On iPhones, it is the author of lines about the chat.
    private let title: [UInt8]
    private var clock: LocalClock
    private var identity = LineIdentity()
    private var run = 0
    /// The converter that decodes the lines of the file, and knows their places in it.
    weak var decoder: CharsetConverter?
    /// True if lines before the first message were reported.
    private var isLost = false

    init(_ feed: Feed, title: String, zone: Zone) {
        self.feed = feed
        self.title = Array(title.utf8)
        setting = WhatsAppSetting(feed.setting)
        clock = LocalClock(zone)
    }

    func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        var lines = bytes.wholeLines(isEnd: isEnd)
        var open: (start: Int, stamp: WhatsAppStamp)?
        while let (at, line) = lines.next() {
            if let stamp = stamp(line) {
                if let open {
                    write(open.stamp, Bytes(rebasing: bytes[open.start..<at]), offset + Int64(open.start), &writer)
                }
                open = (at, stamp)
            } else if open == nil, !isLost, !line.withoutReturn.withoutMarks.isEmpty {
                writer.report("line that belongs to no message", at: offset + Int64(at))
                isLost = true
            }
        }
        if let open, isEnd || lines.end - open.start > Record.longest {
            write(open.stamp, Bytes(rebasing: bytes[open.start..<lines.end]), offset + Int64(open.start), &writer)
            return lines.end
        }
        return open?.start ?? lines.end
    }

    private func stamp(_ line: Bytes) -> WhatsAppStamp? {
        guard let stamp = WhatsAppStamp(line), stamp.style == setting.style else { return nil }
        return stamp
    }

    // MARK: - Messages

    private func write(_ stamp: WhatsAppStamp, _ lines: Bytes, _ at: Int64, _ writer: inout RecordWriter) {
        guard let day = day(of: stamp, at), lines.count <= Record.longest else {
            writer.report(lines.count > Record.longest ? "message is longer than 16 MB" : "date does not exist", at: at)
            return
        }
        let rest = Bytes(rebasing: lines[stamp.length...])
        // The first line is about the chat, even if the other person has the same name.
        let message = WhatsAppMessage(rest, title: setting.isGroup || at < 4 ? title : [])
        isLost = false
        identity.next(
            day: day, second: stamp.second, kind: message.author == nil ? 3 : 0, name: message.author, text: rest)
        let moment = clock.moment(day: day, second: stamp.second)
        writer.message(id: identity.id, at: moment)
        if let author = message.author {
            writer.text("from", author)
            writer.person(author, name: message.authorName)
        }
        finish(message, &writer)
        if let problem = writer.endMessage() { writer.report(problem, at: at) }
        var more = lines.wholeLines(isEnd: true, from: lines.lineLength + 1)
        while let (start, line) = more.next() {
            guard stamp.resembles(line) else { continue }
            writer.report("line that begins with a time that Kedge does not understand", at: at + Int64(start))
        }
    }

    private func finish(_ message: WhatsAppMessage, _ writer: inout RecordWriter) {
        guard !message.isDeleted else {
            writer.flag("deleted")
            return
        }
        writer.text("text", WhatsAppText.of(message.text))
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

    /// The day, in the date order of this part of the file.
    private func day(of stamp: WhatsAppStamp, _ at: Int64) -> Int? {
        let at = decoder?.place(of: at) ?? at
        while run + 1 < setting.runs.count, setting.runs[run + 1].start <= at { run += 1 }
        return setting.runs.indices.contains(run) ? stamp.date.day(setting.runs[run].order) : nil
    }
}
