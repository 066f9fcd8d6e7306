internal import ArchiveFormat
internal import Files
internal import Formats
import Glibc
internal import Messages

/// The files of one mirror: a native archive, the states of its conversations, and a lock.
///
///     mirror/archive.json  people.json  conversations/ID/…     the native archive
///     mirror/state/source                                      the source of the mirror
///     mirror/state/people                                      the checksum of people.json
///     mirror/state/ID                                          the progress of a conversation
///     mirror/lock
struct MirrorFiles {
    let root: String
    /// True to make conversations next to those in use, which they replace when they are complete.
    var isAside = false

    private var paths: ArchivePaths { ArchivePaths(root) }

    var source: String { root + "/state/source" }
    var people: String { paths.people }
    var peopleSum: String { root + "/state/people" }
    var label: String { paths.label }
    var lock: String { root + "/lock" }
    var conversations: String { paths.conversations }

    func state(of id: String) -> String { root + (isAside ? "/state/aside-" : "/state/c-") + id }
    func folder(of id: String) -> String { isAside ? root + "/state/aside" : paths.folder(of: id) }
    func segment(_ number: Int, of id: String) -> String { folder(of: id) + "/" + SegmentFile.name(Int64(number)) }
    func description(of id: String) -> String { ArchivePaths.description(in: folder(of: id)) }

    /// Nil if there is none that is whole.
    var header: MirrorHeader? { MirrorFiles.text(source).flatMap(MirrorHeader.init(text:)) }

    /// The conversation of an export that holds only one; nil for others.
    var onlyConversation: ConversationID? {
        var names: [String] = []
        // The second name is enough: there may be thousands.
        let isRead: Void? = try? Disk.forEachEntry(of: conversations) { entry in
            if !entry.isHidden { names.append(entry.name) }
            return names.count < 2
        }
        return isRead != nil && names.count == 1 ? names.first.map { ConversationID($0) } : nil
    }

    /// Makes the folders, readable only by their owner.
    func make() throws(StoreError) {
        for folder in [root, root + "/state", conversations] { try MirrorFiles.make(folder: folder) }
    }

    /// Makes a folder and those above it.
    /// - Parameters:
    ///   - folder: an absolute path.
    ///   - isPrivate: true for a folder of a mirror: an existing one is made private too, and anything else is replaced.
    static func make(folder: String, isPrivate: Bool = true) throws(StoreError) {
        // `unlink` leaves folders.
        if isPrivate, (try? Disk.existing(folder))?.isFolder != true { unlink(folder) }
        do throws(FileError) {
            try Disk.makeFolder(folder, isPrivate: isPrivate)
        } catch {
            throw isPrivate ? self.error(error) : destinationError(error)
        }
    }

    /// The longest step takes about a second, but a stopped process must not block the others for ever.
    private static let patience = LockPatience(limit: .seconds(60), stopped: .seconds(5))

