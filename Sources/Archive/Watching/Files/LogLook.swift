internal import Messages

/// The files of a conversation at one moment, compared with an earlier state.
struct LogLook {
    /// Nil if the conversation does not exist.
    let segments: [Segment]?
    /// The earlier state, in which the segments that have come into gaps are known.
    let known: KnownLog?
    /// The indices of those segments.
    let filled: [Int]
    /// Whether, apart from those, lines were at most appended.
    let isContinued: Bool
    /// Whether the log still begins with the known part.
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
    /// Whether the last byte of the log is a line feed. False for an empty or unreadable log.
    var endsWithLine: Bool {
        guard let (path, stamp) = last.map({ ($0.path, $0.stamp) }), stamp.size > 0, let file = try? File(path) else {
            return false
        }
        var last: UInt8 = 0
        let isRead = Swift.withUnsafeMutableBytes(of: &last) { (try? file.read(into: $0, at: stamp.size - 1)) != nil }
        return isRead && last == 0x0A
    }
}
