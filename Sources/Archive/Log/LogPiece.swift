/// A part of a segment, of whole lines.
struct LogPiece: Sendable {
    /// The index of the segment in its log.
    let segment: Int
    let path: String
    /// In bytes.
    let range: Range<Int64>
}
