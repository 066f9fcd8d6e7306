internal import Algorithms
internal import SQLite

/// The rows of records by the hashes of their IDs, in blocks of some hundred entries. SQLite would store each entry as a
/// row of an index, which takes ten times as long to make.
///
/// A block holds the entries from its start up to the start of the next block, sorted. The first block starts at the
/// smallest possible entry. Blocks may divide the entries of one hash: where each conversation numbers its messages from
/// 1, all conversations share them.
final class IDTable {
    /// Full blocks are split. As many entries as fit into a page of SQLite.
    private static let capacity = 500
    /// The entries of a new block, which leave room for later ones.
    private static let usual = 420
    /// Some megabytes.
    private static let mostRemoved = 1 << 17

    private let database: Database
    /// The rows that are not in the database yet, by hash, rising.
    private var added: [Int64: [Int64]] = [:]
    /// The entries that are still in the database.
    private var removed: Set<IDEntry> = []

    init(_ database: Database) { self.database = database }

    static let createSQL = """
        -- hash, row: where the block starts. entries: IDEntry, sorted.
        CREATE TABLE id(hash INTEGER NOT NULL, row INTEGER NOT NULL, sum INTEGER NOT NULL, entries BLOB NOT NULL);
        CREATE UNIQUE INDEX id_start ON id(hash, row);
        """

    /// The rows of the records whose ID has a hash, rising.
    func rows(of hash: Int64, in rows: Range<Int64>) throws -> [Int64] {
        var found: [Int64] = []
        try forEach(of: hash, in: rows) { row in
            found.append(row)
            return true
        }
        return found
    }

    func isAny(of hash: Int64, in rows: Range<Int64>) throws -> Bool {
        var isAny = false
        try forEach(of: hash, in: rows) { _ in
            isAny = true
            return false
        }
        return isAny
    }

    /// Calls `body` with the rows of the records whose ID has a hash, rising, until it returns false. Thousands of them
    /// cost nothing then.
    func forEach(of hash: Int64, in rows: Range<Int64>, _ body: (Int64) throws -> Bool) throws {
        let all = added[hash] ?? []
        var new = all[all.partitioningIndex { $0 >= rows.lowerBound }..<all.partitioningIndex { $0 >= rows.upperBound }]
        var next = rows.isEmpty ? nil : IDEntry(hash: hash, row: rows.lowerBound)
        while let start = next {
            let known: [Int64]
            (known, next) = try stored(from: start, below: rows.upperBound)
            for row in known where removed.isEmpty || !removed.contains(IDEntry(hash: hash, row: row)) {
                while let earlier = new.first, earlier < row {
                    new.removeFirst()
                    guard try body(earlier) else { return }
                }
                guard try body(row) else { return }
            }
        }
        for row in new { guard try body(row) else { return } }
    }

    /// The rows of a hash in the block of an entry, from the entry on, and where the next block starts if it has more of
    /// them.
    private func stored(from start: IDEntry, below end: Int64) throws -> (rows: [Int64], next: IDEntry?) {
        let select = try block(of: start)
        defer { select.reset() }
        var found: [Int64] = []
        if try select.step() {
            let isOver = try IDTable.withEntries(select) { entries in
                let rest = entries[entries.partitioningIndex { $0 >= start }...]
                let same = rest.prefix { $0.hash == start.hash && $0.row < end }
                found = same.map(\.row)
                return same.endIndex < rest.endIndex
            }
            if isOver { return (found, nil) }
        }
        let next = try self.start(after: start)
        return (found, next.flatMap { $0.hash == start.hash && $0.row < end ? $0 : nil })
    }

    /// Calls `body` with each block, in their order.
    func forEachBlock(_ body: (_ start: IDEntry, UnsafeBufferPointer<IDEntry>) throws -> Void) throws {
        let select = try database.statement("SELECT hash, row, sum, entries FROM id ORDER BY hash, row")
        defer { select.reset() }
        while try select.step() {
            try IDTable.withEntries(select) { try body(IDTable.entry(select), $0) }
        }
    }

    // MARK: - Changes

    /// Whether so many removals wait for `flush` that they take much memory.
    var isFull: Bool { removed.count >= IDTable.mostRemoved }

    func insert(_ hash: Int64, _ row: Int64) {
        if removed.remove(IDEntry(hash: hash, row: row)) != nil { return }
        let place = added[hash]?.partitioningIndex { $0 >= row } ?? 0
        added[hash, default: []].insert(row, at: place)
    }

    func remove(_ hash: Int64, _ row: Int64) {
        if let place = added[hash]?.firstIndex(of: row) {
            added[hash]?.remove(at: place)
            return
        }
        removed.insert(IDEntry(hash: hash, row: row))
    }

