/// The progress of a build, in bytes of the archive.
struct IndexProgress: Hashable, Sendable {
    /// The bytes that were not indexed at the start (totals), and those of them whose records or words are indexed now.
    var records: Int64 = 0
    var recordsTotal: Int64 = 0
    var words: Int64 = 0
    var wordsTotal: Int64 = 0

    /// A weighted sum: words take twice the time of records.
    var done: Int64 { (records + 2 * words) / 3 }
    var total: Int64 { (recordsTotal + 2 * wordsTotal) / 3 }
    /// From 0 to 1.
    var share: Double { total == 0 ? 1 : min(1, Double(done) / Double(total)) }
}
