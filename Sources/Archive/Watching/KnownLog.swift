internal import Files
internal import Messages

/// The part of a log that has been read, with a mark to detect that the files were rewritten.
struct KnownLog {
    let segments: [Segment]
    /// The end of the last whole line that was read; it may be within a very long line.
    let end: LinePlace
    /// The mark in the segment of `end`; nil if there is none.
    private let mark: TailMark?

    /// - Throws: the errors of reading files.
    init(_ segments: [Segment], end: LinePlace) throws(StoreError) {
        self.segments = segments
        guard segments.indices.contains(end.segment) else {
            (self.end, mark) = (end, nil)
            return
        }
        let mark = try TailMark(of: segments[end.segment].path, before: end.offset)
        self.end = LinePlace(segment: end.segment, offset: mark.end)
        self.mark = mark
    }

    private init(_ segments: [Segment], end: LinePlace, mark: TailMark?) {
        (self.segments, self.end, self.mark) = (segments, end, mark)
    }

    /// The same part of a log after a server's older messages were inserted.
    /// - Returns: also the indices of their segments in `now`; nil if there are none, or if anything else has changed.
    func filled(by now: [Segment]) -> (log: KnownLog, new: [Int])? {
        guard end.segment == segments.count - 1, now.count > segments.count,
            zip(now, segments).contains(where: { $0.name != $1.name })
        else { return nil }
        var all: [Segment] = []
        var new: [Int] = []
        var rest = segments[...]
        for segment in now where !rest.isEmpty {
            if segment.name == rest.first?.name {
                all.append(rest.removeFirst())
            } else {
                guard segment.mirrorNumber != nil else { return nil }
                new.append(all.count)
                all.append(segment)
            }
        }
        guard rest.isEmpty, !new.isEmpty else { return nil }
        return (KnownLog(all, end: LinePlace(segment: all.count - 1, offset: end.offset), mark: mark), new)
    }

    /// True if these are the same files, with lines at most appended. (The next writer cuts off an incomplete last
    /// line, so a file may become shorter for a moment, but not before `end`.)
    func isContinued(by now: [Segment]) -> Bool {
        guard now.count >= segments.count else { return false }
        for (number, (new, old)) in zip(now, segments).enumerated() {
            guard new.name == old.name, new.stamp.inode == old.stamp.inode else { return false }
            if number < end.segment {
                guard new.stamp == old.stamp else { return false }
            } else {
                guard new.stamp.size >= min(number == end.segment ? end.offset : .max, old.stamp.size),
                    // A change that keeps the size has overwritten something.
                    new.stamp.size != old.stamp.size || new.stamp == old.stamp
                else { return false }
            }
        }
        return isMarked(now)
    }

    /// True if these files, which may be new ones, appear to begin with the part that was read.
    func isHead(of now: [Segment]) -> Bool {
        guard now.count >= segments.count, mark != nil else { return false }
        for (number, (new, old)) in zip(now, segments).enumerated() {
            guard new.name == old.name, number >= end.segment || new.stamp.size == old.stamp.size else { return false }
        }
        return isMarked(now)
    }

    private func isMarked(_ now: [Segment]) -> Bool {
        guard let mark else { return true }
        return now.indices.contains(end.segment) && mark.isThere(in: now[end.segment].path)
    }
}

/// The files of a conversation at one moment, compared with an earlier state.
struct LogLook {
    /// Nil if the conversation does not exist.
    let segments: [Segment]?
    /// The earlier state, in which the segments that have come into gaps are known.
    let known: KnownLog?
    /// The indices of those segments.
    let filled: [Int]
    /// True if, apart from those segments, lines were at most appended.
    let isContinued: Bool
    /// True if the log still begins with the known part.
    let isExtended: Bool
    let state: Settling.State

    /// - Parameters:
    ///   - segments: the current files; nil if the conversation does not exist.
    ///   - known: the earlier state; nil if there is none.
    init(_ segments: [Segment]?, since known: KnownLog?) {
        self.segments = segments
        let filling = segments.flatMap { known?.filled(by: $0) }
        let known = segments == nil ? nil : filling?.log ?? known
        (self.known, filled) = (known, filling?.new ?? [])
        isContinued = known?.isContinued(by: segments ?? []) ?? false
        isExtended = isContinued || known?.isHead(of: segments ?? []) ?? false
        state = Settling.State(
            segments: segments, isHalfWritten: !isContinued && LogLook.isHalfWritten(segments ?? [], since: known))
    }

