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

    /// The same part of a log into which a server's older messages have come.
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

    /// Whether these are the same files, with lines at most appended. (The next writer cuts off an incomplete last
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

    /// Whether these files, which may be new ones, appear to begin with the part that was read.
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
