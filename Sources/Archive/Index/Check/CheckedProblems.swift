internal import SQLite
internal import Messages

/// The index entries of a conversation's skipped lines, some hundred at most.
struct CheckedProblems {
    private struct Line: Hashable {
        let segment: Int
        let line: Int
    }

    private var texts: [Line: String] = [:]
    /// Skipped lines without an entry in the index.
    private var unnamed: [String] = []

    init(_ known: IndexedConversation, _ database: Database) throws {
        let rows = try database.rows("SELECT segment, line, text FROM problem WHERE conversation = ?", known.number) {
            let segment = known.index(ofSegment: $0.integer(0)) ?? known.segments.count
            return (Line(segment: segment, line: Int($0.integer(1))), $0.text(2))
        }
        for (line, text) in rows { texts[line] = text }
    }

    mutating func note(_ text: String, _ line: Int, _ segment: Int, _ fault: (String) -> Void) {
        guard let indexed = texts.removeValue(forKey: Line(segment: segment, line: line)) else {
            if unnamed.count <= ProblemList.kept { unnamed.append("line \(line) of file \(segment + 1)") }
            return
        }
        if indexed != text { fault("the index says \"\(indexed)\", the file says \"\(text)\"") }
    }

    /// - Parameter isComplete: whether the index should have an entry for every skipped line.
    func finish(isComplete: Bool, _ fault: (String) -> Void) {
        for (line, text) in texts.sorted(by: { ($0.key.segment, $0.key.line) < ($1.key.segment, $1.key.line) }) {
            fault("the index skipped line \(line.line) of file \(line.segment + 1) (\(text)), which can be read")
        }
        if isComplete { for line in unnamed { fault("\(line) cannot be read, the index does not say so") } }
    }
}
