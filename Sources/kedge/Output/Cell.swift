/// A field of a record on stdout.
struct Cell {
    enum Role {
        case text, name, number, time, target, hit
        /// The name of a column, at its left or right edge.
        case heading, headingOfNumbers
    }

    let text: String
    let role: Role
    /// The matches of the query: UTF-8 offsets, sorted, without overlaps.
    let hits: [Range<Int>]

    init(_ text: String, _ role: Role = .text, hits: [Range<Int>] = []) {
        (self.text, self.role, self.hits) = (text, role, hits)
    }

    /// The text of a message and, after it, the names of its files.
    init(text: String, files: [String], hits: [Range<Int>] = []) {
        self.init(((text.isEmpty ? [] : [text]) + files.map { "[\($0)]" }).joined(separator: " "), hits: hits)
    }
}
