internal import Files
internal import JSON
/// Finds the first and last day of a log whose lines contain only times. When logrotate's `copytruncate` empties the log of a
/// program that keeps it open, the line with the date is only in the copy.
struct IRCUndated {
    let source: Source
    private static let most = 4 << 20

    /// The times of a log.
    struct Course {
        /// Days since 1970; nil if the day is unknown.
        var first: Int?
        var last: Int?
        /// The seconds since midnight of the first line and of the last line.
        var firstSecond: Int?
        var lastSecond: Int?
        /// The number of midnights between the first and the last line.
        var rolls = 0
    }

    /// - Parameters:
    ///   - day: the day on which it begins, if it is known.
    ///   - isEnough: true if only the day on which it begins is needed.
    func course(
        of file: SourceFile, _ grammar: IRCGrammar, from day: Int? = nil, untilFirst isEnough: Bool = false
    ) throws(FileError) -> Course {
        var course = Course(first: day, last: day)
        var position: Int64 = 0
        while position < file.size, !isEnough || course.first == nil {
            let bytes = try source.read(file, at: position, count: IRCUndated.most)
            // A line longer than a part has no time.
            let whole =
                position + Int64(bytes.count) >= file.size
                ? bytes.count : (bytes.lastIndex(of: 10) ?? bytes.count - 1) + 1
            guard whole > 0 else { break }
            bytes[..<whole].withUnsafeBytes { course.read($0, grammar) }
            position += Int64(whole)
        }
        return course
    }

    /// The order of the numbers in the dates of a log.
    func orders(of file: SourceFile) throws(FileError) -> DateOrders.Result {
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
}

extension IRCUndated.Course {
    fileprivate mutating func read(_ bytes: Bytes, _ grammar: IRCGrammar) {
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
