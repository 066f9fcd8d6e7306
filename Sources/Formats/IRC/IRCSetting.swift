internal import Dates

/// The setting of a feed: its grammar, the day that its path tells, and whether a `T` stands between its dates and times.
/// (`znc 20541`, `weechat T`)
struct IRCSetting {
    let grammar: IRCGrammar
    /// Days since 1970.
    let day: Int?
    let hasT: Bool

    init(_ grammar: IRCGrammar, day: Int?, hasT: Bool = false) {
        (self.grammar, self.day, self.hasT) = (grammar, day, hasT)
    }

    init(_ text: String) {
        let words = text.split(separator: " ")
        grammar = words.first.flatMap { IRCGrammar.named($0) } ?? IRCGrammar.all[0]
        day = words.count > 1 ? Int(words[1]) : nil
        hasT = words.last == "T"
    }

    var text: String { ([grammar.id] + (day.map { ["\($0)"] } ?? []) + (hasT ? ["T"] : [])).joined(separator: " ") }

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

    private var needsMarker: Bool { grammar.needsMarkers && !(grammar.stamp == .bracketed && day != nil) }
}
