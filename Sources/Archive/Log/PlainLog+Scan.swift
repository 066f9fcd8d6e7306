import Glibc
internal import Messages

extension PlainLog {
    /// Calls `body` with the records of a stretch of the log whose lines the filter selects, until `body` returns
    /// false.
    func scan(
        _ stretch: Range<LinePlace>, _ filter: IDFilter, _ blocks: BlockReader,
        _ body: (LinePlace, RecordHead, Fields) throws(StoreError) -> Bool
    ) throws(StoreError) {
        for (number, segment) in segments.enumerated().dropFirst(stretch.lowerBound.segment) {
            guard number <= stretch.upperBound.segment else { return }
            let start = number == stretch.lowerBound.segment ? max(0, stretch.lowerBound.offset) : 0
            let end =
                number == stretch.upperBound.segment
                ? min(segment.stamp.size, stretch.upperBound.offset) : segment.stamp.size
            guard start < end else { continue }
            var lines = try IDScan(try File(segment.path), start..<end, filter)
            var goesOn = true
            var last: Block?
            while goesOn, let line = try lines.next() {
                let block = PlainLog.block(around: line, after: last, of: number, until: end)
                last = block
                let place = LinePlace(segment: number, offset: line.lowerBound)
                try blocks.forEachRecord(of: block, in: self, at: [place]) { (place, head, fields) throws(StoreError) in
                    goesOn = try body(place, head, fields)
                    return goesOn
                }
            }
            if !goesOn { return }
        }
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
