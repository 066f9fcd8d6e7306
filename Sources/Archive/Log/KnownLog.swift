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

/// The last whole lines before a place of a file, some 4 KiB of them, as a hash.
struct TailMark: Equatable {
    private static let longest: Int64 = 4_096

    private let start: Int64
    private let length: Int
    private let hash: UInt64

    /// Behind the last of the lines.
    var end: Int64 { start + Int64(length) }

    /// - Throws: what reading throws, also when the file is shorter.
    init(of path: String, before end: Int64) throws(StoreError) {
        start = max(0, end - TailMark.longest)
        let bytes = try TailMark.bytes(of: path, from: start, Int(end - start))
        // What follows the last line feed may be cut off and written anew.
        length = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        hash = TailMark.hash(bytes.prefix(length))
    }

    /// Whether the lines still stand there.
    func isThere(in path: String) -> Bool {
        guard let bytes = try? TailMark.bytes(of: path, from: start, length) else { return false }
        return TailMark.hash(bytes[...]) == hash
    }

    private static func bytes(of path: String, from start: Int64, _ count: Int) throws(StoreError) -> [UInt8] {
        if count == 0 { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let file = try File(path)
        var failure: StoreError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(StoreError) { try file.read(into: buffer, at: start) } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.withUnsafeBytes { IDHash($0).value } }
}

/// The files of a conversation at a moment, beside what was known of them.
struct LogLook {
    /// Nil when there is no such conversation.
    let segments: [Segment]?
    /// Whether something was appended at most.
    let isContinued: Bool
    /// Whether all that was known still stands at the beginning.
    let isExtended: Bool
    let state: Settling.State

    /// - Parameters:
    ///   - segments: as they are now; nil when there is no such conversation.
    ///   - known: nil for nothing.
    init(_ segments: [Segment]?, since known: KnownLog?) {
        self.segments = segments
        let known = segments == nil ? nil : known
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
    /// Whether the last byte of the log is a line feed. False where there is none, and where it cannot be read.
    var endsWithLine: Bool {
        guard let (path, stamp) = last.map({ ($0.path, $0.stamp) }), stamp.size > 0, let file = try? File(path) else {
            return false
        }
        var last: UInt8 = 0
        let isRead = Swift.withUnsafeMutableBytes(of: &last) { (try? file.read(into: $0, at: stamp.size - 1)) != nil }
        return isRead && last == 0x0A
    }
}
