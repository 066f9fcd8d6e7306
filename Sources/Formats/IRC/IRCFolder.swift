internal import Files
internal import JSON

/// The logs of a source, file by file and window by window.
struct IRCFolder {
    private let source: Source
    private var logs: [IRCLog] = []
    private var problems: [ForeignProblem] = []
    /// Files that may be logs, but whose own lines do not prove it.
    private var strangers: [(file: SourceFile, sample: IRCSample?)] = []

    /// Files that contain only the date on which a log began.
    private var beginnings: [(file: SourceFile, sample: IRCSample)] = []

    init(_ source: Source) { self.source = source }

    /// Files that can be logs: not hidden, not empty, not WeeChat's own log, and without the extension of another kind of file.
    static func candidates(_ source: Source) -> some Sequence<SourceFile> {
        source.files.lazy.filter { file in
            file.size > 0 && !file.name.hasPrefix("core.weechat") && !isOther(file.name)
                && !file.path.split(separator: "/").dropLast().contains { $0.hasPrefix(".") && $0 != ".weechat" }
                && !file.name.hasPrefix(".")
        }
    }

    private static func isOther(_ name: Substring) -> Bool {
        guard let point = name.lastIndex(of: ".") else { return false }
        return others.contains(name[point...].lowercased())
    }

    private static let others: Set<String> = [
        ".json", ".jsonl", ".conf", ".cfg", ".ini", ".toml", ".yaml", ".yml", ".xml", ".html", ".htm", ".css", ".js",
        ".py", ".pl", ".rb", ".lua", ".tcl", ".sh", ".c", ".h", ".swift", ".md", ".csv", ".sqlite", ".db", ".zip",
        ".gz", ".zst", ".xz", ".bz2", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".theme", ".pem",
    ]

    mutating func archive() throws(FileError) -> ForeignArchive {
        for file in IRCFolder.candidates(source) { try look(at: file) }
        try adoptStrangers()
        try addBeginnings()
        try inferDays()
        findCharsets()
        let conversations = try conversations()
        let networks = Set(logs.map(\.path.network))
        return ForeignArchive(
            name: networks.count == 1 ? networks.first ?? nil : nil, conversations: conversations, problems: problems)
    }

    private mutating func look(at file: SourceFile) throws(FileError) {
        let bytes = try source.read(file, count: IRCSample.bytes)
        let sample = IRCSample(bytes, isWhole: bytes.count < IRCSample.bytes)
        guard bytes.isText else {
            if sample?.isLog == true { reportStranger(file) }
            return
        }
        if let sample, sample.isBeginning {
            beginnings.append((file, sample))
        } else if let sample, sample.isSure || source.isFile {
            try add(file, sample)
        } else {
            strangers.append((file, sample))
        }
    }

    private mutating func reportStranger(_ file: SourceFile) {
        problems.append(ForeignProblem(file: file.path, kind: "not an IRC log that Kedge understands"))
    }

    private mutating func add(_ file: SourceFile, _ sample: IRCSample) throws(FileError) {
        logs.append(try IRCLog(file, sample, path(of: file), in: source))
        if let problem = logs.last?.orders?.problem(in: file.path) { problems.append(problem) }
    }

    /// Adds files whose own lines do not prove that they are logs: windows of servers contain lines of any form, and two programs
    /// may have written one file. Next to other logs, such a file must have the grammar of one of them. One understood line is
    /// enough if there are no other logs, or if its window has others.
    private mutating func adoptStrangers() throws(FileError) {
        let grammars = Set(logs.map(\.sample.grammar))
        let windows = Set(logs.map(\.path.key))
        for (file, sample) in strangers {
            if let sample,
                grammars.isEmpty
                    ? sample.isLog
                    : grammars.contains(sample.grammar)
                        && (sample.isAmongLogs || sample.isLog && windows.contains(path(of: file).key))
            {
                try add(file, sample)
            } else {
                reportStranger(file)
            }
        }
    }

    /// Adds logs that contain only a date. Such a log has just begun, and gets the grammar of the other logs of its window.
    private mutating func addBeginnings() throws(FileError) {
        for (file, sample) in beginnings {
            var sample = sample
            let path = self.path(of: file)
            if let grammar = logs.first(where: { $0.path.key == path.key })?.sample.grammar
                ?? logs.first?.sample.grammar
            {
                sample.grammar = grammar
            }
            try add(file, sample)
        }
    }

