internal import Files
internal import JSON

/// A file that is a log.
struct IRCLog {
    let file: SourceFile
    let sample: IRCSample
    let path: IRCPath
    /// The day on which the log begins, if neither its first lines nor its path contain it (see `IRCCourse`).
    private var inferredDay: Int?
    /// The order of day, month and year, if the log writes dates as numbers.
    let orders: DateOrders.Result?
    /// Samples of the lines that are not UTF-8.
    let evidence: Charset.Evidence
    /// The character set of those lines; nil if there are none.
    var charset: String?

    init(_ file: SourceFile, _ sample: IRCSample, _ path: IRCPath, in source: Source) throws(FileError) {
        (self.file, self.sample, self.path) = (file, sample, path)
        evidence = try Charset.evidence(in: file, of: source)
        orders = sample.grammar.stamp == .numeric ? try IRCLog.orders(of: file, in: source) : nil
        let isKnown = !sample.grammar.needsMarkers || path.day != nil || sample.first?.day != nil
        inferredDay = isKnown ? nil : try IRCCourse(of: file, sample.grammar, untilFirst: true, in: source).first
    }

    /// The order of the numbers in the dates of a log.
    private static func orders(of file: SourceFile, in source: Source) throws(FileError) -> DateOrders.Result {
        var dates = DateOrders(named: source.options.dates)
        dates.isChosen = true
        try source.forEachLine(of: file) { line, offset in
            if let date = IRCStamp(line, .numeric)?.date { dates.add(date, at: offset) }
        }
        var result = dates.result()
        // All logs are from one machine, whose language does not change.
        if result.runs.count > 1 { result.runs = result.runs.sorted { $0.start > $1.start }.suffix(1) }
        return result
    }

    /// True if the days and years are known from the lines, the path or the neighbours of the log.
    var knowsDays: Bool {
        guard sample.grammar.needsMarkers else { return true }
        return path.day != nil || sample.first?.day != nil || inferredDay != nil
    }

    /// Takes the day from another file of the same window: the last day of an older file, or the first day of a newer one.
    mutating func infer(from other: IRCLog, isOlder: Bool, in source: Source) throws(FileError) {
        let own = try IRCCourse(of: file, sample.grammar, in: source)
        guard let ownFirst = own.firstSecond, let ownLast = own.lastSecond else { return }
        if isOlder {
            let before = try IRCCourse(of: other.file, other.sample.grammar, from: other.setting.day, in: source)
            guard let day = before.last, let second = before.lastSecond else { return }
            inferredDay = ownFirst < second ? day + 1 : day
        } else if let day = other.setting.day ?? other.sample.first?.day, let second = other.sample.first?.second {
            inferredDay = day - own.rolls - (ownLast > second ? 1 : 0)
        }
    }

    /// The setting of its feed. The day in the path is used only if the lines contain none.
    var setting: IRCSetting {
        let day = sample.grammar.needsMarkers ? path.day ?? inferredDay : nil
        var setting = IRCSetting(sample.grammar, day: day, hasT: sample.hasT)
        (setting.order, setting.charset) = (orders?.runs.first?.order, charset)
        return setting
    }

    /// The time at which the log begins, in seconds since 1970 of its own clock; the time of the file's last change if the
    /// beginning is unknown.
    private var start: Int {
        let day =
            sample.first?.day ?? sample.date?.day(orders?.runs.first?.order ?? .dayMonthYear) ?? path.day ?? inferredDay
        guard let day else { return Int(file.modified / 1_000_000_000) }
        return day * 86_400 + (sample.first?.second ?? 0)
    }

    /// Orders the files of a window by their beginnings, then by rotation, the highest first. Of equal files the smaller comes
    /// first, because a larger one was continued.
    static func < (a: IRCLog, b: IRCLog) -> Bool {
        (a.start, b.path.rotation, a.file.size, a.file.path) < (b.start, a.path.rotation, b.file.size, b.file.path)
    }
}

/// The first and the last time of a log whose lines contain only times. When logrotate's `copytruncate` empties the log of a
/// program that keeps it open, the line with the date is only in the copy.
struct IRCCourse {
    /// Days since 1970; nil if the day is unknown.
    private(set) var first: Int?
    private(set) var last: Int?
    /// The seconds since midnight of the first line and of the last line.
    private(set) var firstSecond: Int?
    private(set) var lastSecond: Int?
    /// The number of midnights between the first and the last line.
    private(set) var rolls = 0
    private static let most = 4 << 20

    /// - Parameters:
    ///   - day: the day on which it begins, if it is known.
    ///   - isEnough: true if only the day on which it begins is needed.
    init(
        of file: SourceFile, _ grammar: IRCGrammar, from day: Int? = nil, untilFirst isEnough: Bool = false,
        in source: Source
    ) throws(FileError) {
        (first, last) = (day, day)
        var position: Int64 = 0
        while position < file.size, !isEnough || first == nil {
            let bytes = try source.read(file, at: position, count: IRCCourse.most)
            // A line longer than a part has no time.
            let whole =
                position + Int64(bytes.count) >= file.size
                ? bytes.count : (bytes.lastIndex(of: 10) ?? bytes.count - 1) + 1
            guard whole > 0 else { break }
            bytes[..<whole].withUnsafeBytes { read($0, grammar) }
            position += Int64(whole)
        }
    }

    private mutating func read(_ bytes: Bytes, _ grammar: IRCGrammar) {
        for line in bytes.lines.lazy.map(\.logLine) {
            let stamp = IRCStamp(line, grammar.stamp)
            if let marker = grammar.marker(line, stamp) {
                mark(marker)
            } else if let stamp {
                if let day = stamp.day { last = day }
                if let lastSecond, stamp.second < lastSecond - 43_200 {
                    rolls += 1
                    last = last.map { $0 + 1 }
                }
                firstSecond = firstSecond ?? stamp.second
                lastSecond = stamp.second
            }
        }
    }

    private mutating func mark(_ marker: Bytes) {
        guard let day = IRCDate.day(in: marker, after: last) else { return }
        let time = IRCDate.second(in: marker) ?? 0
        if first == nil {
            // The lines before it are from the same day, unless their times are later.
            let isLater = lastSecond.map { $0 > time } ?? false
            first = day - rolls - (isLater ? 1 : 0)
        }
        last = day
        lastSecond = lastSecond.map { _ in 0 }
    }
}
