internal import Dates
internal import JSON

/// The facts in the path of a log: the network, the window, and sometimes the day.
///
///     irc.libera.#kedge.weechatlog                        libera, #kedge
///     libera/#kedge/2026-03-29.log                        libera, #kedge, 29 March
///     users/ana/networks/libera/moddata/log/#kedge/…      libera, #kedge
///     Libera-#kedge.log                                   Libera, #kedge
///     2026/03/29/#ubuntu.txt                              #ubuntu, 29 March
struct IRCPath: Hashable, Sendable {
    var network: String?
    /// The window, with the channel's sign: `#kedge`.
    var window: String
    /// Days since 1970.
    var day: Int?
    /// The number of the rotation: 3 for `#kedge.log.3`; 0 for a file that was not rotated.
    var rotation = 0
    /// The path without dates and rotations: equal for all files of a window.
    var key: String

    init(_ path: String, root: String) {
        var parts = path.split(separator: "/").map(String.init)
        var name = IRCFileName(parts.popLast() ?? "")
        (day, rotation) = (name.day, name.rotation)
        if day == nil { day = IRCPath.day(in: parts) }
        parts.removeAll { IRCPath.isDate($0) }
        if name.stem.isEmpty || name.stem == "out", let folder = parts.popLast() { name.stem = folder }
        if name.stem.isEmpty { name.stem = root }
        key = (parts + [name.stem]).joined(separator: "/")
        (network, window) = IRCPath.split(name, in: parts)
    }

    private static func split(_ name: IRCFileName, in folders: [String]) -> (network: String?, window: String) {
        if name.kind == "weechatlog" || name.stem.hasPrefix("irc.") { return weechat(name.stem) }
        var folders = folders
        while let last = folders.last, noise.contains(last.lowercased()) || last == name.stem { folders.removeLast() }
        var network = folders.last
        // A folder above that of a program or a user is not a network.
        if let place = folders.lastIndex(of: "networks"), place + 1 < folders.count { network = folders[place + 1] }
        for sign in ["-#", "_#", "-&", "_&"] {
            if let place = name.stem.firstRange(of: sign) {
                let before = name.stem[..<place.lowerBound]
                let window = String(name.stem[name.stem.index(after: place.lowerBound)...])
                if !before.isEmpty { return (String(before.split(separator: "_").last ?? before), window) }
            }
        }
        return (network, name.stem)
    }

    /// `irc.SERVER.#CHANNEL`, `irc.server.SERVER`, `irc.SERVER.NICK`. Servers and channels may have dots in their names.
    private static func weechat(_ stem: String) -> (network: String?, window: String) {
        guard stem.hasPrefix("irc.") else { return (nil, stem) }
        let rest = stem.dropFirst(4)
        if rest.hasPrefix("server."), rest.count > 7 { return (String(rest.dropFirst(7)), "server") }
        for sign in [".#", ".&", ".!", ".+"] {
            if let place = rest.firstRange(of: sign) {
                return (String(rest[..<place.lowerBound]), String(rest[rest.index(after: place.lowerBound)...]))
            }
        }
        guard let point = rest.lastIndex(of: ".") else { return (nil, String(rest)) }
        return (String(rest[..<point]), String(rest[rest.index(after: point)...]))
    }

    /// Folders that programs put between the folder of a network and that of a window.
    private static let noise: Set<String> = [
        "log", "logs", "moddata", "networks", "users", "irclogs", "xchatlogs", "scrollback", "channels", "queries",
        "console", "channellogger", "weechat", "irssi", "hexchat", "znc", ".weechat", "history", "irc",
    ]

    /// `2026`, `03`, `2026-03` and `2026-03-29`: years, months and days.
    private static func isDate(_ folder: String) -> Bool {
        let digits = folder.utf8.filter { $0.isDigit }.count
        guard digits > 0, folder.utf8.allSatisfy({ $0.isDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }) else {
            return false
        }
        return digits == 2 || digits == 4 || digits == 6 || digits == 8
    }

    /// The day of `2026/03/29`.
    private static func day(in folders: [String]) -> Int? {
        if let day = folders.lazy.compactMap({ IRCFileName($0).day }).first { return day }
        guard folders.count >= 3 else { return nil }
        for start in 0...(folders.count - 3) {
            let parts = folders[start..<(start + 3)].compactMap { Int($0) }
            if parts.count == 3, parts[0] > 1_980, folders[start].count == 4,
                let date = CivilDate(checkedYear: parts[0], month: parts[1], day: parts[2])
            {
                return date.daysSinceEpoch
            }
        }
        return nil
    }
}

extension IRCPath {
    /// True if the window is a channel.
    var isChannel: Bool { window.first.map { "#&!+".contains($0) } ?? false }

    /// `libera.kedge`: the ID of a conversation.
    var id: String {
        let plain = window.drop { "#&!+".contains($0) }
        let name = IRCPath.typed(plain.isEmpty ? Substring(window) : plain)
        guard let network else { return name }
        return IRCPath.typed(Substring(network)) + "." + name
    }