    /// Finds the first day of a log that does not contain it: the log continues on the last day of the file before, or ends on
    /// the first day of the file after.
    private mutating func inferDays() throws(FileError) {
        for (_, places) in Dictionary(grouping: logs.indices, by: { logs[$0].path.key }) where places.count > 1 {
            let older = places.sorted { logs[$0].path.rotation > logs[$1].path.rotation }
            for (order, isOlder) in [(older, true), (older.reversed(), false)] {
                var known: Int?
                for place in order {
                    if let known, !logs[place].knowsDays, logs[known].path.rotation != logs[place].path.rotation {
                        try logs[place].infer(from: logs[known], isOlder: isOlder, in: source)
                    }
                    if logs[place].knowsDays, logs[place].path.day == nil { known = place }
                }
            }
        }
        for log in logs where !log.knowsDays {
            let kind =
                log.sample.grammar.stamp == .month
                ? "the year is unknown: neither a line nor the file name gives it; Kedge uses 1972"
                : "the day is unknown: no line, file name or folder gives it; Kedge uses 1 January 1970"
            problems.append(ForeignProblem(file: log.file.path, kind: kind))
        }
    }

    /// Finds the character set of lines that are not UTF-8, for each file. If a file has few such lines, all lines of its window
    /// are used; if these are few too, all lines of the source.
    private mutating func findCharsets() {
        if let charset = source.options.charset {
            for index in logs.indices { logs[index].charset = charset }
            return
        }
        var windows: [String: Charset.Evidence] = [:]
        var all = Charset.Evidence()
        for log in logs where !log.evidence.bytes.isEmpty {
            windows[log.path.key, default: Charset.Evidence()].add(log.evidence)
            all.add(log.evidence)
        }
        guard !all.bytes.isEmpty else { return }
        var found: [String: String] = [:]
        for index in logs.indices {
            if logs[index].evidence.isEnough {
                logs[index].charset = logs[index].evidence.charset
                continue
            }
            let key = logs[index].path.key
            if found[key] == nil, let evidence = windows[key] {
                let most = evidence.isEnough ? evidence : all
                // A guess from few bytes is unreliable, but a month's name among them is a proof.
                let marked = most.isEnough ? nil : most.bytes.withUnsafeBytes(IRCFolder.charset(ofMarksIn:))
                found[key] = marked ?? most.charset
            }
            logs[index].charset = found[key]
        }
    }

    /// The character set in which a line such as `--- Day changed вт марта 05 2024` names a month; nil if there is none.
    private static func charset(ofMarksIn text: Bytes) -> String? {
        for line in text.lines {
            guard line.starts(with: "--- ") || line.starts(with: "***"), IRCDate.day(in: line, after: nil) != nil
            else { continue }
            for word in line.split(separator: 32) where !Charset.isPlain(Bytes(rebasing: word)) {
                if let charset = MonthNames.charset(of: Bytes(rebasing: word)) { return charset }
            }
        }
        return nil
    }

    private func path(of file: SourceFile) -> IRCPath {
        let root = String(source.name.split(separator: "/").last ?? "log")
        return IRCPath(file.path, root: IRCFileName(root).stem)
    }

    // MARK: - Conversations

    private func conversations() throws(FileError) -> [ForeignConversation] {
        let windows = Dictionary(grouping: logs, by: \.path.key).sorted { $0.key < $1.key }
        var used = UniqueIDs()
        var list: [ForeignConversation] = []
        for (_, logs) in windows {
            guard let path = logs.first?.path else { continue }
            let id = unique(path, &used)
            let bare = String(path.window.drop { "#&!+".contains($0) })
            let aliases = bare == path.window ? [bare] : [path.window, bare]
            list.append(
                ForeignConversation(
                    id: id, title: title(path, id),
                    aliases: aliases.filter { $0 != id && !$0.isEmpty && path.window != "server" },
                    feeds: try IRCOverlaps(source).feeds(of: logs.sorted(by: <))))
        }
        return list
    }

    private func title(_ path: IRCPath, _ id: String) -> String? {
        if path.window == "server" { return path.network }
        return path.window == id ? nil : path.window
    }

    /// The ID of a window. If the ID is taken, the folder's name is added, or a number.
    private func unique(_ path: IRCPath, _ used: inout UniqueIDs) -> String {
        guard used.contains(path.id), let folder = path.key.split(separator: "/").dropLast().last else {
            return used.take(path.id)
        }
        return used.take("\(folder).\(path.id)")
    }
}

