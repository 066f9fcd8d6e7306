internal import Messages
internal import Words

/// What the words of the index cover of a conversation.
struct WordCoverage {
    let conversation: ConversationID
    /// As the files are now.
    let segments: [Segment]
    let rows: Range<Int64>
    /// The rows of each segment.
    let stretches: [Range<Int64>]
    /// What words and records had in common then: which records, and up to where edits that are gone were seen to.
    let state: (records: Int64, stale: Int64)
    /// Whether the words are those of the files, up to that end: all files that the index knows are what they were.
    let isExact: Bool
    /// The messages that are covered.
    let counted: CountedMessages

    /// Where the last line ends that is covered.
    var end: LinePlace { counted.end }

    /// Bytes of the log that are not covered.
    var rest: Int64 { segments.size - segments.size(before: end) }

    /// The share of the rows from one on, 0 to 1.
    func share(from row: Int64) -> Double {
        let (done, all) = stretches.reduce((0, 0)) { sums, rows in
            (
                sums.0 + rows.clamped(to: max(row, rows.lowerBound)..<max(row, rows.upperBound)).count,
                sums.1 + rows.count
            )
        }
        return Double(done) / Double(max(1, all))
    }
}
