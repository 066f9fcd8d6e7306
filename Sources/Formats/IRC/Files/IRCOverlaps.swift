/// Makes feeds of the files of a window, so that no line occurs twice where one file holds a part of another: backups that grew,
/// and rotations that overlap. Equal lines of a single second at the end of a file and at the beginning of the next are no
/// overlap: somebody repeated them.
struct IRCOverlaps {
    private let source: Source
    /// Files beyond this size are compared at their ends alone.
    private static let most: Int64 = 32 << 20
    private static let block = 1 << 20

    init(_ source: Source) { self.source = source }

    /// - Parameter logs: in their order.
    func feeds(of logs: [IRCLog]) throws(SourceError) -> [Feed] {
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

    private func overlap(_ a: IRCLog, _ b: IRCLog) throws(SourceError) -> Overlap {
        if try isEqual(a, from: 0, b) { return a.file.size > b.file.size ? .firstHoldsSecond : .from(0) }
        guard a.file.size <= IRCOverlaps.most, let head = try head(of: b.file) else { return .none }
        let bytes = try source.whole(a.file)
        guard let place = bytes.lineBeginning(with: head), try isEqual(a, from: Int64(place), b) else {
            return .none
        }
        return a.file.size - Int64(place) > b.file.size ? .firstHoldsSecond : .from(Int64(place))
    }

    /// Some whole lines from the beginning of a file.
    private func head(of file: SourceFile) throws(SourceError) -> [UInt8]? {
        let bytes = try source.read(file, count: 2_048)
        if bytes.count < 2_048 { return bytes }
        return bytes.lastIndex(of: 10).map { Array(bytes[...$0]) }
    }

    /// Whether the beginning of a log tells of more than one second: by the times of its lines, or by a line that marks a day.
    private func hasSeconds(_ log: IRCLog, to end: Int64) throws(SourceError) -> Bool {
        let bytes = try source.read(log.file, count: Int(min(end, Int64(IRCOverlaps.block))))
        let grammar = log.sample.grammar
        return bytes.withUnsafeBytes { bytes in
            var first: IRCStamp?
            for line in bytes.lines {
                let stamp = IRCStamp(line, grammar.stamp)
                if grammar.marker(line, stamp) != nil { return true }
                if let first, let stamp, !stamp.isInSecond(of: first) { return true }
                first = first ?? stamp
            }
            return false
        }
    }

    /// Whether the rest of a log and the beginning of another are equal, as far as both reach, for more than a second.
    private func isEqual(_ first: IRCLog, from place: Int64, _ second: IRCLog) throws(SourceError) -> Bool {
        let (a, b) = (first.file, second.file)
        let count = min(a.size - place, b.size)
        guard count > 0, try hasSeconds(second, to: count) else { return false }
        var at: Int64 = 0
        while at < count {
            let part = Int(min(Int64(IRCOverlaps.block), count - at))
            guard
                try source.read(a, at: place + at, count: part) == source.read(b, at: at, count: part)
            else { return false }
            // Of very large files, the first and the last megabyte count.
            at = at == 0 && count > IRCOverlaps.most ? count - Int64(IRCOverlaps.block) : at + Int64(part)
        }
        return true
    }
}

extension [UInt8] {
    /// Where a line begins from which on these bytes stand, or as many of them as there are.
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
