internal import Dates
internal import JSON

/// Logs of Pidgin, in HTML and as text: `logs/PROTOCOL/ACCOUNT/PERSON/2024-03-05.091233+0000UTC.html`, a file for each session.
///
///     <font color="#16569E"><font size="2">(09:12:40)</font> <b>ana:</b></font> low <b>tide</b><br/>
///     <font size="2">(09:13:00)</font><b> ben has left the room.</b><br/>
///     (09:12:40) ana: low tide
///
/// The name of the file contains day, time and zone. In a renamed file, the first line contains the day, in local time.
struct PidginFormat: LogFormat {
    let id = "pidgin"
    let name = "Pidgin logs"

    func candidates(_ source: Source) -> [SourceFile] { Array(source.candidates(".html", ".htm", ".txt")) }

    func log(of file: SourceFile, in source: Source) -> ForeignLog? {
        guard let head = try? source.read(file, count: 8 << 10) else { return nil }
        let named = PidginFormat.day(inName: file.name)
        let first = head.withUnsafeBytes { bytes -> (words: String, hasStamp: Bool) in
            var (hasStamp, words) = (false, "")
            for line in bytes.lines where !hasStamp {
                if words.isEmpty { words = HTMLText.string(line) }
                hasStamp = PidginLines.stamp(line) != nil
            }
            return (words, hasStamp)
        }
        let with = first.words.firstRange(of: "Conversation with ")
        guard first.hasStamp, with != nil || named != nil else { return nil }
        // `#harbour at Tue 05 Mar 2024 09:12:33 UTC on ana@irc.example.org (irc)`
        let words = with.map { first.words[$0.upperBound...] } ?? ""
        let at = words.firstRange(of: " at ")
        let time = at.map { words[$0.upperBound...] } ?? ""
        let end = time.firstRange(of: " on ")?.lowerBound ?? time.endIndex
        guard let day = named?.day ?? WrittenMoment(time[..<end]).day else { return nil }
        let folder = file.folder.split(separator: "/").last ?? ""
        let name = at.map { words[..<$0.lowerBound] } ?? (folder.hasSuffix(".chat") ? folder.dropLast(5) : folder)
        let title = name.isEmpty ? source.name : String(name)
        // A single file is a conversation; files next to each other with different titles are separate conversations.
        return ForeignLog(
            feed: Feed(file: file.path, setting: "\(day)" + (named?.east.map { " \($0)" } ?? "")), title: title,
            place: "\(file.folder)\n\(title)", number: day)
    }

    /// Days since 1970 and seconds east of UTC in `2024-03-05.091233+0000UTC.html`.
    private static func day(inName name: Substring) -> (day: Int, east: Int?)? {
        let bytes = Array(name.utf8)
        guard bytes.count > 17, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: ".")
        else { return nil }
        return bytes.withUnsafeBytes { bytes in
            guard let year = bytes.number(at: 0, digits: 4), let month = bytes.number(at: 5, digits: 2),
                let day = bytes.number(at: 8, digits: 2), bytes.number(at: 11, digits: 6) != nil,
                let date = CivilDate(checkedYear: year, month: month, day: day)
            else { return nil }
            var east: Int?
            if bytes.count >= 22, bytes[17] == UInt8(ascii: "+") || bytes[17] == UInt8(ascii: "-"),
                let hours = bytes.number(at: 18, digits: 2), let minutes = bytes.number(at: 20, digits: 2)
            {
                east = (hours * 60 + minutes) * (bytes[17] == UInt8(ascii: "-") ? -60 : 60)
            }
            return (date.daysSinceEpoch, east)
        }
    }

    func converter(for feed: Feed, in context: FeedContext) -> any Converter {
        var lines = PidginLines(feed.setting, context.zone)
        return BlockConverter(isStart: { PidginLines.stamp($0) != nil }) { block, writer in
            lines.write(block, &writer)
        }
    }
}

/// Converts the lines of a session.
private struct PidginLines {
    private var clock: LocalClock
    private var identity = LineIdentity()
    private var day: Int
    private let east: Int?
    private var last = 0

    init(_ setting: String, _ zone: Zone) {
        let words = setting.split(separator: " ").map { Int($0) ?? 0 }
        (clock, day, east) = (LocalClock(zone), words.first ?? 0, words.count > 1 ? words[1] : nil)
    }

