/// The first lines of a file, and the grammar that they fit.
struct IRCSample {
    var grammar: IRCGrammar
    /// The lines that fit the grammar, those whose time alone does, those by which its program marks days, and all but marks.
    private let counts: (fitting: Int, timed: Int, marks: Int, all: Int)
    /// The day and the second of the first line, as far as the file tells them.
    let first: (day: Int?, second: Int)?

    /// The date of the first line, where its numbers can stand in several orders.
    let date: WrittenDate?

    /// Whether there is any line besides those that tell the day, which several programs write alike.
    let hasLines: Bool
    /// Whether a `T` stands between a date and a time.
    let hasT: Bool

    /// How many lines are looked at, and in how many bytes.
    private static let lines = 200
    static let bytes = 16 << 10

    /// Whether it is a log: a line is understood. A name and a colon can be of anything, unless most lines are alike.
    var isLog: Bool { grammar.body == .colon ? isSure : counts.fitting > 0 || isBeginning }

    /// Whether it tells a day and nothing else.
    var isBeginning: Bool { !hasLines && counts.all == 0 }

    /// Whether it is a log without a doubt, although programs write many lines in words of their own.
    var isSure: Bool { isBeginning || counts.fitting > 0 && counts.fitting * 2 + counts.timed >= counts.all }

    /// Whether enough lines are understood for a log that lies among others.
    var isAmongLogs: Bool { isLog && counts.fitting * 10 + counts.timed >= counts.all }

    /// The grammar that fits best; nil if no line fits any.
    /// - Parameter isWhole: whether the bytes are the whole file, so that the last line is not cut.
    init?(_ bytes: [UInt8], isWhole: Bool) {
        guard bytes.isText else { return nil }
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
        // The lines of a log that was just begun come after those that were written before on that day.
        self.first = first ?? (day, 86_399)
        counts = (fitting, timed, marks, all)
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
