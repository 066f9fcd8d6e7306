internal import Messages

extension PlainLog {
    /// Calls `body` with the records of a stretch of the log whose lines the filter selects, until `body` returns
    /// false.
    /// - Parameter shared: from so many bytes on, another thread looks through half of them.
    func scan(
        _ stretch: Range<LinePlace>, _ filter: IDFilter, _ blocks: BlockReader, sharedFrom shared: Int64 = 32 << 20,
        _ body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let pieces = self.pieces(of: stretch)
        let isShared = pieces.reduce(0) { $0 + Int64($1.range.count) } >= shared
        let ahead = isShared ? ScanAhead(pieces, filter) : nil
        defer { ahead?.stop() }
        for (index, piece) in pieces.enumerated() {
            var goesOn = true
            var last: Block?
            func take(_ line: Range<Int64>) throws(StoreError) {
                let block = PlainLog.block(around: line, after: last, of: piece.segment, until: piece.range.upperBound)
                last = block
                let place = LinePlace(segment: piece.segment, offset: line.lowerBound)
                try blocks.forEachRecord(of: block, in: self, at: [place]) { (place, head, fields) throws(StoreError) in
                    goesOn = try body(place, head, fields)
                    return goesOn
                }
            }
            if let lines = try ahead?.lines(ofPiece: index) {
                for line in lines where goesOn { try take(line) }
            } else {
                var lines = try IDScan(try File(piece.path), piece.range, filter)
                while goesOn, let line = try lines.next() { try take(line) }
            }
            if !goesOn { return }
        }
    }

    /// The parts of the segments that belong to a stretch, without empty parts.
    private func pieces(of stretch: Range<LinePlace>) -> [LogPiece] {
        var pieces: [LogPiece] = []
        for (number, segment) in segments.enumerated().dropFirst(stretch.lowerBound.segment) {
            guard number <= stretch.upperBound.segment else { break }
            let start = number == stretch.lowerBound.segment ? max(0, stretch.lowerBound.offset) : 0
            let end =
                number == stretch.upperBound.segment
                ? min(segment.stamp.size, stretch.upperBound.offset) : segment.stamp.size
            if start < end { pieces.append(LogPiece(segment: number, path: segment.path, range: start..<end)) }
        }
        return pieces
    }

    /// The block to read for a line. If selected lines stand close together, the block extends beyond the line:
    /// otherwise a million reactions would open the file a million times.
    /// - Parameters:
    ///   - last: the block of the previous selected line in the same segment.
    ///   - end: the end of the stretch in the segment, in bytes.
    private static func block(
        around line: Range<Int64>, after last: Block?, of segment: Int, until end: Int64
    ) -> Block {
        if let last, last.offset <= line.lowerBound, line.upperBound <= last.end.offset { return last }
        let isClose = last.map { line.lowerBound - $0.end.offset < closeLines } ?? false
        let length = isClose ? max(Int64(line.count), min(stretchLength, end - line.lowerBound)) : Int64(line.count)
        return Block(segment: segment, offset: line.lowerBound, length: Int(length))
    }

    /// Selected lines are close if fewer bytes than this are between them.
    private static let closeLines: Int64 = 4 << 10
    private static let stretchLength: Int64 = 64 << 10
}
