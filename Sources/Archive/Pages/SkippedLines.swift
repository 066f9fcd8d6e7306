internal import Files
internal import Messages

extension ConversationReader {
    /// The most bytes after the indexed part to read for skipped lines. Those in more bytes are reported by the next index.
    private static let mostRead: Int64 = 8 << 20

    /// The lines of the conversation that cannot be read: those that the index knows, and those after the indexed part.
    func problems() throws(StoreError) -> ProblemList {
        var problems = try index?.problems() ?? ProblemList()
        guard uncovered <= ConversationReader.mostRead else { return problems }
        let (start, segments) = (covered, log.segments)
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
                        log.repeats.holdsSorted(LinePlace(segment: number, offset: line.offset))
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
