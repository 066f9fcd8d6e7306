internal import Formats
import Glibc
internal import Locks
internal import Messages

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
