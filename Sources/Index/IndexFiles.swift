internal import Files
import Glibc

/// The files of an index: parts, which never change, and a manifest, which names those of the current generation and is replaced as a
/// whole. A reader needs no lock. One process at a time may write; its caller holds the lock.
package struct IndexFiles: Sendable {
    /// The folder. No other name in it begins with `part-`, and none is `manifest`.
    package let folder: String

    package init(_ folder: String) { self.folder = folder }

    var manifest: String { folder + "/manifest" }
    func part(_ number: UInt64) -> String { "\(folder)/part-\(number)" }

    // MARK: - Reading

    /// The current generation; nil if there is no index.
    /// - Throws: `damaged` if the index must be built again.
    package func snapshot() throws(IndexFault) -> IndexSnapshot? { try IndexSource(self).current() }

    /// Opens the parts of a manifest. If a writer has removed one since the manifest was read, reads the manifest again.
    /// - Parameter known: the parts that are open, with the manifest that names them.
    func open(
        _ manifest: IndexManifest, after known: (manifest: IndexManifest, parts: [Part])? = nil
    ) throws(IndexFault) -> (manifest: IndexManifest, parts: [Part]) {
        var manifest = manifest
        while true {
            do throws(IndexFault) {
                var parts: [Part] = []
                for part in manifest.parts {
                    if let known, known.manifest.identity == manifest.identity,
                        let index = known.manifest.parts.firstIndex(of: part)
                    {
                        parts.append(known.parts[index])
                    } else {
                        parts.append(Part(try PartBytes(mapping: self.part(part.number), part.size, sum: part.sum)))
                    }
                }
                return (manifest, parts)
            } catch {
                guard case .system(_, ENOENT) = error else { throw error }
                guard let newer = try readManifest(), newer != manifest else {
                    throw .damaged(file: self.manifest, reason: "it names a file that is missing")
                }
                manifest = newer
            }
        }
    }

    /// The manifest; nil if there is none.
    package func readManifest() throws(IndexFault) -> IndexManifest? {
        let descriptor = Glibc.open(manifest, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        // Without a folder that may be read there is no index either.
        if descriptor < 0, [ENOENT, ENOTDIR, EACCES].contains(errno) { return nil }
        guard descriptor >= 0 else { throw .system(file: manifest, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size <= IndexManifest.largest else {
            throw .damaged(file: manifest, reason: "it is too large")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .system(file: manifest, code: errno) }
        guard let found = IndexManifest(bytes[..<count]) else {
            throw .damaged(file: manifest, reason: "it is damaged, or of another version")
        }
        return found
    }

    // MARK: - Writing

    /// Adds a part, and makes it the newest of the next generation. Small parts at the end are merged with it, so that each part
    /// is several times as large as the next one: an index of a million records has some ten parts, and a record is written again
    /// as often.
    /// - Parameters:
    ///   - identity: that of the index to which the part belongs, 0 for a new index; nil for the index that is there.
    ///   - isMerging: false for the parts of a new index, which `merge` makes one at the end.
    package func commit(
        _ builder: consuming PartBuilder, to identity: UInt64? = nil, isMerging: Bool = true
    ) throws(IndexFault) {
        var manifest = try manifest(of: identity) ?? IndexManifest()
        let bytes = builder.bytes()
        let part = Part(try PartBytes(memory: bytes))
        // The part owns the bytes.
        defer { withExtendedLifetime(part) {} }
        let known: [Part]
        (manifest, known) = try open(manifest)
        var (kept, size, sum) = (known.count, bytes.count, PartLayout.sum(of: UnsafeRawBufferPointer(bytes)))
        while isMerging, kept > 0, Int(manifest.parts[kept - 1].size) < IndexFiles.growth * size {
            kept -= 1
            size += Int(manifest.parts[kept].size)
        }
        let number = manifest.next
        if kept == known.count {
            try write(bytes.bytes, to: self.part(number))
        } else {
            (size, sum) = try merge(known[kept...] + [part], isOldest: kept == 0, to: self.part(number))
        }
        try replace(&manifest, from: kept, by: IndexManifest.Part(number: number, size: UInt64(size), sum: UInt64(sum)))
    }

    /// Makes all parts one: it drops what was removed, and makes questions as fast as they can be.
    /// - Parameter identity: see `commit`.
    package func merge(of identity: UInt64? = nil) throws(IndexFault) {
        guard var manifest = try manifest(of: identity), manifest.parts.count > 1 else { return }
        let number = manifest.next
        let (size, sum) = try merge(try open(manifest).parts, isOldest: true, to: part(number))
        try replace(&manifest, from: 0, by: IndexManifest.Part(number: number, size: UInt64(size), sum: UInt64(sum)))
    }

    /// The cache may be deleted at any time, and another process may build an index in its place: nothing of this one belongs to that.
    private func manifest(of identity: UInt64?) throws(IndexFault) -> IndexManifest? {
        let found = try readManifest()
        if let identity, identity != found?.identity ?? 0 { throw .system(file: manifest, code: ESTALE) }
        return found
    }

    /// Makes a generation in which a new part replaces the last ones.
    /// - Parameter kept: how many parts stay.
    private func replace(
        _ manifest: inout IndexManifest, from kept: Int, by part: IndexManifest.Part
    ) throws(IndexFault) {
        let gone = manifest.parts[kept...].map(\.number)
        manifest.parts.removeSubrange(kept...)
        manifest.parts.append(part)
        (manifest.next, manifest.generation) = (part.number + 1, manifest.generation + 1)
        do throws(IndexFault) {
            try write(manifest.bytes.span.bytes, to: self.manifest)
        } catch {
            unlink(self.part(part.number))
            throw error
        }
        // Readers that have them open keep them.
        for number in gone { unlink(self.part(number)) }
    }

    /// A part is at least as many times as large as the next one.
    private static let growth = 4

    /// Replaces the index by that of another folder. Readers that have the old one open keep it.
    package func take(_ other: IndexFiles) throws(IndexFault) {
        guard let manifest = try other.readManifest() else { return }
        // The numbers of two indexes differ, since each begins with a random one.
        for part in manifest.parts {
            guard rename(other.part(part.number), self.part(part.number)) == 0 else {
                throw .system(file: self.part(part.number), code: errno)
            }
        }
        guard rename(other.manifest, self.manifest) == 0 else { throw .system(file: self.manifest, code: errno) }
        try removeStrays()
    }

    /// Removes the parts that no manifest names, which a killed writer has left.
    package func removeStrays() throws(IndexFault) {
        let names = Set(try readManifest()?.parts.map { "part-\($0.number)" } ?? [])
        removeFiles { $0.hasPrefix("part-") && !names.contains($0) || $0 == "manifest.new" }
    }

    /// Removes the index.
    package func removeAll() {
        unlink(manifest)
        removeFiles { $0.hasPrefix("part-") || $0 == "manifest.new" }
    }

    private func removeFiles(where isUnwanted: (String) -> Bool) {
        try? Disk.forEachEntry(of: folder) { entry in
            if isUnwanted(entry.name) { unlink(folder + "/" + entry.name) }
            return true
        }
    }

    /// Writes one part that replaces several.
    /// - Returns: its size in bytes, and the sum of its header.
    private func merge(
        _ parts: [Part], isOldest: Bool, to path: String
    ) throws(IndexFault) -> (size: Int, sum: UInt32) {
        try write(to: path) { (descriptor) throws(IndexFault) in
            var merge = try PartMerge(parts, isOldest: isOldest)
            let size = try merge.write(to: descriptor, path: path)
            var header = [UInt8](repeating: 0, count: PartLayout.header)
            guard pread(descriptor, &header, header.count, 0) == header.count else {
                throw .system(file: path, code: EIO)
            }
            return (size, header.withUnsafeBytes { PartLayout.sum(of: $0) })
        }
    }

    private func write(_ bytes: borrowing RawSpan, to path: String) throws(IndexFault) {
        try write(to: path) { (descriptor) throws(IndexFault) in
            var done = 0
            while done < bytes.byteCount {
                let written = bytes.withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
                }
                if written >= 0 { done += written } else if errno != EINTR { throw .system(file: path, code: errno) }
            }
        }
    }

    /// Writes a file beside, and moves it into place when it is complete. It does not wait for the disk: a power cut may damage the
    /// file, which its checksums detect.
    private func write<Result>(
        to path: String, _ body: (CInt) throws(IndexFault) -> Result
    ) throws(IndexFault) -> Result {
        let temporary = path + ".new"
        unlink(temporary)
        let descriptor = Glibc.open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system(file: path, code: errno) }
        do throws(IndexFault) {
            defer { close(descriptor) }
            let result = try body(descriptor)
            guard rename(temporary, path) == 0 else { throw .system(file: path, code: errno) }
            return result
        } catch {
            unlink(temporary)
            throw error
        }
    }
}

/// Reads the current generation of an index, again and again. Keeps the files open that stay. Belongs to one thread.
package final class IndexSource {
    package let files: IndexFiles
    private var known: (manifest: IndexManifest, parts: [Part])?
    private var snapshot: IndexSnapshot?

    package init(_ files: IndexFiles) { self.files = files }

    /// The current generation; nil if there is no index.
    /// - Throws: `damaged` if the index must be built again.
    package func current() throws(IndexFault) -> IndexSnapshot? {
        guard let manifest = try files.readManifest() else {
            (known, snapshot) = (nil, nil)
            return nil
        }
        return try current(manifest)
    }

    /// The generation of a manifest that was just read.
    package func current(_ manifest: IndexManifest) throws(IndexFault) -> IndexSnapshot? {
        if manifest == known?.manifest { return snapshot }
        let opened = try files.open(manifest, after: known)
        let new = try IndexSnapshot(opened.parts, identity: opened.manifest.identity)
        (known, snapshot) = (opened, new)
        return new
    }
}

/// Collects changes, and adds them to an index as a part. One process at a time may write. Belongs to one thread.
package final class IndexWriter {
    private let source: IndexSource
    /// The last generation.
    package private(set) var base: IndexSnapshot
    /// The changes that the next generation adds.
    package var part = PartBuilder()

    /// - Throws: `damaged` if the index must be built again.
    package init(_ files: IndexFiles) throws(IndexFault) {
        source = IndexSource(files)
        try files.removeStrays()
        let found = try source.current()
        base = if let found { found } else { try IndexSnapshot([]) }
    }

    /// The value of a key in a table; nil if there is none.
    package func value(of key: [UInt8], in table: UInt8) throws(IndexFault) -> [UInt8]? {
        if let new = part.value(of: key, in: table) { return new }
        return try base.value(of: key, in: table)
    }

    /// The next generation as it would be now.
    package func current() throws(IndexFault) -> IndexSnapshot {
        let copy = part
        return try IndexSnapshot(base.parts + [try copy.part()], identity: base.identity)
    }

    /// Makes the next generation.
    /// - Parameter isMerging: see `IndexFiles.commit`.
    package func commit(isMerging: Bool) throws(IndexFault) {
        if part.isEmpty { return }
        // What was read from a file that was cut off meanwhile is wrong.
        try base.checkLosses()
        let full = part
        part = PartBuilder()
        try source.files.commit(full, to: base.identity, isMerging: isMerging)
        base = try source.current() ?? base
    }

    /// See `IndexFiles.merge`.
    package func merge() throws(IndexFault) {
        try source.files.merge(of: base.identity)
        base = try source.current() ?? base
    }
}

/// The names of the parts of a generation.
package struct IndexManifest: Equatable, Sendable {
    private static let magic: UInt64 = 0x3330_4D67_6764_656B
    /// In bytes.
    static let largest = 1 << 20

    /// A random number that tells this index from those before it. Never 0.
    package private(set) var identity = UInt64.random(in: 1...UInt64.max)
    var generation: UInt64 = 0
    /// The number of the next part. No number is used twice, nor by the next index at the same place.
    var next = UInt64.random(in: 1..<1 << 48)
    /// From the oldest to the newest.
    var parts: [Part] = []

    struct Part: Equatable, Sendable {
        let number: UInt64
        /// In bytes.
        let size: UInt64
        /// The sum of its header, which stands for all its bytes: a part of another index is not taken for this one.
        let sum: UInt64
    }

    init() {}

    /// Returns nil if the bytes are not those of a manifest.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 40, bytes.count % 8 == 0 else { return nil }
        let numbers = bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
        }
        let sum = bytes.dropLast(8).withUnsafeBytes { BlockSum.of($0) }
        guard numbers[0] == IndexManifest.magic, numbers.last == UInt64(sum), numbers.count % 3 == 2,
            numbers[2...].allSatisfy({ $0 < 1 << 62 })
        else { return nil }
        (identity, generation, next) = (numbers[1], numbers[2], numbers[3])
        for index in stride(from: 4, to: numbers.count - 1, by: 3) {
            parts.append(Part(number: numbers[index], size: numbers[index + 1], sum: numbers[index + 2]))
        }
    }

    var bytes: [UInt8] {
        let numbers =
            [IndexManifest.magic, identity, generation, next] + parts.flatMap { [$0.number, $0.size, $0.sum] }
        var bytes: [UInt8] = []
        for number in numbers { withUnsafeBytes(of: number) { bytes += $0 } }
        let sum = UInt64(bytes.withUnsafeBytes { BlockSum.of($0) })
        withUnsafeBytes(of: sum) { bytes += $0 }
        return bytes
    }
}
