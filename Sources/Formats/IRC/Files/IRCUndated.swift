/// Finds out on which day a log begins that does not tell it. logrotate's `copytruncate` cuts the logs of programs that keep
/// them open, and the line with the date stays in the copy.
struct IRCUndated {
    let source: Source
    private static let most = 4 << 20
    private static let day = 86_400

    /// - Returns: days since 1970; nil if nothing tells the day.
    func day(of file: SourceFile, _ grammar: IRCGrammar) throws(SourceError) -> Int? {
        // Times in brackets belong to files of one day, or to files whose times tell new days.
        guard grammar.stamp == .time || grammar.stamp == .month else { return nil }
        let head = try source.read(file, count: IRCUndated.most)
        let found = head.withUnsafeBytes { IRCUndated.lines(of: $0, grammar) }
        if let day = found.day { return day }
        guard file.modified > 0, file.size <= Int64(IRCUndated.most), let last = found.last else { return nil }
        // The file was changed when its last line was written: at this time of the day, in a zone that nobody knows.
        let modified = Int(file.modified / 1_000_000_000)
        let east = (last - modified % IRCUndated.day + IRCUndated.day * 3 / 2) % IRCUndated.day - IRCUndated.day / 2
        return (modified + east) / IRCUndated.day
    }

    /// - Returns: the day of the lines before the first marker, and the second of the last of these lines.
    private static func lines(of bytes: Bytes, _ grammar: IRCGrammar) -> (day: Int?, last: Int?) {
        var rest = bytes
        var last: Int?
        while !rest.isEmpty {
            let line = Bytes(rebasing: rest[..<rest.lineLength])
            let stamp = IRCStamp(line, grammar.stamp)
            if let marker = grammar.marker(line, stamp), let day = IRCDate.day(in: marker, after: nil) {
                return (marker.offset(of: "Day changed") == nil ? day : day - 1, last)
            }
            last = stamp?.second ?? last
            rest = Bytes(rebasing: rest[min(rest.count, line.count + 1)...])
        }
        return (nil, last)
    }
}
