/// The first lines of a file, and the grammar that they fit.
struct IRCSample {
    var grammar: IRCGrammar
    /// The share of the lines that fit the grammar.
    let share: Double
    /// The day and the second of the first line, as far as the file tells them.
    let first: (day: Int?, second: Int)?

    /// Whether there is any line besides those that tell the day, which several programs write alike.
    let hasLines: Bool
    /// Whether a `T` stands between a date and a time.
    let hasT: Bool

    /// How many lines are looked at, and in how many bytes.
    private static let lines = 200
    static let bytes = 16 << 10
    /// The share from which on a file is a log.
    static let enough = 0.9

    /// The grammar that fits best; nil if no line fits any.
    /// - Parameter isWhole: whether the bytes are the whole file, so that the last line is not cut.
    init?(_ bytes: [UInt8], isWhole: Bool) {
        guard bytes.isText else { return nil }
        let best = bytes.withUnsafeBytes { bytes in
            let lines = IRCSample.lines(in: bytes, isWhole: isWhole)
            return IRCGrammar.all.compactMap { IRCSample($0, lines) }.max { $0.share < $1.share }
        }
        guard let best else { return nil }
        self = best
    }

    private init?(_ grammar: IRCGrammar, _ lines: [Bytes]) {
        var (fitting, all, day) = (0, 0, Int?.none)
        var first: (day: Int?, second: Int)?
        var hasT = false
        for line in lines where !line.isEmpty {
            all += 1
            let time = IRCStamp(line, grammar.stamp)
            if let marker = grammar.marker(line, time) {
                fitting += 1
                day = IRCDate.day(in: marker, after: day) ?? day
                continue
            }
            guard let stamp = time else {
                if grammar.isEvent(line) { fitting += 1 }
                continue
            }
            let body = Bytes(rebasing: line[stamp.length...])
            if IRCLineReader.line(body, grammar) != nil || body.isEmpty { fitting += 1 }
            hasT = hasT || grammar.stamp == .tabbed && line[10] == UInt8(ascii: "T")
            if first == nil { first = (stamp.day ?? day, stamp.second) }
        }
        guard fitting > 0, first != nil || day != nil else { return nil }
        self.grammar = grammar
        self.hasT = hasT
        hasLines = first != nil
        // The lines of a log that was just begun come after those that were written before on that day.
        self.first = first ?? (day, 86_399)
        share = Double(fitting) / Double(all)
    }

    private static func lines(in bytes: Bytes, isWhole: Bool) -> [Bytes] {
        var lines: [Bytes] = []
        var rest = bytes.starts(with: "\u{FEFF}") ? Bytes(rebasing: bytes[3...]) : bytes
        while !rest.isEmpty, lines.count < IRCSample.lines {
            let length = rest.lineLength
            // A single line that is longer than the sample is looked at all the same.
            guard length < rest.count || isWhole || lines.isEmpty else { break }
            lines.append(Bytes(rebasing: rest[..<length]).withoutReturn)
            rest = Bytes(rebasing: rest[min(rest.count, length + 1)...])
        }
        return lines
    }
}

extension [UInt8] {
    /// Whether these bytes can be text: few controls besides those of mIRC.
    var isText: Bool {
        let strange = count { byte in
            byte < 32 && ![2, 3, 4, 9, 10, 13, 15, 17, 22, 27, 29, 30, 31].contains(byte)
        }
        return !isEmpty && strange * 50 <= count
    }
}
