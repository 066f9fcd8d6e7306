internal import ArchiveFormat
internal import Files
internal import Formats
import Glibc
internal import JSON
package import Messages

/// Copies an export into a native archive, in which people can write.
///
/// Records that the archive already contains are unchanged: a second import adds only the new ones. An interrupted import
/// continues where it stopped.
package struct Importer {
    /// The result of an import.
    package struct Summary: Sendable {
        package var conversations = 0
        /// The number of added records.
        package var added = 0
        /// The number of records that the archive already contained.
        package var known = 0
        /// The number of copied attachments.
        package var files = 0
        /// The number of attachments that the export does not contain.
        package var missingFiles = 0
    }

    private let store: MirroredStore
    private let destination: String
    private var paths: ArchivePaths { ArchivePaths(destination) }
    private let me: PersonID?

    /// - Parameters:
    ///   - store: the export.
    ///   - destination: a folder that is an archive or does not exist.
    ///   - me: the ID of the reader in a new archive; nil for the person named by the export, if there is one.
    package init(_ store: MirroredStore, to destination: String, me: PersonID? = nil) {
        (self.store, self.me) = (store, me)
        self.destination = destination
    }

    /// Copies everything into the archive.
    /// - Parameter progress: called with bytes of the mirror.
    /// - Throws: `unreadable` if the destination is something else; `unavailable` if the disk is full.
    package func run(progress: (_ done: Int64, _ total: Int64) -> Void) throws(StoreError) -> Summary {
        let mirror = MirrorFiles(root: store.folder)
        try prepare(from: mirror)
        let ids = MirrorFiles.names(in: mirror.conversations).sorted()
        let total = ids.reduce(Int64(0)) {
            $0 + MirrorFiles.segments(in: mirror.folder(of: $1)).reduce(0) { $0 + $1.size }
        }
        var (summary, done) = (Summary(conversations: ids.count), Int64(0))
        for id in ids {
            let target = paths.folder(of: id)
            try MirrorFiles.make(folder: target, isPrivate: false)
            let description = paths.description(of: id)
            if !Disk.exists(description), let text = MirrorFiles.text(mirror.description(of: id)) {
                try MirrorFiles.replace(description, by: text)
            }
            let copy = try ConversationCopy(into: target)
            for segment in MirrorFiles.segments(in: mirror.folder(of: id)) {
                try copy.add(segment.path, size: segment.size) { progress(done + $0, total) }
                done += segment.size
            }
            try copy.finish()
            summary.added += copy.added
            summary.known += copy.known
            let files = try store.copy(copy.paths, to: destination)
            summary.files += files.copied
            summary.missingFiles += files.missing
        }
        return summary
    }

    /// Makes the archive, or checks that it exists.
    private func prepare(from mirror: MirrorFiles) throws(StoreError) {
        if !Disk.exists(paths.label) {
            guard MirrorFiles.names(in: destination).isEmpty else {
                throw .unreadable("\(destination): has files but is not an archive; name an archive or a new folder")
            }
            try MirrorFiles.make(folder: paths.conversations, isPrivate: false)
            guard var label = ArchiveLabel(at: mirror.label) else {
                throw MirrorFiles.error(FileError(.read, mirror.label, code: EIO))
            }
            (label.me, label.source) = (me?.rawValue ?? label.me, store.source)
            try MirrorFiles.replace(paths.label, by: label.json.text + "\n")
        }
        var people = PeopleFile(paths.people)
        try people.add(PeopleFile(of: mirror).all, isNewest: false)
        if !Disk.exists(paths.people) { try people.write() }
    }
}

/// The state of the folder that an import is to write to.
package enum ImportTarget: Equatable, Sendable {
    /// No archive. The folder may exist.
    case new
    /// An archive: the path of the export from which it was imported, or nil, and the ID of the person who uses it.
    case archive(source: String?, me: String?)
    /// The archive of an account, to which only its server adds messages.
    case account

    package init(_ folder: String) {
        let path = ArchivePaths(folder).label
        let label = ArchiveLabel(at: path)
        self =
            !Disk.exists(path) ? .new : label?.server != nil ? .account : .archive(source: label?.source, me: label?.me)
    }
}

extension ArchiveLabel {
    /// Nil without a file, and for one that is no label.
    fileprivate init?(at path: String) {
        let text = Array((MirrorFiles.text(path) ?? "").utf8)
        guard let label = text.withUnsafeBytes({ try? ArchiveLabel(file: $0) }) else { return nil }
        self = label
    }
}

