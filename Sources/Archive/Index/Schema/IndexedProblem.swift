internal import SQLite

/// A line that was passed over, as the index has it.
struct IndexedProblem {
    private let conversation: Int64
    private let segment: Int64
    private let line: Int

    /// - Parameters:
    ///   - conversation: its number.
    ///   - segment: its number in the conversation.
    ///   - line: from 1.
    init(_ conversation: Int64, _ segment: Int64, line: Int) {
        (self.conversation, self.segment, self.line) = (conversation, segment, line)
    }

    func add(_ fault: LineFault, to database: Database) throws {
        try database.run(
            "INSERT INTO problem VALUES (?, ?, ?, ?)", conversation, segment, line,
            "\(fault.reason); the line is passed over")
    }

    func remove(from database: Database) throws {
        try database.run(
            "DELETE FROM problem WHERE conversation = ? AND segment = ? AND line = ?", conversation, segment, line)
    }
}
