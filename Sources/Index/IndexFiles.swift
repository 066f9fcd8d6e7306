internal import Files
import Glibc
internal import Synchronization

/// The files of an index: parts and files of words, which never change, and a manifest, which names those of the current generation and
/// is replaced as a whole. A reader needs no lock. One process at a time may write; its caller holds the lock. Of its threads one may
/// write parts and another one words.
package struct IndexFiles: Sendable {
    /// The folder. No other name in it begins with `part-` or `words`, and none is `manifest`.
    package let folder: String

    package init(_ folder: String) { self.folder = folder }

    package var manifest: String { folder + "/manifest" }
    func part(_ number: UInt64) -> String { "\(folder)/part-\(number)" }
    package func words(_ number: UInt64) -> String { "\(folder)/words-\(number)" }

    /// The names of the files of a generation.
    private func names(_ manifest: IndexManifest?) -> Set<String> {
        guard let manifest else { return [] }
        return Set(manifest.parts.map { part($0.number) } + manifest.words.map { words($0.number) })
    }

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
                        parts.append(Part(try FileBytes(mapping: self.part(part.number), part)))
                    }
                }
                return (manifest, parts)
            } catch {
                manifest = try next(after: manifest, error)
            }
        }
    }

    /// The manifest; nil if there is none.
    package func readManifest() throws(IndexFault) -> IndexManifest? {
        let descriptor = Glibc.open(manifest, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        // Without a folder that may be read there is no index either.
        if descriptor < 0, [ENOENT, ENOTDIR, EACCES].contains(errno) { return nil }
        guard descriptor >= 0 else { throw .opening(manifest, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= IndexManifest.largest
        else { throw .damaged(file: manifest, reason: "it is not a file, or it is too large") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw .system(file: manifest, code: errno) }
        if IndexManifest.isFormer(bytes) { return nil }
        guard let found = IndexManifest(bytes[..<count]) else {
            throw .damaged(file: manifest, reason: "it is damaged, or of another version")
        }
        return found
    }

    /// Compares all files of the current generation with their checksums.
    package func check() throws(IndexFault) {
        guard var manifest = try readManifest() else { return }
        while true {
            do throws(IndexFault) {
                for file in manifest.parts { try FileBytes(mapping: part(file.number), file).checkAll() }
                for file in manifest.words { try FileBytes(mapping: words(file.number), file).checkAll() }
                return
            } catch {
                manifest = try next(after: manifest, error)
            }
        }
    }

    /// The manifest that has replaced one whose files could not be opened.
    /// - Throws: `error` unless a file was missing; `damaged` if none has replaced it.
    private func next(after known: IndexManifest, _ error: IndexFault) throws(IndexFault) -> IndexManifest {
        guard case .system(_, ENOENT) = error else { throw error }
        guard let newer = try readManifest(), newer != known else {
            throw .damaged(file: manifest, reason: "it names a file that is missing")
        }
        return newer
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
        let found = try manifest(of: identity)
        let part = builder.part()
        let (manifest, known) = try open(found ?? IndexManifest())
        var (kept, size) = (known.count, part.bytes.whole.count)
        while isMerging, kept > 0, Int(manifest.parts[kept - 1].size) < IndexFiles.growth * size {
            kept -= 1
            size += Int(manifest.parts[kept].size)
        }
        let file = try NewFile(self.part(manifest.next), number: manifest.next)
        let new: IndexFile
        if kept == known.count {
            new = try file.finish(part.bytes)
        } else {
            new = try merge(known[kept...] + [part], isOldest: kept == 0, to: file)
        }
        try change(from: found) { $0.parts = manifest.parts[..<kept] + [new] }
    }

    /// Makes all parts one: it drops what was removed, and makes questions as fast as they can be.
    /// - Parameter identity: see `commit`.
    package func merge(of identity: UInt64? = nil) throws(IndexFault) {
        guard let manifest = try manifest(of: identity), manifest.parts.count > 1 else { return }
        let file = try NewFile(part(manifest.next), number: manifest.next)
        let new = try merge(try open(manifest).parts, isOldest: true, to: file)
        try change(from: manifest) { $0.parts = [new] }
    }

    private func merge(_ parts: [Part], isOldest: Bool, to file: NewFile) throws(IndexFault) -> IndexFile {
        var merge = try PartMerge(parts, isOldest: isOldest)
        return try merge.write(to: file)
    }

    /// Makes a generation with other words.
    /// - Parameters:
    ///   - words: all files of words, from the oldest to the newest.
    ///   - identity: that of the index to which the words belong.
    package func commit(words: [IndexFile], to identity: UInt64) throws(IndexFault) {
        try change(from: try manifest(of: identity)) { $0.words = words }
    }

    /// The cache may be deleted at any time, and another process may build an index in its place: nothing of this one belongs to that.
    private func manifest(of identity: UInt64?) throws(IndexFault) -> IndexManifest? {
        let found = try readManifest()
        if let identity, identity != found?.identity ?? 0 { throw .system(file: manifest, code: ESTALE) }
        return found
    }

    /// The threads of one process replace a manifest one after the other.
    private static let changes = Mutex(())

    /// Makes the next generation, and removes the files that it does not name. If that fails, removes the new ones.
    /// - Parameter base: a generation of the index to which the files belong; nil for a new index.
    private func change(from base: IndexManifest?, _ body: (inout IndexManifest) -> Void) throws(IndexFault) {
        do throws(IndexFault) {
            try IndexFiles.changes.withLock { (_) throws(IndexFault) in
                let found = try manifest(of: base?.identity ?? 0)
                var next = found ?? IndexManifest()
                body(&next)
                next.next = max(next.next, ((next.parts + next.words).map(\.number).max() ?? 0) + 1)
                next.generation += 1
                let file = try NewFile(manifest)
                try FileOutput(file).write(all: next.bytes)
                try file.name()
                // Readers that have them open keep them.
                for name in names(found).subtracting(names(next)) { unlink(name) }
            }
        } catch {
            var lost = base ?? IndexManifest()
            body(&lost)
            for name in names(lost).subtracting(names(base)) { unlink(name) }
            throw error
        }
    }

    /// A part is at least as many times as large as the next one.
    private static let growth = 4

    /// Replaces the index by that of another folder. Readers that have the old one open keep it.
    package func take(_ other: IndexFiles) throws(IndexFault) {
        guard let manifest = try other.readManifest() else { return }
        // The numbers of two indexes differ, since each begins with a random one.
        for name in other.names(manifest) { try NewFile.rename(name, folder + name.dropFirst(other.folder.count)) }
        try NewFile.rename(other.manifest, self.manifest)
        try removeStrays()
    }

    /// Removes the files that no manifest names, which a killed writer or an earlier version of Kedge has left.
    package func removeStrays() throws(IndexFault) { removeFiles(besides: names(try readManifest())) }

    /// Removes the index.
    package func removeAll() {
        Disk.remove(manifest)
        removeFiles(besides: [])
    }

    private func removeFiles(besides wanted: Set<String>) {
        try? Disk.forEachEntry(of: folder) { entry in
            let (name, path) = (entry.name, folder + "/" + entry.name)
            let isOurs = name.hasPrefix("part-") || name.hasPrefix("words") || name == "manifest.new"
            // A folder with such a name is removed, too.
            if isOurs, !wanted.contains(path) { Disk.remove(path) }
            return true
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
        let new = try IndexSnapshot(
            opened.parts, identity: opened.manifest.identity, words: opened.manifest.words)
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
        return try IndexSnapshot(base.parts + [copy.part()], identity: base.identity)
    }

    /// Makes the next generation.
    /// - Parameter isMerging: see `IndexFiles.commit`.
    package func commit(isMerging: Bool) throws(IndexFault) {
        if part.isEmpty { return }
        // The part is wrong if a file was cut while its values were read.
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
