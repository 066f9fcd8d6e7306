/// Finds out on which days a log begins and ends, where its lines tell nothing but their times. logrotate's `copytruncate` cuts the
/// logs of programs that keep them open, and the line with the date stays in the copy.
struct IRCUndated {
    let source: Source
    private static let most = 4 << 20

    /// The times of a log.
    struct Course {
        /// Days since 1970; nil if nothing tells the day.
        var first: Int?
        var last: Int?
        /// Seconds since midnight, of the first line and of the last.
        var firstSecond: Int?
        var lastSecond: Int?
        /// How many midnights the lines pass.
        var rolls = 0
    }

    /// - Parameters:
    ///   - day: the day on which it begins, if that is known.
    ///   - isEnough: whether nothing but the day is wanted on which it begins.
    func course(
        of file: SourceFile, _ grammar: IRCGrammar, from day: Int? = nil, untilFirst isEnough: Bool = false
    ) throws(SourceError) -> Course {
        var course = Course(first: day, last: day)
        var position: Int64 = 0
        while position < file.size, !isEnough || course.first == nil {
            let bytes = try source.read(file, at: position, count: IRCUndated.most)
            // A line that is longer than a part is no line with a time.
            let whole =
                position + Int64(bytes.count) >= file.size
                ? bytes.count : (bytes.lastIndex(of: 10) ?? bytes.count - 1) + 1
            guard whole > 0 else { break }
            bytes[..<whole].withUnsafeBytes { course.read($0, grammar) }
            position += Int64(whole)
        }
        return course
    }

    /// In which order the numbers of the dates of a log stand.
    func orders(of file: SourceFile) throws(SourceError) -> DateOrders.Result {
        var dates = DateOrders(named: source.options.dates)
        var position: Int64 = 0
        while position < file.size {
            let bytes = try source.read(file, at: position, count: IRCUndated.most)
            guard !bytes.isEmpty else { break }
            bytes.withUnsafeBytes { bytes in
                var at = 0
                for line in bytes.lines {
                    if let date = IRCStamp(line, .numeric)?.date { dates.add(date, at: position + Int64(at)) }
                    at += line.count + 1
                }
            }
            position += Int64(bytes.count)
        }
        var result = dates.result()
        // Logs are of one machine, whose language does not change.
        if result.runs.count > 1 { result.runs = result.runs.sorted { $0.start > $1.start }.suffix(1) }
        return result
    }
}

extension IRCUndated.Course {
    fileprivate mutating func read(_ bytes: Bytes, _ grammar: IRCGrammar) {
        for line in bytes.lines.lazy.map(\.withoutReturn) {
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
            // The lines before it are of the same day, unless they are later in it.
            let isLater = lastSecond.map { $0 > time } ?? false
            first = day - rolls - (isLater ? 1 : 0)
        }
        last = day
        lastSecond = lastSecond.map { _ in 0 }
    }
}
