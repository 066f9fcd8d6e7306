internal import SQLite
internal import Messages

/// The people in the index, by number.
struct CheckedPeople {
    private var ids: [Int64: String] = [:]

    init(_ database: Database) throws {
        let select = try database.statement("SELECT number, id FROM person")
        defer { select.reset() }
        // Reads the text with its length, because an ID may contain NUL.
        while try select.step() { ids[select.integer(0)] = select.text(1) }
    }

    func id(_ number: Int64) -> String? { ids[number] }

    /// Whether a person's number corresponds to an ID; no number corresponds to an empty ID.
    func isSame(_ number: Int64?, _ id: UnsafeRawBufferPointer) -> Bool {
        guard let number else { return id.isEmpty }
        return ids[number].map { id.elementsEqual($0.utf8) } ?? false
    }
}
