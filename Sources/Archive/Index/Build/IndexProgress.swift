/// How far the making of an index is, in bytes of the archive.
struct IndexProgress: Hashable, Sendable {
    /// Whose records are in the index, and whose words, of those that were missing.
    var records: Int64 = 0
    var recordsTotal: Int64 = 0
    var words: Int64 = 0
    var wordsTotal: Int64 = 0

    /// Weighed: words take twice the time of records.
    var done: Int64 { (records + 2 * words) / 3 }
    var total: Int64 { (recordsTotal + 2 * wordsTotal) / 3 }
    /// 0 to 1.
    var share: Double { total == 0 ? 1 : min(1, Double(done) / Double(total)) }
}
