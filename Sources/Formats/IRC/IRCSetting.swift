internal import Dates
internal import JSON

/// The setting of a feed: its grammar, the first day if no line contains it, `T` if that is between date and time, the order of
/// its dates, and the character set of lines that are not UTF-8. (`znc 20541`, `weechat T`, `irssi =KOI8-R`)
struct IRCSetting {
    let grammar: IRCGrammar
    /// Days since 1970.
    let day: Int?
    let hasT: Bool
    var order: DateOrder?
    var charset: String?

    init(_ grammar: IRCGrammar, day: Int?, hasT: Bool = false) {
        (self.grammar, self.day, self.hasT) = (grammar, day, hasT)
    }

    init(_ text: String) {
        let words = text.split(separator: " ")
        grammar = words.first.flatMap { IRCGrammar.named($0) } ?? IRCGrammar.all[0]
        day = words.dropFirst().lazy.compactMap { Int($0) }.first
        hasT = words.contains("T")
        order = words.lazy.compactMap { DateOrder(rawValue: String($0)) }.first
        charset = words.first { $0.hasPrefix("=") }.map { String($0.dropFirst()) }
    }

    var text: String {
        let words = [grammar.id, day.map(String.init), hasT ? "T" : nil, order?.rawValue, charset.map { "=" + $0 }]
        return words.compactMap { $0 }.joined(separator: " ")
    }

    /// The first line at which a reader can begin without the lines before it. Its time is in another second than that of the
    /// line before, so that IDs come out the same. If lines have no dates, it is a line with the date.
    func cut(_ bytes: Bytes) -> Int? {
        var lines = bytes.wholeLines(isEnd: false, from: bytes.lineLength + 1)
        var last: IRCStamp?
        var marker: Int?
        while let (at, whole) = lines.next() {
            let line = whole.logLine
            let stamp = IRCStamp(line, grammar.stamp)
            if let found = grammar.marker(line, stamp) {
                if IRCDate.day(in: found, after: nil) != nil { marker = marker ?? at }
            } else if let stamp {
                if let last, !stamp.isInSecond(of: last) {
                    // With times only, an earlier time begins a new day. A reader that begins later would not see that.
                    if !grammar.needsMarkers { return at }
                    if let marker { return marker }
                }
                (last, marker) = (stamp, nil)
            }
        }
        return nil
    }
}
