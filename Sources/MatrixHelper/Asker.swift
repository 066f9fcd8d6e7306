internal import Glibc
package import Relay
internal import Settings

/// A request that waits for its response: the connection that it came on, and its number there.
package struct Asker: Hashable, Sendable {
    package let client: Int
    package let number: Int

    package init(client: Int, number: Int) { (self.client, self.number) = (client, number) }
}

/// A connection of a Kedge.
struct RelayConnection: ~Copyable {
    /// In bytes: a Kedge that reads nothing for so long has stopped, and is left.
    private static let mostWaiting = 4 << 20

    let descriptor: CInt
    private var lines = RelayLines()
    private var waiting: [UInt8] = []

    /// - Parameter descriptor: one that never blocks.
    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// For `poll`.
    var events: Int16 { Int16(POLLIN) | (waiting.isEmpty ? 0 : Int16(POLLOUT)) }

    /// Takes what has come.
    /// - Returns: false at the end of the connection.
    mutating func receive(_ body: (RelayRequest) -> Void) -> Bool {
        var isValid = true
        let isOpen = withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer -> Bool in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            do {
                try lines.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
                    if let request = RelayRequest(line: line) { body(request) } else { isValid = false }
                }
                return true
            } catch {
                return false
            }
        }
        // Another program, or a Kedge of another version: nothing more is understood from here on.
        return isOpen && isValid
    }

    /// - Returns: false at the end of the connection.
    mutating func send(_ line: [UInt8]) -> Bool {
        guard waiting.count + line.count <= RelayConnection.mostWaiting else { return false }
        waiting += line
        return flush()
    }

    /// Sends as much of the waiting lines as the other side takes now.
    /// - Returns: false at the end of the connection.
    mutating func flush() -> Bool {
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            waiting.removeFirst(count)
        }
        return true
    }
}

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

/// Sockets of this machine.
package enum UnixSocket {
    /// Whether a helper listens at a path.
    package static func isAlive(_ path: String) -> Bool {
        guard let descriptor = connected(path) else { return false }
        close(descriptor)
        return true
    }

    /// Tells the helper that listens at a path, if one does, that the user has logged in again.
    package static func tellOfLogin(_ path: String) {
        guard let descriptor = connected(path) else { return }
        defer { close(descriptor) }
        let line = RelayRequest(1, .renewed).line
        _ = send(descriptor, line, line.count, CInt(MSG_NOSIGNAL))
        // It is closed when the other side has taken it.
        var response = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&response, 1, 2_000)
    }

    /// Nil unless a process of this user listens there, in a folder that is closed to others.
    private static func connected(_ path: String) -> CInt? {
        guard RelaySocket.isPrivate(folderOf: path), let descriptor = try? make() else { return nil }
        guard withAddress(path, { connect(descriptor, $0, $1) }) == 0, RelaySocket.isOwn(descriptor) else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Asks the helper that listens at a path, and waits for its response, however long that takes.
    /// - Returns: nil if it cannot be reached, or ends before it responds.
    package static func ask(_ content: RelayRequest.Content, at path: String) -> RelayResponse? {
        guard let descriptor = connected(path) else { return nil }
        defer { close(descriptor) }
        let request = RelayRequest(2, content).line
        let line = RelayRequest(1, .hello(version: RelayRequest.version)).line + request
        guard send(descriptor, line, line.count, CInt(MSG_NOSIGNAL)) == line.count else { return nil }
        var (lines, found): (RelayLines, RelayResponse?) = (RelayLines(), nil)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { buffer.deallocate() }
        while found == nil {
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&event, 1, -1) < 0, errno != EINTR { return nil }
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return nil }
            let isRead: Void? = try? lines.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
                if case .response(2, let response)? = RelayNews(line: line) { found = response }
            }
            if isRead == nil { return nil }
        }
        return found
    }

    /// A socket that never blocks.
    static func make() throws(DiskFailure) -> CInt {
        let flags = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, flags, 0)
        guard descriptor >= 0 else { throw DiskFailure("socket", code: errno) }
        return descriptor
    }

    /// Nil if the path is too long for an address.
    static func withAddress<Value>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value? {
        let bytes = Array(path.utf8)
        guard bytes.count <= RelaySocket.longestPath else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