    private static func isHalfWritten(_ segments: [Segment], since known: KnownLog?) -> Bool {
        if !segments.endsWithLine { return true }
        return segments.contains { segment in
            known?.segments.contains { $0.stamp.inode == segment.stamp.inode && $0.stamp.size > segment.stamp.size }
                ?? false
        }
    }
}

extension [Segment] {
    /// True if the last byte of the log is a line feed. False for an empty or unreadable log.
    var endsWithLine: Bool {
        guard let last, last.stamp.size > 0 else { return false }
        return (try? File(last.path).endsLine(at: last.stamp.size)) ?? false
    }
}

/// A hash of the last whole lines before a place in a file, some 4 KiB of them.
struct TailMark: Equatable {
    private static let longest: Int64 = 4_096

    private let start: Int64
    private let length: Int
    private let hash: UInt64

    /// The end of the last of these lines.
    var end: Int64 { start + Int64(length) }

    /// - Throws: the errors of reading files, also if the file is shorter.
    init(of path: String, before end: Int64) throws(StoreError) {
        start = max(0, end - TailMark.longest)
        let bytes = try TailMark.bytes(of: path, from: start, Int(end - start))
        // The bytes after the last line feed may be cut off and written again.
        length = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        hash = TailMark.hash(bytes.prefix(length))
    }

    /// True if the file still contains these lines.
    func isThere(in path: String) -> Bool {
        guard let bytes = try? TailMark.bytes(of: path, from: start, length) else { return false }
        return TailMark.hash(bytes[...]) == hash
    }

    private static func bytes(of path: String, from start: Int64, _ count: Int) throws(StoreError) -> [UInt8] {
        let bytes = count == 0 ? [] : try File(path).bytes(at: start, count: count)
        guard bytes.count == count else { throw StoreError(reading: FileError(.read, path, .shorter)) }
        return bytes
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.withUnsafeBytes { IDHash($0).value } }
}

/// Decides when rewritten files are final: when they have not changed for a while. Files that look incomplete get more time;
/// files that keep changing count as final after a limit.
struct Settling: Sendable {
    /// The files at one moment.
    struct State: Equatable {
        /// Nil if the files are gone.
        let segments: [Segment]?
        /// True if a writer may still be at work: the files are empty or gone, end within a line, or were truncated in
        /// place.
        let isHalfWritten: Bool
    }

    enum Verdict: Equatable {
        case final
        /// Not yet final: look again after this time or at the next change.
        case wait(Duration)
    }

    private let pace: SettlingPace
    private let start: Duration
    private var last: (state: State, since: Duration)?

    /// - Parameter now: the time on the clock of `pace`.
    init(pace: SettlingPace, at now: Duration) {
        self.pace = pace
        start = now
    }

    mutating func look(_ state: State, at now: Duration) -> Verdict {
        if last?.state != state { last = (state, now) }
        let quietEnd = (last?.since ?? now) + (state.isHalfWritten ? pace.patience : pace.quiet)
        let end = min(quietEnd, start + pace.limit)
        return now >= end ? .final : .wait(end - now)
    }
}

/// The clock, and the time limits for files that other programs write.
package struct SettlingPace: Sendable {
    package static let usual = SettlingPace()

    /// Complete files are final if they have not changed for this long.
    var quiet = Duration.milliseconds(300)
    /// Files that look incomplete are final if they have not changed for this long.
    var patience = Duration.seconds(2)
    /// Files that keep changing are final after this long.
    var limit = Duration.seconds(5)
    /// A post fails if other writers keep its conversation locked for this long.
    var lock = Duration.seconds(10)
    /// The time since an arbitrary fixed moment.
    var now: @Sendable () -> Duration = { ContinuousClock.now - SettlingPace.origin }
    var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }

    private static let origin = ContinuousClock.now
}
