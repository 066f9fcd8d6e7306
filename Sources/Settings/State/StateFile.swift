import Glibc
internal import Locks

/// A small file in the state folder that several processes share. It can be read at any time, because it is only
/// replaced as a whole, by a process that holds the lock. A device, a pipe or a folder in its place is not read.
struct StateFile: Sendable {
    /// Nil without a home.
    let folder: String?
    let name: String
    /// In bytes; a longer file is not read. Drafts may be as long as the messages that they become.
    var largest: Int64 = 256 << 20
    /// How long to wait for another process that holds the lock.
    var patience = Duration.seconds(2)

    var path: String { (folder ?? "") + "/" + name }

    /// The bytes of the file; nil when there is none.
    func read() throws(StateError) -> [UInt8]? { try read(closing: false) }

    /// The bytes of a file that no other user can have written; from now on no other user can read it. Nil when there
    /// is none. Otherwise another user could put words into this user's mouth.
    func readOwn() throws(StateError) -> [UInt8]? {
        guard let folder else { return nil }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return try read(closing: true) }
        defer { close(descriptor) }
        try closeToOthers(descriptor, folder, 0o700)
        return try read(closing: true)
    }

    /// - Parameter isClosing: whether to make the file private.
    private func read(closing isClosing: Bool) throws(StateError) -> [UInt8]? {
        guard folder != nil else { return nil }
        // Without O_NONBLOCK, this would wait for a pipe that nobody writes to.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            // A socket cannot be opened.
            throw errno == ENXIO ? .irregular(path) : .unreadable(path, errno)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .irregular(path) }
        guard status.st_size <= largest else { throw .tooLarge(path, largest) }
        if isClosing { try closeToOthers(file, path, 0o600) }
        return try bytes(of: file, expecting: Int(status.st_size))
    }

    /// All bytes of a file, up to a limit even if it grows meanwhile.
    private func bytes(of file: CInt, expecting size: Int) throws(StateError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(max(size, 1), 65_536))
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path, errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= largest else { throw .tooLarge(path, largest) }
        }
    }

    private func closeToOthers(_ descriptor: CInt, _ path: String, _ mode: mode_t) throws(StateError) {
        do throws(PrivateFolder.Failure) {
            try PrivateFolder.closeToOthers(descriptor, path, mode)
        } catch {
            throw .unreadable(path, error.code)
        }
    }

    /// Runs `body` while no other process does the same. Waits for others for two seconds at most: a process that was
    /// stopped would hold the lock for ever.
    func locked(_ body: () throws(StateError) -> Void) throws(StateError) {
        guard let folder else { throw .homeless(name) }
        do throws(PrivateFolder.Failure) {
            try PrivateFolder.make(folder)
        } catch {
            throw .unwritable(path, error.code)
        }
        // A file of its own, because the other one is replaced, and not every file system can lock a folder.
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .unwritable(path, errno) }
        defer { close(lock) }
        // The lock files of earlier versions may be open to others, who could then hold the lock.
        try? PrivateFolder.closeToOthers(lock, path, 0o600)
        try wait(for: lock, path)
        try body()
    }

    private func wait(for lock: CInt, _ path: String) throws(StateError) {
        do {
            try FileLock.take(lock, LockPatience(limit: patience))
        } catch FileLock.Failure.system(let code) {
            throw .unwritable(path, code)
        } catch FileLock.Failure.held(let holder) {
            throw .locked(path, holder: holder)
        } catch {
            throw .unwritable(path, EIO)
        }
    }

    /// Replaces the contents of the file, completely or not at all. Call this while holding the lock.
    func replace(with bytes: [UInt8]) throws(StateError) {
        let new = path + ".new"
        let file = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unwritable(path, errno) }
        try? PrivateFolder.closeToOthers(file, new, 0o600)
        let failure = StateFile.write(bytes, to: file)
        close(file)
        if let failure {
            unlink(new)
            throw .unwritable(path, failure)
        }
        guard rename(new, path) == 0 else { throw .unwritable(path, errno) }
    }

    /// Renames a damaged file to a name that is free. Call this while holding the lock.
    /// - Returns: one line for people that says so.
    func setAside() throws(StateError) -> String {
        var other = name + ".broken"
        var number = 1
        while access((folder ?? "") + "/" + other, F_OK) == 0 {
            number += 1
            other = name + ".broken-\(number)"
        }
        guard rename(path, (folder ?? "") + "/" + other) == 0 else { throw .unwritable(path, errno) }
        return "\(path) was damaged: a new one was begun, and the old one is kept as \(other)"
    }

    /// Writes the bytes to the disk. Returns the error number, or nil when all of them are there.
    private static func write(_ bytes: [UInt8], to file: CInt) -> CInt? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            rest = rest.dropFirst(count)
        }
        return fsync(file) == 0 ? nil : errno
    }
}

/// Why a file of the state folder cannot be used.
enum StateError: Error, Hashable {
    case unreadable(String, CInt)
    case unwritable(String, CInt)
    /// It is a folder, a device, a pipe or a socket.
    case irregular(String)
    /// It has more bytes than this number.
    case tooLarge(String, Int64)
    /// Another process holds the lock; nil when it is not known which.
    case locked(String, holder: LockHolder?)
    /// There is no folder for this file.
    case homeless(String)
    /// Kedge has not written its contents.
    case broken(String)
    /// A later version of Kedge has written it.
    case later(String)

    /// One line for people.
    /// - Parameters:
    ///   - unread: the consequence when it cannot be read.
    ///   - unkept: the consequence when it cannot be written.
    func text(unread: String, unkept: String) -> String {
        switch self {
        case .unreadable(let path, EPERM): "\(path) belongs to another user: \(unread)"
        case .unreadable(let path, _), .irregular(let path), .tooLarge(let path, _): "\(path) \(reason): \(unread)"
        case .unwritable(let path, EPERM): "\(path) is in a folder of another user: \(unkept)"
        case .unwritable(let path, let code): "\(path) cannot be written (\(StateError.name(code))): \(unkept)"
        case .locked(let path, let holder):
            "\(path) is locked by \(LockHolder.describe(holder)): for now, \(unkept)"
        case .homeless(let name): "there is no home for \(name) (set HOME or XDG_STATE_HOME): \(unkept)"
        case .broken(let path): "\(path) is damaged: \(unread)"
        case .later(let path): "\(path) was written by a later version of Kedge: until this one is updated, \(unkept)"
        }
    }

    /// Why a file that is only read cannot be used; without its path.
    var reason: String {
        switch self {
        case .unreadable(_, let code): "cannot be read (\(StateError.name(code)))"
        case .irregular: "is not a regular file (move it away)"
        case .tooLarge(_, let largest): "is larger than \(largest >> 20) MiB (make it smaller)"
        default: text(unread: "it is not read", unkept: "it is not written")
        }
    }

    private static func name(_ code: CInt) -> String { String(cString: strerror(code)) }
}
