internal import Messages
internal import Words

/// The part of a conversation that the word index covers.
struct WordCoverage {
    let conversation: ConversationID
    /// The current files.
    let segments: [Segment]
    let rows: Range<Int64>
    /// The rows of each segment.
    let stretches: [Range<Int64>]
    /// The state that records and words shared: the identity of the records, and the newest entry of their table
    /// `stale`, which the words have taken into account.
    let state: (records: Int64, stale: Int64)
    /// Whether the words match the files up to `end`: no file that the index knows has changed.
    let isExact: Bool
    /// The messages in the covered part.
    let counted: CountedMessages

    /// The end of the last covered line.
    var end: LinePlace { counted.end }

    /// The bytes of the log that are not covered.
    var rest: Int64 { segments.size - segments.size(before: end) }

    /// The share of the rows at or after this one, 0 to 1.
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
