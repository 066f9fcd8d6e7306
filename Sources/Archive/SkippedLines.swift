internal import Files
internal import Messages

/// The lines of a conversation that cannot be read: those that the index knows, and those after the indexed part.
struct SkippedLines {
    /// The most bytes after the indexed part to read for this. Problems in more bytes are reported by the next index.
    private static let mostBytes: Int64 = 8 << 20

    let segments: [Segment]
    /// Nil if there is no index.
    let index: IndexView?
    /// The lines that repeat an ID, sorted.
    let repeats: [LinePlace]

    /// - Throws: the errors of reading files.
    func problems() throws(StoreError) -> ProblemList {
        var problems = try index?.problems() ?? ProblemList()
        let start = index?.end ?? .first
        guard segments.size - segments.size(before: start) <= SkippedLines.mostBytes else { return problems }
        let records = RecordReader()
        for number in segments.indices.dropFirst(start.segment) {
            let isFirst = number == start.segment
            let before = isFirst ? index?.conversation.segments.last?.lines ?? 0 : 0
            let segment = segments[number]
            var lines = LineScanner(
                try File(segment.path), size: segment.stamp.size, from: isFirst ? start.offset : 0)
            while let line = try lines.next() {
                if line.isBlank { continue }
                let fault: LineFault
                switch try records.read(line) {
                case .failure(let reason): fault = reason
                case .success(let record):
                    guard let head = record?.head,
                        repeats.holdsSorted(LinePlace(segment: number, offset: line.offset))
                    else { continue }
                    fault = .repeated(head.messageID)
                }
                // A last line that a writer has not finished is not an error.
                if fault == .notJSON && !line.isTerminated && number == segments.count - 1 { continue }
                problems.add("\(segment.label):\(before + lines.number): \(fault.text)")
            }
        }
        return problems
    }
}
