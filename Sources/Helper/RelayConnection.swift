internal import Files
internal import Glibc
package import Relay
internal import Settings

/// A request that waits for its response: the connection that it came on, and its number there.
package struct Asker: Hashable, Sendable {
    package let client: Int
    package let number: Int

    package init(client: Int, number: Int) { (self.client, self.number) = (client, number) }

    package func of<Value>(_ reply: RelayReply<Value>) -> Promise<Value> { Promise(asker: self) }
}

/// The response that an asker waits for. Its value has the type that the request names.
package struct Promise<Value: RelayValue>: Hashable, Sendable {
    package let asker: Asker
}

/// A connection of a Kedge.
struct RelayConnection: ~Copyable {
    /// In bytes: a Kedge that leaves more unread has stopped, and is disconnected.
    private static let mostWaiting = 4 << 20

    let descriptor: CInt
    private var lines = RelayLines()
    private var waiting: [UInt8] = []

    /// - Parameter descriptor: one that never blocks.
    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The events for `poll`.
    var events: Int16 { Int16(POLLIN) | (waiting.isEmpty ? 0 : Int16(POLLOUT)) }

    /// Reads the bytes that have come.
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

    /// Replaces a socket that a killed helper has left. The caller must hold the lock of the archive: only that ensures that there
    /// is no other helper.
    init(_ place: (folder: String, path: String)) throws(FileError) {
        path = place.path
        try Disk.makeFolder(place.folder)
        guard RelaySocket.isPrivate(folderOf: place.path) else { throw FileError(.write, place.folder, code: EPERM) }
        descriptor = try RelayListener.opened(path)
    }

    deinit {
        // The name first: a Kedge that does not find it starts another helper.
        unlink(path)
        close(descriptor)
    }

    private static func opened(_ path: String) throws(FileError) -> CInt {
        let flags = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let listener = socket(AF_UNIX, flags, 0)
        guard listener >= 0 else { throw FileError(.write, path, code: errno) }
        unlink(path)
        let code = RelaySocket.withAddress(path) { address, length -> CInt in
            // Nobody else can reach the socket in the meantime: its folder is closed to others.
            guard bind(listener, address, length) == 0, chmod(path, 0o600) == 0, listen(listener, 16) == 0 else {
                return errno
            }
            return 0
        }
        guard code == 0 else {
            close(listener)
            throw FileError(.write, path, code: code ?? ENAMETOOLONG)
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

/// The helper that runs as another process, for commands.
package enum RunningHelper {
    /// True if a helper listens at a path.
    package static func isAlive(_ path: String) -> Bool {
        guard let descriptor = RelaySocket.connected(to: path) else { return false }
        close(descriptor)
        return true
    }

    /// Tells the helper that listens at a path, if any, that the user has logged in again.
    package static func tellOfLogin(_ path: String) {
        guard let descriptor = RelaySocket.connected(to: path) else { return }
        defer { close(descriptor) }
        let line = RelayRequest(1, .renewed()).line
        _ = send(descriptor, line, line.count, CInt(MSG_NOSIGNAL))
        // The other side closes the connection when it has read the line.
        var response = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&response, 1, 2_000)
    }

    /// Asks the helper that listens at a path, and waits for its response, however long that takes.
    /// - Returns: nil if it cannot be reached, or ends before it responds.
    package static func ask<Value>(
        _ request: (RelayReply<Value>) -> RelayRequest.Content, at path: String
    ) -> Result<Value, RelayError>? {
        guard let descriptor = RelaySocket.connected(to: path) else { return nil }
        defer { close(descriptor) }
        let request = RelayRequest(2, request(RelayReply())).line
        let line = RelayRequest(1, .hello(version: RelayRequest.version)).line + request
        guard send(descriptor, line, line.count, CInt(MSG_NOSIGNAL)) == line.count else { return nil }
        var (lines, found): (RelayLines, RelayResponse?) = (RelayLines(), nil)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { buffer.deallocate() }
        while found == nil {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            let isRead: Void? = try? lines.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
                if case .response(2, let response)? = RelayNews(line: line) { found = response }
            }
            if isRead == nil { return nil }
        }
        return found?.result()
    }
}
