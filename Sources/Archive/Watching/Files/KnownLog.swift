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
