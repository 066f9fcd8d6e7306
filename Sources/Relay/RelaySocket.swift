package import Glibc

/// The address at which the helper of an archive listens.
///
/// Its name comes from the archive and not from the account, so that a copy of an archive has no helper, which would
/// write into the original. Its path is short, because the address of a socket has some 100 bytes at most.
package enum RelaySocket {
    /// The longest path that every system accepts, in bytes.
    package static let longestPath = 103

    /// - Parameters:
    ///   - runtime: the folder for files that are not needed after the processes have ended (`Folders.runtime`).
    ///   - archive: the real path of the archive, without a slash at its end.
    /// - Returns: the folder, which only its owner can use, and the path of the socket in it.
    package static func place(runtime: String, archive: String) -> (folder: String, path: String) {
        let folder = runtime + "/matrix"
        return (folder, folder + "/" + name(archive))
    }

    /// True if the folder of a socket belongs to this user and is closed to all others, who could put a socket of their own into
    /// it.
    package static func isPrivate(folderOf path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/") else { return false }
        var status = stat()
        return lstat(String(path[..<slash]), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    /// True if a process of this user is at the other end of a connection.
    package static func isOwn(_ descriptor: CInt) -> Bool {
        // As `struct ucred`, which Swift does not know: process, user, group.
        var peer: (pid_t, uid_t, gid_t) = (0, uid_t.max, gid_t.max)
        let whole = socklen_t(MemoryLayout.size(ofValue: peer))
        var length = whole
        let code = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length)
        return code == 0 && length == whole && peer.1 == geteuid()
    }

    /// A connection to the helper that listens at a path.
    /// - Parameter patience: the longest wait for a write or for a busy helper, in seconds.
    /// - Returns: nil unless a process of this user listens there, in a folder that is closed to others.
    package static func connected(to path: String, patience: Int = 2) -> CInt? {
        guard isPrivate(folderOf: path) else { return nil }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard withAddress(path, { connect(descriptor, $0, $1) }) == 0, isOwn(descriptor) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Calls `body` with the socket address of a path; nil if the path is too long.
    package static func withAddress<Value>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value? {
        guard path.utf8.count <= longestPath else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }

    /// FNV-1a, 64 bits: the same in all versions of both programs.
    private static func name(_ archive: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in archive.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Splits the bytes of a connection into lines.
package struct RelayLines: Sendable {
    /// In bytes: the other side sends nothing longer.
    package static let longest = 1 << 20

    private var rest: [UInt8] = []

    package init() {}

    /// Takes the next bytes.
    /// - Parameter body: called with each line that they complete, without its line feed. Empty lines are left out.
    /// - Throws: for a line that is longer than this protocol allows: close the connection.
    package mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(RelayError) {
        var left = bytes
        while let end = left.firstIndex(of: 0x0A) {
            try add(UnsafeRawBufferPointer(rebasing: left[..<end]))
            if !rest.isEmpty { rest.withUnsafeBytes(body) }
            rest.removeAll(keepingCapacity: rest.capacity < 64 << 10)
            left = UnsafeRawBufferPointer(rebasing: left[(end + 1)...])
        }
        try add(left)
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) throws(RelayError) {
        guard bytes.count <= RelayLines.longest - rest.count else { throw RelayError("the line is too long") }
        rest += bytes
    }
}