    /// The name without signs that are hard to type.
    private static func typed(_ name: Substring) -> String {
        let text = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0.value <= 32 || $0.value == 127 || $0 == "/" || $0 == "\\" ? "-" : $0 }))
        return text.isEmpty ? "log" : text
    }
}

/// The name of a log without the parts for rotation and date.
struct IRCFileName: Hashable, Sendable {
    /// `#kedge` for `#kedge.log.1`, `#kedge_20260329.log` and `#kedge.log-20260329`; empty for `2026-03-29.log`.
    var stem: String
    /// The extension that shows the kind of the file: `log`.
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
            // Digits after other digits are not a date.
            if start > 0, bytes[start - 1].isDigit { continue }
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

/// The first lines of a file, and the grammar that they fit.
struct IRCSample {
    var grammar: IRCGrammar
    /// The number of lines that fit the grammar, that fit only by their time, that mark a new day, and of all lines
    /// except the marks of days.
    private let counts: (fitting: Int, timed: Int, marks: Int, all: Int)
    /// The day and the second of the first line, as far as they are known.
    let first: (day: Int?, second: Int)?

    /// The date of the first line, if its numbers can be read in several orders.
    let date: WrittenDate?

    /// True if there is a line besides those that mark days. Several programs write such marks alike.
    let hasLines: Bool
    /// True if a `T` stands between a date and a time.
    let hasT: Bool

    /// The number of lines to check, and the number of bytes to read.
    private static let lines = 200
    static let bytes = 16 << 10

    /// True if this is a log: one line is understood. `name: text` may be anything, so most lines must have that form.
    var isLog: Bool { grammar.body == .colon ? isSure : counts.fitting > 0 || isBeginning }

    /// True if the file contains only a date.
    var isBeginning: Bool { !hasLines && counts.all == 0 }

    /// True if this is certainly a log, even though programs write many lines in their own words.
    var isSure: Bool { isBeginning || counts.fitting > 0 && counts.fitting * 2 + counts.timed >= counts.all }

    /// True if enough lines are understood for a file next to other logs.
    var isAmongLogs: Bool { isLog && counts.fitting * 10 + counts.timed >= counts.all }

    /// Finds the grammar that fits best; nil if no line fits any.
    /// - Parameter isWhole: true if the bytes are the whole file, so the last line is complete.
    init?(_ bytes: [UInt8], isWhole: Bool) {
        let best = bytes.withUnsafeBytes { bytes in
            let lines = IRCSample.lines(in: bytes, isWhole: isWhole)
            return IRCGrammar.all.compactMap { IRCSample($0, lines) }
                .max {
                    ($0.counts.fitting, $0.counts.marks, $0.counts.timed)
                        < ($1.counts.fitting, $1.counts.marks, $1.counts.timed)
                }
        }
        guard let best else { return nil }
        self = best
    }

    private init?(_ grammar: IRCGrammar, _ lines: [Bytes]) {
        var (fitting, timed, marks, all, day) = (0, 0, 0, 0, Int?.none)
        var first: (day: Int?, second: Int)?
        var hasT = false
        var date: WrittenDate?
        for line in lines where !line.isEmpty {
            let time = IRCStamp(line, grammar.stamp)
            if let marker = grammar.marker(line, time) {
                if grammar.isOwn(marker) { marks += 1 }
                day = IRCDate.day(in: marker, after: day) ?? day
                continue
            }
            all += 1
            guard let stamp = time else {
                if grammar.isEvent(line) { fitting += 1 }
                continue
            }
            let body = Bytes(rebasing: line[stamp.length...])
            if IRCLineReader.line(body, grammar) != nil { fitting += 1 } else { timed += 1 }
            hasT = hasT || grammar.stamp == .tabbed && line[10] == UInt8(ascii: "T")
            if first == nil {
                first = (stamp.day ?? day, stamp.second)
                date = stamp.date
            }
        }
        guard fitting > 0 || first == nil, first != nil || day != nil else { return nil }
        self.grammar = grammar
        (self.hasT, self.date) = (hasT, date)
        hasLines = first != nil
        // The lines of a log that has just begun come after the other lines of that day.
        self.first = first ?? (day, 86_399)
        counts = (fitting, timed, marks, all)
    }

    private static func lines(in bytes: Bytes, isWhole: Bool) -> [Bytes] {
        // If a single line is longer than the sample, its beginning is checked.
        let isEnd = isWhole || bytes.lineLength == bytes.count
        let lines = bytes.wholeLines(isEnd: isEnd, from: bytes.starts(with: "\u{FEFF}") ? 3 : 0)
        return lines.prefix(IRCSample.lines).map { $0.line.logLine }
    }
}

extension [UInt8] {
    /// True if these bytes can be text: they contain few control characters other than those of mIRC, bells, and ends of lines and
    /// pages. NULs do not count, because a power cut leaves blocks of them.
    var isText: Bool {
        let nulls = count { $0 == 0 }
        let strange = count { byte in
            byte > 0 && byte < 32 && ![2, 3, 4, 7, 9, 10, 11, 12, 13, 15, 17, 22, 27, 29, 30, 31].contains(byte)
        }
        return nulls < count && strange * 25 <= count - nulls
    }
}