    /// The second of the day in the stamp at the beginning of a line, the day if the stamp contains one, and the place after the
    /// stamp; nil without a stamp.
    static func stamp(_ line: Bytes) -> (second: Int, day: Int?, end: Int)? {
        var start = 0
        if line.first == UInt8(ascii: "<") {
            var scanner = HTMLScanner(Bytes(rebasing: line[..<min(line.count, 200)]))
            while case .tag? = scanner.next() { start = scanner.at }
            // The scanner is past the text after the last tag.
            guard start > 0 else { return nil }
        }
        guard start < line.count, line[start] == UInt8(ascii: "("),
            let end = line[start..<min(line.count, start + 40)].firstIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let words = Bytes(rebasing: line[start + 1..<end]).string.split(whereSeparator: \.isWhitespace)
        guard let time = words.first(where: { $0.contains(":") }) else { return nil }
        let numbers = time.split(separator: ":").map { Int($0) }
        guard (2...3).contains(numbers.count), let hour = numbers[0], let minute = numbers[1], hour < 24, minute < 60,
            hour >= 0, minute >= 0, let second = numbers.count > 2 ? numbers[2] : 0, (0...60).contains(second)
        else { return nil }
        var hours = hour
        if let half = words.last?.lowercased(), half == "am" || half == "pm", hour <= 12 {
            hours = hour % 12 + (half == "pm" ? 12 : 0)
        }
        let date = words.first.flatMap { word -> Int? in
            let parts = word.split(separator: "-").compactMap { Int($0) }
            guard parts.count == 3 else { return nil }
            return CivilDate(checkedYear: parts[0], month: parts[1], day: parts[2])?.daysSinceEpoch
        }
        return (hours * 3_600 + minute * 60 + min(second, 59), date, end + 1)
    }

    mutating func write(_ block: Bytes, _ writer: inout RecordWriter) -> String? {
        guard let stamp = PidginLines.stamp(block) else { return "line without a time" }
        if let written = stamp.day {
            day = written
        } else if stamp.second < last - 6 * 3_600 {
            // The clock passed midnight.
            day += 1
        }
        last = stamp.second
        let rest = Bytes(rebasing: block[stamp.end...])
        let (sender, kind, body) = block.first == UInt8(ascii: "<") ? PidginLines.html(rest) : PidginLines.plain(rest)
        var text = body
        Marks.removeControls(&text)
        Marks.trim(&text, from: 0)
        let name = Array(sender.utf8)
        let moment = clock.moment(day: day, second: stamp.second, east: east)
        writer.message(
            id: identity.next(day: day, second: stamp.second, kind: kind, name: name, text: text), at: moment)
        writer.sender(name)
        if kind == 1 { writer.text("kind", "action") }
        if kind == 2 { writer.text("kind", "system") }
        writer.text("text", text)
        return writer.endMessage()
    }

    /// Parses the text after the stamp: `</font> <b>ana:</b></font> text`, `</font> <b>***ana</b></font> waves`,
    /// `</font><b> text</b>`.
    private static func html(_ html: Bytes) -> (sender: String, kind: UInt8, text: [UInt8]) {
        var rest = html
        if rest.starts(with: "</font>") { rest = Bytes(rebasing: rest[7...]) }
        let isSaid = rest.starts(with: " <b>")
        guard isSaid, let end = rest.offset(of: "</b>" as StaticString) else {
            return ("", 2, HTMLText.convert(unbold(rest)))
        }
        let name = HTMLText.string(Bytes(rebasing: rest[4..<end]))
        let text = HTMLText.convert(Bytes(rebasing: rest[(end + 4)...]))
        if name.hasPrefix("***") {
            // Old versions put the whole action inside the tags.
            let words = name.dropFirst(3).split(separator: " ", maxSplits: 1)
            let action = text.isEmpty && words.count > 1 ? Array(words[1].utf8) : text
            return (String(text.isEmpty ? words.first ?? "" : name.dropFirst(3)), 1, action)
        }
        guard name.hasSuffix(":") else { return ("", 2, HTMLText.convert(unbold(rest))) }
        var sender = name.dropLast()
        if sender.hasSuffix(" <AUTO-REPLY>") { sender = sender.dropLast(13) }
        return (String(sender), 0, text)
    }

    /// Removes the bold look of a notice, which is always bold as a whole.
    private static func unbold(_ html: Bytes) -> Bytes {
        guard let start = html.offset(of: "<b>" as StaticString),
            let end = html.offset(of: "</b>" as StaticString, from: start),
            Bytes(rebasing: html[..<start]).trimmed.isEmpty
        else { return html }
        return Bytes(rebasing: html[(start + 3)..<end])
    }

    private static func plain(_ text: Bytes) -> (sender: String, kind: UInt8, text: [UInt8]) {
        let words = text.trimmed.string
        if words.hasPrefix("***") {
            let parts = words.dropFirst(3).split(separator: " ", maxSplits: 1)
            return (String(parts.first ?? ""), 1, Array((parts.count > 1 ? parts[1] : "").utf8))
        }
        guard let colon = words.firstRange(of: ": ") else { return ("", 2, Array(words.utf8)) }
        let name = words[..<colon.lowerBound]
        // Sentences about people are not names.
        let isSentence = [" is ", " has ", " have ", " are ", " was ", " to "].contains { name.contains($0) }
        guard !isSentence else { return ("", 2, Array(words.utf8)) }
        return (String(name), 0, Array(words[colon.upperBound...].utf8))
    }
}
