internal import Formats
import Glibc
internal import Messages

/// The files of one mirror: a native archive, the states of its conversations, and a lock.
///
///     mirror/archive.json  people.json  conversations/ID/…     the native archive
///     mirror/state/source                                      of which source it is a mirror
///     mirror/state/people                                      the checksum of people.json
///     mirror/state/ID                                          how far a conversation is mirrored
///     mirror/lock
struct MirrorFiles {
    let root: String
    /// Whether conversations are made beside those that readers use, to take their place when they are whole.
    var isAside = false

    var source: String { root + "/state/source" }
    var people: String { root + "/people.json" }
    var peopleSum: String { root + "/state/people" }
    var label: String { root + "/archive.json" }
    var lock: String { root + "/lock" }
    var conversations: String { root + "/conversations" }

    func state(of id: String) -> String { root + (isAside ? "/state/aside-" : "/state/c-") + id }
    func folder(of id: String) -> String { isAside ? root + "/state/aside" : conversations + "/" + id }
    func segment(_ number: Int, of id: String) -> String {
        let digits = String(number)
        return folder(of: id) + "/messages-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            + ".jsonl"
    }

    func description(of id: String) -> String { folder(of: id) + "/conversation.json" }

    /// The conversation of an export that holds only one; nil for others.
    var onlyConversation: ConversationID? {
        let ids = MirrorFiles.names(in: conversations)
        return ids.count == 1 ? ids.first.map { ConversationID($0) } : nil
    }

    /// Makes the folders, for the owner alone.
    func make() throws(StoreError) {
        for folder in [root, root + "/state", conversations] { try MirrorFiles.make(folder: folder) }
    }

    /// Makes a folder and those above it.
    /// - Parameters:
    ///   - folder: an absolute path.
    ///   - isPrivate: whether to close a folder that exists to others.
    static func make(folder: String, isPrivate: Bool = true) throws(StoreError) {
        let failure = isPrivate ? error : destinationError
        var status = stat()
        // Most folders lack nothing but themselves.
        if stat(folder, &status) != 0, mkdir(folder, 0o700) != 0 {
            var made = ""
            for part in folder.split(separator: "/") {
                made += "/" + part
                if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, F_OK) != 0 { throw failure(errno, made) }
            }
        }
        guard stat(folder, &status) == 0 else { throw failure(errno, folder) }
        guard isPrivate else { return }
        guard status.st_uid == geteuid() else { throw error(EPERM, folder) }
        if status.st_mode & 0o077 != 0 { chmod(folder, 0o700) }
    }

    /// Forgets how far the conversations are mirrored: all are made again.
    func removeStates() {
        for name in MirrorFiles.names(in: root + "/state") where name.hasPrefix("c-") {
            MirrorFiles.remove(root + "/state/" + name)
        }
    }

    /// The text of a small file; nil if there is none.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let part = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if part.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += part
        }
    }

    /// The names in a folder, in no order, without hidden ones.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// The segments of a folder, oldest first.
    static func segments(in folder: String) -> [(path: String, size: Int64)] {
        names(in: folder).filter { $0.hasPrefix("messages-") && $0.hasSuffix(".jsonl") }.sorted()
            .map { (folder + "/" + $0, size(folder + "/" + $0) ?? 0) }
    }

    /// Deletes a file or a folder with all that it holds.
    static func remove(_ path: String) {
        guard let folder = opendir(path) else {
            unlink(path)
            return
        }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) {
                remove(path + "/" + name)
            } else {
                unlink(path + "/" + name)
            }
        }
        closedir(folder)
        rmdir(path)
    }

    /// The size of a regular file; nil if there is none.
    static func size(_ path: String) -> Int64? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// As `error`, for a folder that somebody has chosen.
    static func destinationError(_ code: CInt, _ path: String) -> StoreError {
        .unavailable("\(path): cannot be written (\(String(cString: strerror(code)))); name another folder")
    }

    /// One line for people: the path, the cause, a remedy.
    static func error(_ code: CInt, _ path: String) -> StoreError {
        let reason = String(cString: strerror(code))
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            return .unavailable("no room for the copy of this export (\(reason)); make some: \(path)")
        default:
            return .unavailable(
                "the copy of this export cannot be written (\(reason)); name another place in XDG_CACHE_HOME: \(path)")
        }
    }
}
