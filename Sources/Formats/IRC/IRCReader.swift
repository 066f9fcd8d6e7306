internal import Dates
internal import JSON

/// Reads the lines of one log and writes them as records.
///
/// A line is written when the next one is read, since lines without a time continue the line before. At the end of a file that
/// may grow, the last line is written at once: continuations rarely come later, and then become separate messages.
struct IRCReader {
    private let grammar: IRCGrammar
    let grows: Bool
    /// True if a time earlier than the one before begins a new day.
    private let rolls: Bool
    /// The order of day, month and year in dates written as numbers.
    private let order: DateOrder
    private var clock: LocalClock
    private var identity = LineIdentity()
    private var text = IRCText()
    /// The day of the current line; nil as long as no line contained one.
    private var day: Int?
    private var second = 0
    /// The sender of the last line written, which a line without a time continues.
    private var owner: [UInt8]?
    /// True if the line before was already reported as a line that belongs to no message.
    private var isLost = false

    /// A line with a time that is not written yet, and the places of the line and its continuations.
    private struct Pending {
        var start: Int
        var stamp: IRCStamp
        var line: IRCLine
        /// The lines without a time that follow it.
        var more: Range<Int>?
    }

    init(_ feed: Feed, _ setting: IRCSetting, zone: Zone) {
        (grammar, day, order) = (setting.grammar, setting.day, setting.order ?? .dayMonthYear)
        grows = feed.grows
        rolls = grammar.stamp == .bracketed || grammar.stamp == .time
        clock = LocalClock(zone)
    }

    mutating func convert(_ bytes: Bytes, at offset: Int64, isEnd: Bool, into writer: inout RecordWriter) -> Int {
        let start = offset == 0 && bytes.starts(with: "\u{FEFF}") ? 3 : 0
        var lines = bytes.wholeLines(isEnd: isEnd && !grows, from: start)
        var pending: Pending?
        while let (at, whole) = lines.next() {
            let (line, next) = (whole.logLine, lines.end)
            let stamp = IRCStamp(line, grammar.stamp)
            if whole.count > Record.longest {
                flush(&pending, bytes, &writer)
                report("line is longer than 16 MB", offset + Int64(at), &writer)
            } else if let marker = grammar.marker(line, stamp) {
                flush(&pending, bytes, &writer)
                mark(marker)
            } else if let stamp, var longer = pending, isContinuation(line, stamp, of: longer) {
                longer.more = (longer.more?.lowerBound ?? at)..<next
                pending = longer
            } else if let stamp {
                flush(&pending, bytes, &writer)
                let body = Bytes(rebasing: line[stamp.length...])
                if IRCStamp(body, grammar.stamp) != nil, IRCLineReader.line(body, grammar) == nil {
                    report("line with two times", offset + Int64(at), &writer)
                }
                pending = Pending(start: at, stamp: stamp, line: read(body))
            } else if grammar.isEvent(line), pending != nil || day != nil {
                flush(&pending, bytes, &writer)
                let stamp = IRCStamp(day: day ?? 0, second: second)
                pending = Pending(start: at, stamp: stamp, line: IRCEvent.line(line.after(4)))
            } else if isMergeMark(line) {
                flush(&pending, bytes, &writer)
                report("merge conflict marker", offset + Int64(at), &writer)
            } else if var longer = pending {
                longer.more = (longer.more?.lowerBound ?? at)..<next
                pending = longer
                if next - longer.start > Record.longest { flush(&pending, bytes, &writer) }
            } else {
                orphan(line, offset + Int64(at), &writer)
            }
        }
        if isEnd { flush(&pending, bytes, &writer) }
        return pending?.start ?? lines.end
    }

    // MARK: - Lines

    /// A line without its time.
    private func read(_ body: Bytes) -> IRCLine { IRCLineReader.line(body, grammar) ?? IRCLine(.system, nil, body) }

    /// True for `[2026-03-29T00:00:06.000Z] | text`, which The Lounge writes for the further lines of a message.
    private func isContinuation(_ line: Bytes, _ stamp: IRCStamp, of pending: Pending) -> Bool {
        grammar.stamp == .dated && Bytes(rebasing: line[stamp.length...]).starts(with: "| ")
            && pending.line.kind != .system && !pending.line.kind.isPresence && stamp.isInSecond(of: pending.stamp)
    }

    private func isMergeMark(_ line: Bytes) -> Bool {
        line.starts(with: "<<<<<<< ") || line.starts(with: ">>>>>>> ") || line == "======="
    }

    private mutating func mark(_ line: Bytes) {
        owner = nil
        guard let found = IRCDate.day(in: line, after: day) else { return }
        day = found
        second = 0
    }

    private mutating func report(_ problem: String, _ at: Int64, _ writer: inout RecordWriter) {
        owner = nil
        writer.report(problem, at: at)
    }

