internal import Dates
internal import JSON

/// Walks over the opening tags of a message.
struct TelegramHTMLReader {
    private let html: Bytes
    private var tag = 0..<0

    init(_ html: Bytes) { self.html = html }

    /// Moves to the next opening tag.
    mutating func nextTag() -> Bool {
        var at = tag.upperBound
        while let start = html.offset(of: "<", from: at) {
            at = start + 1
            guard at < html.count, html[at] != UInt8(ascii: "/"), html[at] > 0x40 else { continue }
            guard let end = html.offset(of: ">", from: at) else { return false }
            tag = start..<end + 1
            return true
        }
        return false
    }

    func isTag(_ text: StaticString) -> Bool { Bytes(rebasing: html[tag]).starts(with: text) }

    /// The value of an attribute, with its entities still encoded. (`attribute(" class=\"")`)
    func attribute(_ begin: StaticString) -> Bytes? {
        let tag = Bytes(rebasing: html[self.tag])
        guard let place = tag.offset(of: begin) else { return nil }
        let value = Bytes(rebasing: tag[(place + begin.utf8CodeUnitCount)...])
        guard let end = value.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        return Bytes(rebasing: value[..<end])
    }

    /// The inside of a `<div>` that contains no other `<div>`, without white space at its ends.
    var content: Bytes { inside("</div>").trimmed }

    var span: Bytes { inside("</span>").trimmed }

    /// The inside of a `<div>` without the line feeds and the indentation that the exporter puts around it.
    var line: Bytes {
        var text = inside("</div>")
        if text.first == UInt8(ascii: "\r") { text = Bytes(rebasing: text.dropFirst()) }
        if text.first == UInt8(ascii: "\n") { text = Bytes(rebasing: text.dropFirst()) }
        guard let end = text.lastIndex(of: UInt8(ascii: "\n")), text[end...].allSatisfy({ $0 <= 0x20 }) else {
            return text
        }
        let isWindows = end > 0 && text[end - 1] == UInt8(ascii: "\r")
        return Bytes(rebasing: text[..<(isWindows ? end - 1 : end)])
    }

    private func inside(_ end: StaticString) -> Bytes {
        Bytes(rebasing: html[tag.upperBound..<(html.offset(of: end, from: tag.upperBound) ?? html.count)])
    }
}

/// Reads the times in an HTML export.
struct TelegramHTMLClock {
    private var clock: LocalClock

    init(_ zone: Zone) { clock = LocalClock(zone) }

    /// Reads `08.05.2020 12:34:56` and ` UTC+03:00` after it.
    ///
    /// The offset is that of winter, even for a time in summer, when it is an hour too small. If the reader's zone has this
    /// offset in winter, Kedge uses the zone's own rules for summer; otherwise the time cannot be corrected.
    mutating func moment(_ text: Bytes) -> Timestamp? {
        guard text.count >= 19, text[2] == UInt8(ascii: "."), text[5] == UInt8(ascii: ".") else { return nil }
        let parts = [(6, 4), (3, 2), (0, 2), (11, 2), (14, 2), (17, 2)].map { text.number(at: $0.0, digits: $0.1) }
        let values = parts.compactMap { $0 }
        guard values.count == 6, values[3] < 24, values[4] < 60, values[5] <= 60,
            let date = CivilDate(checkedYear: values[0], month: values[1], day: values[2])
        else { return nil }
        let second = values[3] * 3_600 + values[4] * 60 + min(values[5], 59)
        let local = clock.moment(day: date.daysSinceEpoch, second: second)
        guard let written = offset(Bytes(rebasing: text[19...])) else { return local }
        let wall = Int64(date.daysSinceEpoch * 86_400 + second)
        let offset = wall - local.milliseconds / 1_000
        return offset == written || offset == written + 3_600
            ? local : Timestamp(milliseconds: (wall - written) * 1_000)
    }

    /// Reads `8 May 2020`: the beginning of the day.
    mutating func day(_ text: Bytes) -> Timestamp? {
        WrittenMoment(text.string).day.map { clock.moment(day: $0, second: 0) }
    }

    /// The seconds of ` UTC+03:00`; nil without an offset.
    private func offset(_ text: Bytes) -> Int64? {
        let text = text.trimmed.string
        guard text.hasPrefix("UTC") else { return nil }
        let rest = text.dropFirst(3)
        guard let sign = rest.first else { return 0 }
        let parts = rest.dropFirst().split(separator: ":").map { Int64($0) }
        guard sign == "+" || sign == "-", let hours = parts.first ?? nil, (0..<24).contains(hours) else { return nil }
        let minutes = parts.count > 1 ? parts[1].flatMap { (0..<60).contains($0) ? $0 : nil } ?? 0 : 0
        return (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }
}