/// Appends records to a conversation of an archive, except for those that it contains. Holds the lock of the conversation, so
/// that nobody else can write at the same time.
final class ConversationCopy {
    private let folder: String
    private let lock: OpenFile
    /// Hashes of the IDs of all records in the conversation.
    private var ids: Set<UInt64> = []
    private var lines: [UInt8] = []
    private var segment: (path: String, size: Int64)
    private let tree = JSONTree()
    private(set) var added = 0
    private(set) var known = 0
    /// The files that the records name.
    private(set) var paths: Set<String> = []

    private static let chunk = 4 << 20

    /// - Throws: `unavailable` if another process holds the lock too long.
    init(into folder: String) throws(StoreError) {
        self.folder = folder
        segment = (folder + "/" + SegmentFile.first, 0)
        do throws(FileError) {
            lock = try OpenFile(folder: folder, follows: false)
            try lock.lock(LockPatience(limit: .seconds(60)))
        } catch {
            guard case .held = error.cause else { throw MirrorFiles.error(error) }
            throw .unavailable("\(folder): another process is writing to it; end that process")
        }
        let segments = MirrorFiles.segments(in: folder)
        if let last = segments.last { segment = last }
        for segment in segments { try forEachLine(segment.path, segment.size) { _, _, id in ids.insert(id) } }
        try endLastLine()
    }

    /// Adds the records of a segment that are new.
    /// - Parameter progress: called with bytes of the segment.
    func add(_ path: String, size: Int64, progress: (Int64) -> Void) throws(StoreError) {
        try forEachLine(path, size, progress: progress) { line, record, id in
            for attachment in record["attachments"]?.elements.lazy.compactMap({ $0["path"]?.string }) ?? [] {
                paths.insert(attachment)
            }
            guard ids.insert(id).inserted else {
                known += 1
                return
            }
            lines += line
            lines.append(0x0A)
            added += 1
        } after: { () throws(StoreError) in
            if lines.count > ConversationCopy.chunk { try flush() }
        }
    }

    /// Writes the rest, and waits until all of it is on the disk.
    func finish() throws(StoreError) {
        try flush()
        guard let file = try? OpenFile(appendingTo: segment.path) else { return }
        try MirrorFiles.writing { () throws(FileError) in
            try file.sync()
            try lock.syncNames()
        }
    }

    private func flush() throws(StoreError) {
        guard !lines.isEmpty else { return }
        if segment.size >= SegmentFile.full { try begin() }
        if segment.size == 0, !Disk.exists(segment.path) {
            try MirrorFiles.replace(segment.path, by: "")
        }
        segment.size = try MirrorFiles.append(lines, to: segment.path, of: segment.size)
        lines.removeAll(keepingCapacity: true)
    }

    /// Begins a new segment after the last one.
    private func begin() throws(StoreError) {
        guard let name = SegmentFile.name(after: String(segment.path.dropFirst(folder.utf8.count + 1))) else {
            throw MirrorFiles.error(FileError(.write, segment.path, code: EEXIST))
        }
        segment = (folder + "/" + name, 0)
    }

    /// Adds a missing line feed to the last line, as before every append.
    private func endLastLine() throws(StoreError) {
        guard segment.size > 0 else { return }
        let last = try MirrorFiles.bytes(of: MirrorFiles.reader(segment.path), at: segment.size - 1, count: 1)
        guard last != [0x0A] else { return }
        segment.size = try MirrorFiles.append([0x0A], to: segment.path, of: segment.size)
    }

    /// Calls `body` with each line of a file, its record, and a hash of its ID. Lines that are not records are skipped.
    private func forEachLine(
        _ path: String, _ size: Int64, progress: (Int64) -> Void = { _ in },
        _ body: (UnsafeRawBufferPointer, JSONValue, UInt64) -> Void, after: () throws(StoreError) -> Void = {}
    ) throws(StoreError) {
        guard size > 0 else { return }
        let reader = try MirrorFiles.reader(path)
        var (offset, rest) = (Int64(0), [UInt8]())
        while offset < size {
            let count = Int(min(Int64(ConversationCopy.chunk), size - offset))
            rest += try MirrorFiles.bytes(of: reader, at: offset, count: count)
            offset += Int64(count)
            let end = (rest.lastIndex(of: 0x0A) ?? -1) + 1
            rest.withUnsafeBytes { bytes in
                for line in UnsafeRawBufferPointer(rebasing: bytes[..<end]).split(separator: 0x0A) {
                    let line = UnsafeRawBufferPointer(rebasing: line)
                    guard let record = tree.parse(line), let id = record["id"]?.bytes else { continue }
                    var print = Fingerprint()
                    print.add(id)
                    body(line, record, print.value)
                }
            }
            rest.removeFirst(end)
            try after()
            progress(offset)
        }
    }
}
