/// A file that is a log.
struct IRCLog {
    let file: SourceFile
    let sample: IRCSample
    let path: IRCPath

    /// Whether its lines, or its path, tell the days and the years.
    var knowsDays: Bool {
        guard sample.grammar.needsMarkers else { return true }
        return path.day != nil || sample.first?.day != nil
    }

    /// The setting of its feed. The path counts only where lines do not tell the day.
    var setting: IRCSetting {
        IRCSetting(sample.grammar, day: sample.grammar.needsMarkers ? path.day : nil, hasT: sample.hasT)
    }

    /// Seconds since 1970, on its own clock, at which it begins; nil if unknown.
    var start: Int? {
        let second = sample.first?.second ?? 0
        return (sample.first?.day ?? path.day).map { $0 * 86_400 + second }
    }

    /// The order of the files of a window: by their beginnings, then from the highest rotation down; of equal ones the smaller first,
    /// because a larger one was written on.
    static func < (a: IRCLog, b: IRCLog) -> Bool {
        if let (first, second) = a.start.flatMap({ first in b.start.map { (first, $0) } }), first != second {
            return first < second
        }
        if a.path.rotation != b.path.rotation { return a.path.rotation > b.path.rotation }
        if a.file.size != b.file.size { return a.file.size < b.file.size }
        return a.file.path < b.file.path
    }
}
