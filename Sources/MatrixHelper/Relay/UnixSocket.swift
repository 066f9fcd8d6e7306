internal import Glibc
package import Relay

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
