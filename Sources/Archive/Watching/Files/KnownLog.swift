internal import Messages

/// A log as far as somebody has read it, and what tells whether that is still there.
struct KnownLog {
    let segments: [Segment]
    /// Behind the last whole line that was read, or within a very long one.
    let end: LinePlace
    /// Of the segment of the end; nil when there is none.
    private let mark: TailMark?

    /// - Throws: what reading throws.
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

    /// Whether these are the same files, and something was appended at most. (An incomplete last line is cut off by the
    /// next who writes, so that files may be shorter for a moment, but not before the end.)
    func isContinued(by now: [Segment]) -> Bool {
        guard now.count >= segments.count else { return false }
        for (number, (new, old)) in zip(now, segments).enumerated() {
            guard new.name == old.name, new.stamp.inode == old.stamp.inode else { return false }
            if number < end.segment {
                guard new.stamp == old.stamp else { return false }
            } else {
                guard new.stamp.size >= min(number == end.segment ? end.offset : .max, old.stamp.size),
                    // Who writes and does not append writes over something.
                    new.stamp.size != old.stamp.size || new.stamp == old.stamp
                else { return false }
            }
        }
        return isMarked(now)
    }

    /// Whether a log holds, by all that is known, what was read of this one: other files may have taken the place of these.
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