    /// Writes the changes to the database, block by block.
    func flush() throws {
        if added.isEmpty, removed.isEmpty { return }
        var new = added.flatMap { hash, rows in rows.map { IDEntry(hash: hash, row: $0) } }.sorted()[...]
        var gone = removed.sorted()[...]
        while let first = [new.first, gone.first].compactMap(\.self).min() {
            let end = try start(after: first)
            let isInside = { (entry: IDEntry) in end.map { entry < $0 } ?? true }
            let (start, entries) = try entries(ofBlockWith: first)
            let part = new.prefix(while: isInside)
            new = new[part.endIndex...]
            let kept = gone.prefix(while: isInside).isEmpty ? entries : entries.filter { !removed.contains($0) }
            gone = gone.drop(while: isInside)
            try write(merge(kept, part), from: start)
        }
        (added, removed) = ([:], [])
    }

    /// Adds entries beyond all that are there.
    /// - Parameter entries: sorted.
    func append(_ entries: [IDEntry]) throws {
        guard let first = entries.first else { return }
        let isFirst = try database.first(Int64.self, "SELECT hash FROM id LIMIT 1") == nil
        try write(entries, from: isFirst ? .first : first)
    }

    // MARK: - Blocks

    /// Selects the block that an entry belongs to.
    private func block(of entry: IDEntry) throws -> Statement {
        let select = try database.statement(
            """
            SELECT hash, row, sum, entries FROM id WHERE (hash, row) <= (?, ?) ORDER BY hash DESC, row DESC LIMIT 1
            """)
        select.bind(1, entry.hash)
        select.bind(2, entry.row)
        return select
    }

    /// Where the first block after an entry starts; nil after the last block.
    private func start(after entry: IDEntry) throws -> IDEntry? {
        let select = try database.statement(
            "SELECT hash, row FROM id WHERE (hash, row) > (?, ?) ORDER BY hash, row LIMIT 1")
        select.bind(1, entry.hash)
        select.bind(2, entry.row)
        defer { select.reset() }
        return try select.step() ? IDTable.entry(select) : nil
    }

    /// The start of a block, in the first two columns.
    private static func entry(_ block: Statement) -> IDEntry {
        IDEntry(hash: block.integer(0), row: block.integer(1))
    }

    private func entries(ofBlockWith entry: IDEntry) throws -> (start: IDEntry, entries: [IDEntry]) {
        let select = try block(of: entry)
        defer { select.reset() }
        guard try select.step() else { return (.first, []) }
        return (IDTable.entry(select), try IDTable.withEntries(select) { Array($0) })
    }

    /// Replaces a block by one or more.
    private func write(_ entries: [IDEntry], from start: IDEntry) throws {
        if entries.isEmpty {
            try database.run("DELETE FROM id WHERE hash = ? AND row = ?", start.hash, start.row)
            return
        }
        let insert = try database.statement(
            """
            INSERT INTO id VALUES (?, ?, ?, ?)
            ON CONFLICT(hash, row) DO UPDATE SET sum = excluded.sum, entries = excluded.entries
            """)
        var (first, start) = (0, start)
        while first < entries.count {
            let end = entries.count - first > IDTable.capacity ? first + IDTable.usual : entries.count
            insert.bind(1, start.hash)
            insert.bind(2, start.row)
            try entries[first..<end].withUnsafeBytes { bytes in
                insert.bind(3, IDTable.sum(of: bytes, from: start))
                insert.bind(4, blob: bytes)
                try insert.run()
            }
            first = end
            if first < entries.count { start = entries[first] }
        }
    }

    /// The checksum of a block.
    static func sum(of entries: UnsafeRawBufferPointer, from start: IDEntry) -> Int64 {
        BlobSum.of(entries, key: start.hash ^ start.row)
    }

    /// - Parameter block: a row with a start, a checksum and entries.
    private static func withEntries<Result>(
        _ block: Statement, _ body: (UnsafeBufferPointer<IDEntry>) throws -> Result
    ) throws -> Result {
        let bytes = block.bytes(3)
        guard bytes.count % MemoryLayout<IDEntry>.stride == 0,
            sum(of: bytes, from: entry(block)) == block.integer(2)
        else { throw DatabaseError(.corrupt, "a block of IDs is damaged") }
        guard Int(bitPattern: bytes.baseAddress) % MemoryLayout<IDEntry>.alignment != 0 else {
            return try body(bytes.bindMemory(to: IDEntry.self))
        }
        // SQLite may give an address within its page.
        return try withUnsafeTemporaryAllocation(
            of: IDEntry.self, capacity: bytes.count / MemoryLayout<IDEntry>.stride
        ) { aligned in
            UnsafeMutableRawBufferPointer(aligned).copyMemory(from: bytes)
            return try body(UnsafeBufferPointer(aligned))
        }
    }
}

/// Two sorted sequences as one.
private func merge(_ a: [IDEntry], _ b: ArraySlice<IDEntry>) -> [IDEntry] {
    if b.isEmpty { return a }
    var merged: [IDEntry] = []
    merged.reserveCapacity(a.count + b.count)
    var next = b.startIndex
    for entry in a {
        while next < b.endIndex, b[next] < entry {
            merged.append(b[next])
            next += 1
        }
        merged.append(entry)
    }
    return merged + b[next...]
}
