internal import Dates

/// The setting of a feed: its grammar, the day on which it begins where no line tells it, whether a `T` stands between its dates and
/// times, the order of its dates, and the character set of lines that are no UTF-8. (`znc 20541`, `weechat T`, `irssi =KOI8-R`)
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

    /// The first line in these bytes before which nothing must be known. Its second differs from the one before, for the sake of
    /// IDs; and where lines have no dates, a line with the date stands there.
    func cut(_ bytes: Bytes) -> Int? {
        var at = bytes.lineLength + 1
        var last: IRCStamp?
        var marker: Int?
        while at < bytes.count {
            let rest = Bytes(rebasing: bytes[at...])
            let length = rest.lineLength
            guard length < rest.count else { return nil }
            let line = Bytes(rebasing: rest[..<length]).withoutReturn
            let stamp = IRCStamp(line, grammar.stamp)
            if let found = grammar.marker(line, stamp) {
                if IRCDate.day(in: found, after: nil) != nil { marker = marker ?? at }
            } else if let stamp {
                if let last, !stamp.isInSecond(of: last) {
                    if !needsMarker { return at }
                    if let marker { return marker }
                }
                (last, marker) = (stamp, nil)
            }
            at += length + 1
        }
        return nil
    }

    /// Times that fall begin new days, which a reader that begins later would miss.
    private var needsMarker: Bool { grammar.needsMarkers }
}
