internal import Glibc
internal import Relay
internal import Settings

/// The socket on which the helper of an archive listens. Only its owner can connect.
struct RelayListener: ~Copyable {
    let descriptor: CInt
    private let path: String

    /// Replaces a socket that a killed helper has left. The lock of the archive is to be held: it alone says that there is no
    /// other helper.
    init(_ place: (folder: String, path: String)) throws(DiskFailure) {
        path = place.path
        do {
            try PrivateFolder.make(place.folder)
        } catch {
            throw DiskFailure(error.path, code: error.code)
        }
        guard RelaySocket.isPrivate(folderOf: place.path) else { throw DiskFailure(place.folder, code: EPERM) }
        descriptor = try RelayListener.opened(path)
    }

    deinit {
        // The name first: who does not find it begins another helper.
        unlink(path)
        close(descriptor)
    }

    private static func opened(_ path: String) throws(DiskFailure) -> CInt {
        let listener = try UnixSocket.make()
        unlink(path)
        let code = UnixSocket.withAddress(path) { address, length -> CInt in
            // Nobody else can reach the socket in the meantime: its folder is closed to others.
            guard bind(listener, address, length) == 0, chmod(path, 0o600) == 0, listen(listener, 16) == 0 else {
                return errno
            }
            return 0
        }
        guard code == 0 else {
            close(listener)
            throw DiskFailure(path, code: code ?? ENAMETOOLONG)
        }
        return listener
    }

    /// The next connection of a process of this user; nil if none waits.
    func accept() -> CInt? {
        while true {
            let client = Glibc.accept(descriptor, nil, nil)
            guard client >= 0 else { return nil }
            guard RelaySocket.isOwn(client) else {
                close(client)
                continue
            }
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            return client
        }
    }
}
