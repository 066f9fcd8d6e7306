internal import Files

/// A file that is a log.
struct IRCLog {
    let file: SourceFile
    let sample: IRCSample
    let path: IRCPath
    /// The day on which the log begins, if neither its first lines nor its path contain it (see `IRCUndated`).
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
        orders = sample.grammar.stamp == .numeric ? try IRCUndated(source: source).orders(of: file) : nil
        let isKnown = !sample.grammar.needsMarkers || path.day != nil || sample.first?.day != nil
        inferredDay =
            isKnown ? nil : try IRCUndated(source: source).course(of: file, sample.grammar, untilFirst: true).first
    }

    /// True if the days and years are known from the lines, the path or the neighbours of the log.
    var knowsDays: Bool {
        guard sample.grammar.needsMarkers else { return true }
        return path.day != nil || sample.first?.day != nil || inferredDay != nil
    }

    /// Takes the day from another file of the same window: the last day of an older file, or the first day of a newer one.
    mutating func infer(from other: IRCLog, isOlder: Bool, in source: Source) throws(FileError) {
        let undated = IRCUndated(source: source)
        let own = try undated.course(of: file, sample.grammar)
        guard let ownFirst = own.firstSecond, let ownLast = own.lastSecond else { return }
        if isOlder {
            let before = try undated.course(of: other.file, other.sample.grammar, from: other.setting.day)
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
        if a.start != b.start { return a.start < b.start }
        if a.path.rotation != b.path.rotation { return a.path.rotation > b.path.rotation }
        if a.file.size != b.file.size { return a.file.size < b.file.size }
        return a.file.path < b.file.path
    }
}
