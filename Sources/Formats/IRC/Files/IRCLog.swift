/// A file that is a log.
struct IRCLog {
    let file: SourceFile
    let sample: IRCSample
    let path: IRCPath
    /// The day on which it begins, where neither its first lines nor its path tell it (see `IRCUndated`).
    let inferredDay: Int?

    init(_ file: SourceFile, _ sample: IRCSample, _ path: IRCPath, in source: Source) throws(SourceError) {
        (self.file, self.sample, self.path) = (file, sample, path)
        let isKnown = !sample.grammar.needsMarkers || path.day != nil || sample.first?.day != nil
        inferredDay = isKnown ? nil : try IRCUndated(source: source).day(of: file, sample.grammar)
    }

    /// Whether its lines, its path or its time tell the days and the years.
    var knowsDays: Bool {
        guard sample.grammar.needsMarkers else { return true }
        return path.day != nil || sample.first?.day != nil || inferredDay != nil
    }

    /// The setting of its feed. The path counts only where lines do not tell the day.
    var setting: IRCSetting {
        let day = sample.grammar.needsMarkers ? path.day ?? inferredDay : nil
        return IRCSetting(sample.grammar, day: day, hasT: sample.hasT)
    }

    /// Seconds since 1970, on its own clock, at which it begins; if nothing tells that, when it was changed.
    private var start: Int {
        guard let day = sample.first?.day ?? path.day ?? inferredDay else { return Int(file.modified / 1_000_000_000) }
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
