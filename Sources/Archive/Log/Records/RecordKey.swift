/// The places of a record's fields among those that `RecordReader` reads.
enum RecordKey {
    static let type = 0, id = 1, at = 2, from = 3, text = 4, replyTo = 5, thread = 6, broadcast = 7, kind = 8
    static let attachments = 9, target = 10, emoji = 11, removed = 12, edited = 13, deleted = 14
    static let reactions = 15, by = 16, presence = 17, name = 18, transaction = 19
}
