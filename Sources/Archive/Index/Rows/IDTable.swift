internal import Algorithms
internal import SQLite

/// The rows of records by the hashes of their IDs, in blocks of some hundred entries. SQLite would store each entry as a
/// row of an index, which takes ten times as long to make.
///
/// A block holds the entries from its key up to the key of the next block, sorted. The key of the first block is the
/// smallest possible hash. The entries of one hash are in one block.
final class IDTable {
    /// Full blocks are split. As many entries as fit into a page of SQLite.
    private static let capacity = 500
    /// The entries of a new block, which leave room for later ones.
    private static let usual = 420

    private let database: Database
    /// The rows that are not in the database yet, by hash.
    private var added: [Int64: [Int64]] = [:]
    private var removed: Set<Int64> = []
    private var removedHashes: Set<Int64> = []

    init(_ database: Database) { self.database = database }

    static let createSQL = """
        -- entries: IDEntry, sorted.
        CREATE TABLE id(key INTEGER PRIMARY KEY, sum INTEGER NOT NULL, entries BLOB NOT NULL);
        """

    /// The rows of the records whose ID has a hash, rising.
    func rows(of hash: Int64, in rows: Range<Int64>) throws -> [Int64] {
        let new = (added[hash] ?? []).filter { rows.contains($0) }
        let select = try database.statement("SELECT key, sum, entries FROM id WHERE key <= ? ORDER BY key DESC LIMIT 1")
        select.bind(1, hash)
        defer { select.reset() }
        guard try select.step() else { return new.sorted() }
        let known = try IDTable.withEntries(select) { entries in
            let start = entries.partitioningIndex { $0 >= IDEntry(hash: hash, row: rows.lowerBound) }
            return entries[start...].prefix { $0.hash == hash && $0.row < rows.upperBound }.map(\.row)
        }
        let kept = removed.isEmpty ? known : known.filter { !removed.contains($0) }
        return new.isEmpty ? kept : (kept + new).sorted()
    }

    func isAny(of hash: Int64, in rows: Range<Int64>) throws -> Bool { try !self.rows(of: hash, in: rows).isEmpty }

    /// Calls `body` with each block, in the order of their keys.
    func forEachBlock(_ body: (_ key: Int64, UnsafeBufferPointer<IDEntry>) throws -> Void) throws {
        let select = try database.statement("SELECT key, sum, entries FROM id ORDER BY key")
        defer { select.reset() }
        while try select.step() {
            let key = select.integer(0)
            try IDTable.withEntries(select) { try body(key, $0) }
        }
    }

    // MARK: - Changes

    func insert(_ hash: Int64, _ row: Int64) {
        if removed.remove(row) == nil { added[hash, default: []].append(row) }
    }

    func remove(_ hash: Int64, _ row: Int64) {
        if let index = added[hash]?.firstIndex(of: row) {
            added[hash]?.remove(at: index)
            return
        }
        removed.insert(row)
        removedHashes.insert(hash)
    }

    /// Writes the changes to the database, block by block.
    func flush() throws {
        if added.isEmpty, removed.isEmpty { return }
        let hashes = Set(added.keys).union(removedHashes).sorted()
        var next = 0
        while next < hashes.count {
            let (key, entries, end) = try block(of: hashes[next])
            let part = hashes[next...].prefix { hash in end.map { hash < $0 } ?? true }
            let new = part.flatMap { hash in (added[hash] ?? []).map { IDEntry(hash: hash, row: $0) } }
            let kept = removed.isEmpty ? entries : entries.filter { !removed.contains($0.row) }
            try write(Array(merge(kept, new.sorted())), from: key)
            next = part.endIndex
        }
        (added, removed, removedHashes) = ([:], [], [])
    }

    /// Adds entries beyond all that are there.
    /// - Parameter entries: sorted.
    func append(_ entries: [IDEntry]) throws {
        guard let first = entries.first else { return }
        let isFirst = try database.first(Int64.self, "SELECT key FROM id LIMIT 1") == nil
        try write(entries, from: isFirst ? .min : first.hash)
    }

    /// The block with the entries of a hash: its key, its entries, and the key of the next block.
    private func block(of hash: Int64) throws -> (key: Int64, entries: [IDEntry], end: Int64?) {
        let end = try database.first(Int64.self, "SELECT key FROM id WHERE key > ? ORDER BY key LIMIT 1", hash)
        let select = try database.statement("SELECT key, sum, entries FROM id WHERE key <= ? ORDER BY key DESC LIMIT 1")
        select.bind(1, hash)
        defer { select.reset() }
        guard try select.step() else { return (.min, [], end) }
        return (select.integer(0), try IDTable.withEntries(select) { Array($0) }, end)
    }

    /// Replaces a block by one or more.
    private func write(_ entries: [IDEntry], from key: Int64) throws {
        if entries.isEmpty {
            try database.run("DELETE FROM id WHERE key = ?", key)
            return
        }
        let insert = try database.statement("INSERT OR REPLACE INTO id VALUES (?, ?, ?)")
        var (start, key) = (0, key)
        while start < entries.count {
            var end = entries.count
            if end - start > IDTable.capacity {
                end = start + IDTable.usual
                while end < entries.count, entries[end].hash == entries[end - 1].hash { end += 1 }
            }
            insert.bind(1, key)
            try entries[start..<end].withUnsafeBytes { bytes in
                insert.bind(2, BlobSum.of(bytes, key: key))
                insert.bind(3, blob: bytes)
                try insert.run()
            }
            start = end
            if start < entries.count { key = entries[start].hash }
        }
    }

    /// - Parameter block: a row with a key, a checksum and entries.
    private static func withEntries<Result>(
        _ block: Statement, _ body: (UnsafeBufferPointer<IDEntry>) throws -> Result
    ) throws -> Result {
        let bytes = block.bytes(2)
        guard bytes.count % MemoryLayout<IDEntry>.stride == 0,
            BlobSum.of(bytes, key: block.integer(0)) == block.integer(1)
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
private func merge(_ a: [IDEntry], _ b: [IDEntry]) -> [IDEntry] {
    if b.isEmpty { return a }
    var merged: [IDEntry] = []
    merged.reserveCapacity(a.count + b.count)
    var next = 0
    for entry in a {
        while next < b.count, b[next] < entry {
            merged.append(b[next])
            next += 1
        }
        merged.append(entry)
    }
    return merged + b[next...]
}
