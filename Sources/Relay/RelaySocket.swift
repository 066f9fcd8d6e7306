internal import Glibc

/// The place where the helper of an archive listens.
///
/// It is named by the archive, and not by the account: a copy of an archive elsewhere has no helper, which would write into the
/// other one. Its path is short, because the address of a socket has some 100 bytes at most.
package enum RelaySocket {
    /// The most bytes of an address that every system takes.
    package static let longestPath = 103

    /// - Parameters:
    ///   - runtime: the folder for files that are of no use once the processes have ended (`Folders.runtime`).
    ///   - archive: the real path of the archive, without a slash at its end.
    /// - Returns: the folder, which is for its owner alone, and the path of the socket in it.
    package static func place(runtime: String, archive: String) -> (folder: String, path: String) {
        let folder = runtime + "/matrix"
        return (folder, folder + "/" + name(archive))
    }

    /// Whether the folder of a socket belongs to this user and is closed to all others, who could put a socket of their own into
    /// it.
    package static func isPrivate(folderOf path: String) -> Bool {
        guard let slash = path.lastIndex(of: "/") else { return false }
        var status = stat()
        return lstat(String(path[..<slash]), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
    }

    /// Whether a process of this user is at the other end of a connection.
    package static func isOwn(_ descriptor: CInt) -> Bool {
        // As `struct ucred`, which Swift does not know: process, user, group.
        var peer: (pid_t, uid_t, gid_t) = (0, uid_t.max, gid_t.max)
        let whole = socklen_t(MemoryLayout.size(ofValue: peer))
        var length = whole
        let code = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length)
        return code == 0 && length == whole && peer.1 == geteuid()
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
    /// In bytes: the other side of the connection sends nothing longer.
    package static let longest = 1 << 20

    /// A line is longer than all that this protocol has: the connection is to be closed.
    package struct TooLong: Error {}

    private var rest: [UInt8] = []

    package init() {}

    /// Takes the next bytes.
    /// - Parameter body: called with each line that they complete, without its line feed. Empty lines are left out.
    package mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(TooLong) {
        var left = bytes
        while let end = left.firstIndex(of: 0x0A) {
            try add(UnsafeRawBufferPointer(rebasing: left[..<end]))
            if !rest.isEmpty { rest.withUnsafeBytes(body) }
            rest.removeAll(keepingCapacity: rest.capacity < 64 << 10)
            left = UnsafeRawBufferPointer(rebasing: left[(end + 1)...])
        }
        try add(left)
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) throws(TooLong) {
        guard bytes.count <= RelayLines.longest - rest.count else { throw TooLong() }
        rest += bytes
    }
}
