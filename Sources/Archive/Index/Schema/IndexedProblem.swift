internal import SQLite

/// The index entry of a skipped line.
struct IndexedProblem {
    private let conversation: Int64
    private let segment: Int64
    private let line: Int

    /// - Parameters:
    ///   - conversation: its number.
    ///   - segment: its number in the conversation.
    ///   - line: the number of the line, from 1.
    init(_ conversation: Int64, _ segment: Int64, line: Int) {
        (self.conversation, self.segment, self.line) = (conversation, segment, line)
    }

    func add(_ fault: LineFault, to database: Database) throws {
        try database.run(
            "INSERT INTO problem VALUES (?, ?, ?, ?)", conversation, segment, line, IndexedProblem.text(fault))
    }

    func remove(from database: Database) throws {
        try database.run(
            "DELETE FROM problem WHERE conversation = ? AND segment = ? AND line = ?", conversation, segment, line)
    }

    /// Whether the index contains an entry with this reason for any line of the segment.
    static func isKept(
        _ fault: LineFault, _ conversation: Int64, _ segment: Int64, in database: Database
    ) throws -> Bool {
        try database.first(
            Bool.self, "SELECT 1 FROM problem WHERE conversation = ? AND segment = ? AND text = ? LIMIT 1",
            conversation,
            segment, text(fault)) ?? false
    }

    private static func text(_ fault: LineFault) -> String { "\(fault.reason); the line is skipped" }
}