    /// Handles a line without a time when there is no message to continue.
    private mutating func orphan(_ line: Bytes, _ at: Int64, _ writer: inout RecordWriter) {
        guard !line.isEmpty else { return }
        if let owner, let day {
            owner.withUnsafeBytes { nick in
                let found = IRCLine(nick.isEmpty ? .system : .message, nick.isEmpty ? nil : nick, line)
                write(found, IRCStamp(day: day, second: second), more: .empty, &writer)
            }
            return
        }
        if !isLost { report("line that belongs to no message", at, &writer) }
        isLost = true
    }

    private mutating func flush(_ pending: inout Pending?, _ bytes: Bytes, _ writer: inout RecordWriter) {
        guard let found = pending else { return }
        write(found.line, found.stamp, more: found.more.map { Bytes(rebasing: bytes[$0]) } ?? .empty, &writer)
        pending = nil
    }

    private mutating func write(_ line: IRCLine, _ stamp: IRCStamp, more: Bytes, _ writer: inout RecordWriter) {
        let day = date(of: stamp)
        (self.day, second) = (day, stamp.second)
        isLost = false
        identity.next(
            day: day, second: stamp.second, kind: line.kind.rawValue, name: line.nick, text: line.text)
        let moment = clock.moment(
            day: day, second: stamp.second, milliseconds: stamp.milliseconds, east: stamp.east)
        writer.message(id: identity.id, at: moment)
        if let name = line.nick { sender(name, line.kind, &writer) }
        put("text", line.text, more, &writer)
        if line.kind == .action { writer.text("kind", Bytes("action")) }
        if line.kind == .system || line.kind.isPresence { writer.text("kind", Bytes("system")) }
        if let presence = line.kind.presence {
            writer.text("presence", Bytes(presence))
            if let name = line.newNick { put("name", name, .empty, &writer) }
        }
        writer.end()
        owner = owner ?? []
        owner?.removeAll(keepingCapacity: true)
        if let name = line.nick, !line.kind.isPresence { owner?.append(contentsOf: name) }
    }

    private func date(of stamp: IRCStamp) -> Int {
        if let day = stamp.day { return day }
        if let (month, number) = stamp.monthAndDay {
            // 1972 is the first year after 1970 with a 29 February, so it has every day.
            return IRCDate.day(month: month, day: number, near: day ?? 730) ?? day ?? 730
        }
        if let date = stamp.date { return date.day(order) ?? day ?? 0 }
        guard let day else { return 0 }
        return rolls && stamp.second < second - 43_200 ? day + 1 : day
    }

    // MARK: - Fields

    private mutating func sender(_ name: Bytes, _ kind: IRCLine.Kind, _ writer: inout RecordWriter) {
        text.clear()
        text.append(name)
        writer.text("from", text.bytes)
        if !kind.isPresence { text.bytes.withUnsafeBytes { writer.person($0, name: $0) } }
    }

    private mutating func put(_ field: StaticString, _ first: Bytes, _ more: Bytes, _ writer: inout RecordWriter) {
        text.clear()
        text.append(first)
        for line in more.lines {
            text.lineFeed()
            let line = line.logLine
            let stamp = grammar.stamp == .dated ? IRCStamp(line, .dated) : nil
            text.append(stamp.map { Bytes(rebasing: line[min(line.count, $0.length + 2)...]) } ?? line)
        }
        text.trim()
        writer.text(field, text.bytes)
    }

    // MARK: - State

    /// The day and the second of the last line; the day and the second of the last ID, with its counts; and the sender of the
    /// last line.
    var state: String {
        let counts = identity.counts.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        let owner = owner.map { "+" + String(decoding: $0, as: UTF8.self) } ?? "-"
        let day = day.map(String.init) ?? "-"
        return "\(day);\(second);\(identity.day);\(identity.second);\(counts);\(owner)"
    }

    mutating func resume(_ state: String) {
        let parts = state.split(separator: ";", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, let second = Int(parts[1]) else { return }
        day = Int(parts[0])
        self.second = second
        follow(state)
        if parts[5].hasPrefix("+") { owner = Array(parts[5].dropFirst().utf8) }
    }

    /// Takes over the counts of the last second only.
    mutating func follow(_ state: String) {
        let parts = state.split(separator: ";", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, let lastDay = Int(parts[2]), let lastSecond = Int(parts[3]) else { return }
        var counts: [UInt32: Int] = [:]
        for entry in parts[4].split(separator: ",") {
            let pair = entry.split(separator: "=")
            if pair.count == 2, let code = UInt32(pair[0]), let count = Int(pair[1]) { counts[code] = count }
        }
        if !counts.isEmpty { identity = LineIdentity(day: lastDay, second: lastSecond, counts: counts) }
    }
}