    /// Runs a step that changes the mirror, alone among all processes.
    /// - Throws: `unavailable` if another process holds the lock too long, and the errors of `body`.
    func locked<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        MirrorFiles.clear(lock)
        let held: OpenFile
        do throws(FileError) { held = try OpenFile.locked(lock, MirrorFiles.patience) } catch {
            if case .held = error.cause { throw .unavailable(error.description) }
            throw MirrorFiles.error(error)
        }
        return try withExtendedLifetime(held) { () throws(StoreError) in try body() }
    }

    /// Removes the states of all conversations, so that all are made again.
    func removeStates() {
        for name in MirrorFiles.names(in: root + "/state") where name.hasPrefix("c-") {
            Disk.remove(root + "/state/" + name)
        }
    }

    /// The text of a small file; nil if there is none.
    static func text(_ path: String) -> String? {
        (try? Disk.read(path, limit: .max)).flatMap(\.self).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in a folder, without hidden ones, in no particular order.
    static func names(in folder: String) -> [String] {
        ((try? Disk.entries(of: folder)) ?? []).filter { !$0.isHidden }.map(\.name)
    }

    /// The segments of a folder, oldest first.
    static func segments(in folder: String) -> [(path: String, size: Int64)] {
        names(in: folder).filter(SegmentFile.isSegment).sorted()
            .map { (folder + "/" + $0, size(folder + "/" + $0) ?? 0) }
    }

    /// The size of a regular file; nil if there is none.
    static func size(_ path: String) -> Int64? {
        (try? Disk.existing(path, follows: false)).flatMap { $0.isFile ? $0.size : nil }
    }

    /// Removes a folder, a link or the like in the place of a file of a mirror: all that is in the cache is Kedge's own.
    static func clear(_ path: String) {
        if let status = try? Disk.status(path, follows: false), !status.isFile { Disk.remove(path) }
    }

    /// Replaces a whole file: readers see the old one or the new one.
    /// - Parameter isOwn: true for a file of a mirror. Elsewhere, a folder in its place is an error.
    static func replace(_ path: String, by text: String, isOwn: Bool = true) throws(StoreError) {
        if isOwn { clear(path) }
        // Not synced: after a power failure, it is made again.
        try writing { () throws(FileError) in try Disk.replace(path, with: Array(text.utf8), isSynced: false) }
    }

    static func rename(_ path: String, _ name: String) throws(StoreError) {
        clear(name)
        try writing { () throws(FileError) in try Disk.rename(path, to: name) }
    }

    /// Appends whole lines to a file of a known size; what follows that size is cut off first.
    /// - Returns: the new size in bytes.
    @discardableResult
    static func append(_ bytes: [UInt8], to path: String, of size: Int64) throws(StoreError) -> Int64 {
        try writing { () throws(FileError) in
            let file = try OpenFile(appendingTo: path)
            let now = try file.status().size
            guard now >= size else { throw FileError(.read, path, .shorter) }
            if now > size { try file.cut(to: size) }
            try file.append(bytes, isSynced: false)
        }
        return size + Int64(bytes.count)
    }

    /// Opens a file of records.
    static func reader(_ path: String) throws(StoreError) -> OpenFile {
        do throws(FileError) { return try OpenFile(reading: path) } catch { throw self.error(error) }
    }

    /// - Throws: `unavailable` unless all bytes are there.
    static func bytes(of file: borrowing OpenFile, at offset: Int64, count: Int) throws(StoreError) -> [UInt8] {
        do throws(FileError) {
            let bytes = try file.bytes(at: offset, count: count)
            if bytes.count == count { return bytes }
            throw FileError(.read, file.path, .shorter)
        } catch {
            throw self.error(error)
        }
    }

    // MARK: - Errors

    /// Runs something that reads or writes the files of a mirror.
    static func writing<Result>(_ body: () throws(FileError) -> Result) throws(StoreError) -> Result {
        do throws(FileError) { return try body() } catch { throw self.error(error) }
    }

    /// The error for a folder that the user chose.
    private static func destinationError(_ error: FileError) -> StoreError {
        .unavailable("\(error.path): cannot be written (\(error.reason)); name another folder")
    }

    /// One line for people: the path, the cause, a remedy.
    static func error(_ error: FileError) -> StoreError {
        switch error.code {
        case ENOSPC, EDQUOT, EFBIG:
            .unavailable("no disk space for the copy of this export (\(error.reason)); free some: \(error.path)")
        default:
            .unavailable(
                "cannot write the copy of this export (\(error.reason)); set XDG_CACHE_HOME to another folder: "
                    + error.path)
        }
    }
}

/// A file of records that is being written, with the checksum of its bytes. It gets its name when it is complete.
struct RecordFile: ~Copyable {
    private var file: UnnamedFile
    private var print = Fingerprint()
    /// The size in bytes.
    var size: Int64 { file.size }
    /// The checksum of its bytes.
    var sum: UInt64 { print.value }

    init(_ path: String) throws(StoreError) {
        MirrorFiles.clear(path)
        do throws(FileError) { file = try UnnamedFile(path) } catch { throw MirrorFiles.error(error) }
    }

    mutating func append(_ bytes: [UInt8]) throws(StoreError) {
        do throws(FileError) { try file.append(bytes) } catch { throw MirrorFiles.error(error) }
        print.add(bytes)
    }

    mutating func finish(as name: String) throws(StoreError) {
        do throws(FileError) { try file.finish(as: name) } catch { throw MirrorFiles.error(error) }
    }
}