/// Makes feeds of the files of a window in which no line occurs twice, although one file contains a part of another: backups that
/// grew, and rotations that overlap. Equal lines of only one second, at the end of a file and the beginning of the next, are not
/// an overlap: somebody repeated them.
struct IRCOverlaps {
    private let source: Source
    /// Files larger than this are compared only at their ends.
    private static let most: Int64 = 32 << 20
    private static let block = 1 << 20

    init(_ source: Source) { self.source = source }

    /// - Parameter logs: in order.
    func feeds(of logs: [IRCLog]) throws(FileError) -> [Feed] {
        var kept: [(log: IRCLog, end: Int64?)] = []
        for log in logs {
            guard let last = kept.last, mayOverlap(last.log, log) else {
                kept.append((log, nil))
                continue
            }
            switch try overlap(last.log, log) {
            case .none: kept.append((log, nil))
            case .firstHoldsSecond: break
            case .from(let place):
                kept.removeLast()
                if place > 0 { kept.append((last.log, place)) }
                kept.append((log, nil))
            }
        }
        return kept.enumerated().map { index, item in
            Feed(
                file: item.log.file.path, end: item.end, setting: item.log.setting.text, rank: index,
                grows: index == kept.count - 1)
        }
    }

    private enum Overlap {
        case none
        case firstHoldsSecond
        /// The rest of the first file from this byte on is the beginning of the second.
        case from(Int64)
    }

    /// Files of different days do not overlap.
    private func mayOverlap(_ a: IRCLog, _ b: IRCLog) -> Bool {
        !(a.path.day != nil && b.path.day != nil && a.path.day != b.path.day && a.sample.grammar.needsMarkers)
    }

    private func overlap(_ a: IRCLog, _ b: IRCLog) throws(FileError) -> Overlap {
        if try isEqual(a, from: 0, b) { return a.file.size > b.file.size ? .firstHoldsSecond : .from(0) }
        guard a.file.size <= IRCOverlaps.most, let head = try head(of: b.file) else { return .none }
        let bytes = try source.whole(a.file)
        guard let place = bytes.lineBeginning(with: head), try isEqual(a, from: Int64(place), b) else {
            return .none
        }
        return a.file.size - Int64(place) > b.file.size ? .firstHoldsSecond : .from(Int64(place))
    }

    /// Some whole lines from the beginning of a file.
    private func head(of file: SourceFile) throws(FileError) -> [UInt8]? {
        let bytes = try source.read(file, count: 2_048)
        if bytes.count < 2_048 { return bytes }
        return bytes.lastIndex(of: 10).map { Array(bytes[...$0]) }
    }

    /// True if the beginning of a log covers more than one second, by the times of its lines or by a line that marks a day.
    private func hasSeconds(_ log: IRCLog, to end: Int64) throws(FileError) -> Bool {
        let bytes = try source.read(log.file, count: Int(min(end, Int64(IRCOverlaps.block))))
        let grammar = log.sample.grammar
        return bytes.withUnsafeBytes { bytes in
            var first: IRCStamp?
            for line in bytes.lines.lazy.map(\.logLine) {
                let stamp = IRCStamp(line, grammar.stamp)
                if grammar.marker(line, stamp) != nil { return true }
                if let first, let stamp, !stamp.isInSecond(of: first) { return true }
                first = first ?? stamp
            }
            return false
        }
    }

    /// True if the rest of a log equals the beginning of another, as far as both reach, for more than one second.
    private func isEqual(_ first: IRCLog, from place: Int64, _ second: IRCLog) throws(FileError) -> Bool {
        let (a, b) = (first.file, second.file)
        let count = min(a.size - place, b.size)
        guard count > 0, try hasSeconds(second, to: count) else { return false }
        var at: Int64 = 0
        while at < count {
            let part = Int(min(Int64(IRCOverlaps.block), count - at))
            guard
                try source.read(a, at: place + at, count: part) == source.read(b, at: at, count: part)
            else { return false }
            // Of very large files, only the first and the last megabyte are compared.
            at = at == 0 && count > IRCOverlaps.most ? count - Int64(IRCOverlaps.block) : at + Int64(part)
        }
        return true
    }
}

extension [UInt8] {
    /// The first line that begins with these bytes, or with as many of them as there are.
    fileprivate func lineBeginning(with head: [UInt8]) -> Int? {
        guard let first = head.first else { return nil }
        return withUnsafeBytes { bytes in
            var at = 0
            while at < bytes.count {
                let rest = Bytes(rebasing: bytes[at...])
                if rest[0] == first, rest.prefix(head.count).elementsEqual(head.prefix(rest.count)) { return at }
                at += rest.lineLength + 1
            }
            return nil
        }
    }
}
