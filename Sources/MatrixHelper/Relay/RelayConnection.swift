internal import Glibc
internal import Relay

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
