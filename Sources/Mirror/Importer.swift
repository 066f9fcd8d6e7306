internal import Formats
import Glibc
internal import Locks
package import Messages

/// Copies an export into an archive of Kedge's own, in which people go on writing.
///
/// Records that the archive holds already stay as they are: a second import adds only the new ones. An import that was cut
/// off goes on where it was.
package struct Importer {
    /// The result of an import.
    package struct Summary: Sendable {
        package var conversations = 0
        /// Records that were added.
        package var added = 0
        /// Records that were there.
        package var known = 0
        /// Attached files that were copied.
        package var files = 0
        /// Attached files that the export names and does not hold.
        package var missingFiles = 0
    }

    private let store: MirroredStore
    private let destination: String
    private let me: PersonID?

    /// - Parameters:
    ///   - store: the export.
    ///   - destination: a folder that is an archive or does not exist.
    ///   - me: who the reader is in a new archive; nil for the person whom the export names, if it names one.
    package init(_ store: MirroredStore, to destination: String, me: PersonID? = nil) {
        (self.store, self.me) = (store, me)
        self.destination = destination
    }

    /// Brings everything into the archive.
    /// - Parameter progress: called with bytes of the mirror.
    /// - Throws: `unreadable` for a destination that is something else; `unavailable` without room.
    package func run(progress: (_ done: Int64, _ total: Int64) -> Void) throws(StoreError) -> Summary {
        let mirror = MirrorFiles(root: store.folder)
        try prepare(from: mirror)
        let ids = MirrorFiles.names(in: mirror.conversations).sorted()
        let total = ids.reduce(Int64(0)) {
            $0 + MirrorFiles.segments(in: mirror.folder(of: $1)).reduce(0) { $0 + $1.size }
        }
        var (summary, done) = (Summary(conversations: ids.count), Int64(0))
        for id in ids {
            let target = destination + "/conversations/" + id
            try MirrorFiles.make(folder: target, isPrivate: false)
            if access(target + "/conversation.json", F_OK) != 0,
                let text = MirrorFiles.text(mirror.folder(of: id) + "/conversation.json")
            {
                try MirrorFiles.replace(target + "/conversation.json", by: text)
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

    /// Makes the archive, or makes sure that there is one.
    private func prepare(from mirror: MirrorFiles) throws(StoreError) {
        let label = destination + "/archive.json"
        if access(label, F_OK) != 0 {
            guard MirrorFiles.names(in: destination).isEmpty else {
                throw .unreadable("\(destination): has files and is no archive; name an archive or a new folder")
            }
            try MirrorFiles.make(folder: destination + "/conversations", isPrivate: false)
            guard let text = MirrorFiles.text(mirror.label) else { throw MirrorFiles.error(EIO, mirror.label) }
            try MirrorFiles.replace(label, by: ImportTarget.label(text, source: store.source, me: me))
        }
        var people = PeopleFile(destination + "/people.json")
        try people.add(PeopleFile(of: mirror).all, isNewest: false)
        if access(destination + "/people.json", F_OK) != 0 { try people.write() }
    }
}

/// The state of the folder that an import is to write to.
package enum ImportTarget: Equatable, Sendable {
    /// No archive. The folder may exist.
    case new
    /// An archive, the path of the export that it was made of, nil for one that was not made by an import, and the ID of the
    /// person who reads and writes in it.
    case archive(source: String?, me: String?)
    /// The archive of an account, which its server alone fills.
    case account

    package init(_ folder: String) {
        let label = folder + "/archive.json"
        guard access(label, F_OK) == 0 else {
            self = .new
            return
        }
        let tree = JSONTree()
        self = Array((MirrorFiles.text(label) ?? "").utf8).withUnsafeBytes { bytes in
            guard let fields = tree.parse(bytes) else { return .archive(source: nil, me: nil) }
            if fields["server"]?.string != nil { return .account }
            return .archive(source: fields["source"]?.string, me: fields["me"]?.string)
        }
    }

    /// The label of an archive that is made of an export.
    /// - Parameters:
    ///   - label: that of the mirror, an object with fields.
    ///   - me: who the reader is; nil for the person of the label, if it names one.
    static func label(_ label: String, source: String, me: PersonID?) -> String {
        var label = label
        let tree = JSONTree()
        let known = Array(label.utf8).withUnsafeBytes { tree.parse($0)?["me"]?.string }
        if let me, let known, let field = label.firstRange(of: "\"me\":\(JSONString.text(known))") {
            label.replaceSubrange(field, with: "\"me\":\(JSONString.text(me.rawValue))")
        }
        guard let end = label.lastIndex(of: "}") else { return label }
        let added = known == nil ? me.map { ",\"me\":\(JSONString.text($0.rawValue))" } ?? "" : ""
        return "\(label[..<end])\(added),\"source\":\(JSONString.text(source))}\n"
    }
}

/// Appends records to a conversation of an archive, except those that it holds. Holds the lock of the conversation, so that
/// nobody else writes meanwhile.
final class ConversationCopy {
    private let folder: String
    private let descriptor: CInt
    /// Stand for the IDs of all records in the conversation.
    private var ids: Set<UInt64> = []
    private var lines: [UInt8] = []
    private var segment: (path: String, size: Int64)
    private let tree = JSONTree()
    private(set) var added = 0
    private(set) var known = 0
    /// The files that the records name.
    private(set) var paths: Set<String> = []

    /// A new segment begins past so many bytes.
    private static let longest: Int64 = 8 << 20
    private static let chunk = 4 << 20

    /// - Throws: `unavailable` if another process holds the lock too long.
    init(into folder: String) throws(StoreError) {
        self.folder = folder
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw MirrorFiles.error(errno, folder) }
        self.descriptor = descriptor
        segment = (folder + "/messages-000001.jsonl", 0)
        do {
            try FileLock.take(descriptor, LockPatience(limit: .seconds(60)))
        } catch {
            close(descriptor)
            throw .unavailable("\(folder): another process writes into it; end that process")
        }
        let segments = MirrorFiles.segments(in: folder)
        if let last = segments.last { segment = last }
        for segment in segments { try forEachLine(segment.path, segment.size) { _, _, id in ids.insert(id) } }
        try endLastLine()
    }

    deinit { close(descriptor) }

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

    /// Writes what is left, and waits until it is on the disk.
    func finish() throws(StoreError) {
        try flush()
        let file = open(segment.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return }
        defer { close(file) }
        guard fsync(file) == 0, fsync(descriptor) == 0 else { throw MirrorFiles.error(errno, segment.path) }
    }

    private func flush() throws(StoreError) {
        guard !lines.isEmpty else { return }
        if segment.size >= ConversationCopy.longest { try begin() }
        if segment.size == 0, access(segment.path, F_OK) != 0 {
            var file = try UnnamedFile(segment.path + ".new")
            try file.finish(as: segment.path)
        }
        segment.size = try UnnamedFile.append(lines, to: segment.path, of: segment.size)
        lines.removeAll(keepingCapacity: true)
    }

    /// Begins a new segment after the last one.
    private func begin() throws(StoreError) {
        let name = segment.path.dropFirst(folder.utf8.count + 1)
        let digits = name.dropFirst("messages-".count).dropLast(".jsonl".count)
        guard let number = Int(digits) else { throw MirrorFiles.error(EEXIST, segment.path) }
        let next = String(number + 1)
        let zeros = String(repeating: "0", count: max(0, digits.count - next.count))
        segment = (folder + "/messages-" + zeros + next + ".jsonl", 0)
    }

    /// A last line without its line feed gets it, as before every append.
    private func endLastLine() throws(StoreError) {
        guard segment.size > 0 else { return }
        var reader = RunReader(segment.path)
        guard try reader.read(at: segment.size - 1, count: 1) != [0x0A] else { return }
        segment.size = try UnnamedFile.append([0x0A], to: segment.path, of: segment.size)
    }

    /// Calls `body` with each line of a file, its record, and what stands for its ID. Lines that are no records are passed over.
    private func forEachLine(
        _ path: String, _ size: Int64, progress: (Int64) -> Void = { _ in },
        _ body: (UnsafeRawBufferPointer, JSONValue, UInt64) -> Void, after: () throws(StoreError) -> Void = {}
    ) throws(StoreError) {
        var reader = RunReader(path)
        var (offset, rest) = (Int64(0), [UInt8]())
        while offset < size {
            let count = Int(min(Int64(ConversationCopy.chunk), size - offset))
            rest += try reader.read(at: offset, count: count)
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
