/// A file that is a log.
struct IRCLog {
    let file: SourceFile
    let sample: IRCSample
    let path: IRCPath
    /// The day on which it begins, where neither its first lines nor its path tell it (see `IRCUndated`).
    private var inferredDay: Int?
    /// How the dates of its lines are written, if that is in numbers.
    let orders: DateOrders.Result?
    /// Its lines that are no UTF-8.
    let evidence: Charset.Evidence
    /// Their character set; nil if there are none.
    var charset: String?

    init(_ file: SourceFile, _ sample: IRCSample, _ path: IRCPath, in source: Source) throws(SourceError) {
        (self.file, self.sample, self.path) = (file, sample, path)
        evidence = try Charset.evidence(in: file, of: source)
        orders = sample.grammar.stamp == .numeric ? try IRCUndated(source: source).orders(of: file) : nil
        let isKnown = !sample.grammar.needsMarkers || path.day != nil || sample.first?.day != nil
        inferredDay =
            isKnown ? nil : try IRCUndated(source: source).course(of: file, sample.grammar, untilFirst: true).first
    }

    /// Whether its lines, its path or its neighbours tell the days and the years.
    var knowsDays: Bool {
        guard sample.grammar.needsMarkers else { return true }
        return path.day != nil || sample.first?.day != nil || inferredDay != nil
    }

    /// Takes the day from a file of the same window, the last of the lines before this one or the first of those after it.
    mutating func infer(from other: IRCLog, isOlder: Bool, in source: Source) throws(SourceError) {
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

    /// The setting of its feed. The path counts only where lines do not tell the day.
    var setting: IRCSetting {
        let day = sample.grammar.needsMarkers ? path.day ?? inferredDay : nil
        var setting = IRCSetting(sample.grammar, day: day, hasT: sample.hasT)
        (setting.order, setting.charset) = (orders?.runs.first?.order, charset)
        return setting
    }

    /// Seconds since 1970, on its own clock, at which it begins; if nothing tells that, when it was changed.
    private var start: Int {
        let day =
            sample.first?.day ?? sample.date?.day(orders?.runs.first?.order ?? .dayMonthYear) ?? path.day ?? inferredDay
        guard let day else { return Int(file.modified / 1_000_000_000) }
        return day * 86_400 + (sample.first?.second ?? 0)
    }

    /// The order of the files of a window: by their beginnings, then from the highest rotation down; of equal ones the smaller first,
    /// because a larger one was written on.
    static func < (a: IRCLog, b: IRCLog) -> Bool {
        if a.start != b.start { return a.start < b.start }
        if a.path.rotation != b.path.rotation { return a.path.rotation > b.path.rotation }
        if a.file.size != b.file.size { return a.file.size < b.file.size }
        return a.file.path < b.file.path
    }
}
