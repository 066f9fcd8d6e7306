internal import Dates

/// The name of a log without what rotations and dates add to it.
struct IRCFileName: Hashable, Sendable {
    /// `#kedge` for `#kedge.log.1`, `#kedge_20260329.log` and `#kedge.log-20260329`; empty for `2026-03-29.log`.
    var stem: String
    /// The last part of the name that tells a kind of file: `log`.
    var kind = ""
    var rotation = 0
    /// Days since 1970.
    var day: Int?

    private static let kinds: Set<String> = [
        "log", "txt", "weechatlog", "irclog", "irc", "old", "bak", "gz", "zst", "text",
    ]

    init(_ name: String) {
        stem = name
        while stripEnd() {}
        if day == nil { stripFront() }
    }

    /// Removes a date at the beginning: `#kedge` for `2026-03-29 #kedge`.
    private mutating func stripFront() {
        let bytes = Array(stem.utf8)
        for length in [10, 8] where bytes.count > length + 1 && [0x2D, 0x5F, 0x20].contains(bytes[length]) {
            guard let found = IRCFileName.day(bytes[..<length]) else { continue }
            day = found
            stem = String(decoding: bytes[(length + 1)...].drop { [0x2D, 0x5F, 0x20].contains($0) }, as: UTF8.self)
            return
        }
    }

    /// Removes the last part; false if nothing is left to remove.
    private mutating func stripEnd() -> Bool {
        if day == nil, stripDate() { return true }
        guard let point = stem.lastIndex(of: "."), point != stem.startIndex else { return false }
        let end = String(stem[stem.index(after: point)...])
        if IRCFileName.kinds.contains(end.lowercased()) {
            if kind.isEmpty { kind = end.lowercased() }
        } else if rotation == 0, end.utf8.count <= 3, let number = Int(end), number >= 0 {
            rotation = number
        } else {
            return false
        }
        stem = String(stem[..<point])
        return true
    }

    /// Removes `2026-03-29`, `20260329` or `29Mar2026` from the end, with a separator before it.
    private mutating func stripDate() -> Bool {
        let bytes = Array(stem.utf8)
        for length in [10, 9, 8] where bytes.count >= length {
            let start = bytes.count - length
            // Digits before digits are no date.
            if start > 0, bytes[start - 1] &- 48 < 10 { continue }
            guard let found = IRCFileName.day(bytes[start...]) else { continue }
            day = found
            var end = start
            while end > 0, [0x2E, 0x2D, 0x5F, 0x20].contains(bytes[end - 1]) { end -= 1 }
            stem = String(decoding: bytes[..<end], as: UTF8.self)
            return true
        }
        return false
    }

    private static func day(_ bytes: ArraySlice<UInt8>) -> Int? {
        let text = Array(bytes)
        func number(_ range: Range<Int>) -> Int? { Int(String(decoding: text[range], as: UTF8.self)) }
        switch text.count {
        case 10 where text[4] == text[7] && [0x2D, 0x2E, 0x5F].contains(text[4]):
            return date(number(0..<4), number(5..<7), number(8..<10))
        case 8: return date(number(0..<4), number(4..<6), number(6..<8))
        case 9: return date(number(5..<9), text[2..<5].withUnsafeBytes { MonthNames.month($0) }, number(0..<2))
        default: return nil
        }
    }

    private static func date(_ year: Int?, _ month: Int?, _ day: Int?) -> Int? {
        guard let year, let month, let day, year > 1_980, year < 3_000 else { return nil }
        return CivilDate(checkedYear: year, month: month, day: day)?.daysSinceEpoch
    }
}
