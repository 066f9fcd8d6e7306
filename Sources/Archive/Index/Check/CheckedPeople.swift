internal import SQLite
internal import Messages

/// The people of the index by their numbers.
struct CheckedPeople {
    private var ids: [Int64: String] = [:]

    init(_ database: Database) throws {
        let select = try database.statement("SELECT number, id FROM person")
        defer { select.reset() }
        // By its bytes: a NUL ends no ID.
        while try select.step() { ids[select.integer(0)] = select.text(1) }
    }

    func id(_ number: Int64) -> String? { ids[number] }

    /// Whether a number, or none, stands for an ID, or an empty one.
    func isSame(_ number: Int64?, _ id: UnsafeRawBufferPointer) -> Bool {
        guard let number else { return id.isEmpty }
        return ids[number].map { id.elementsEqual($0.utf8) } ?? false
    }
}
