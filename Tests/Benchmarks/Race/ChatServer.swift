import Glibc
import Synchronization

/// An IRC server for one client, which may register and join a channel.
final class ChatServer: Sendable {
    let port: Int
    private let socket: Int32
    private let joining = Mutex<Double?>(nil)

    /// When the client heard that it is in its channel.
    var joined: Double? { joining.withLock { $0 } }

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && listen(socket, 1) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard isBound else { throw Failure("no port of 127.0.0.1 can be listened at") }
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<ChatServer>.fromOpaque(context).takeRetainedValue().serve() }
                return nil
            }, context)
        pthread_detach(thread)
    }

    /// Until the client is gone, or none has come for a minute.
    private func serve() {
        defer { close(socket) }
        var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 60_000) > 0 else { return }
        let client = accept(socket, nil, nil)
        guard client >= 0 else { return }
        defer { close(client) }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var input = ""
        while case let count = read(client, &buffer, buffer.count), count > 0 {
            input += String(decoding: buffer[..<count], as: UTF8.self)
            var lines = input.split(separator: "\r\n", omittingEmptySubsequences: false)
            input = lines.popLast().map(String.init) ?? ""
            for line in lines { answer(String(line), client) }
        }
    }

    private func answer(_ line: String, _ client: Int32) {
        let words = line.split(separator: " ")
        switch words.first {
        case "USER": send(":server 001 race :Welcome\r\n:server 376 race :End\r\n", client)
        case "PING": send(":server PONG server :\(words.last ?? "")\r\n", client)
        case "JOIN":
            joining.withLock { $0 = Stopwatch.now }
            send(":race!race@localhost JOIN \(words.last ?? "")\r\n", client)
        default: break
        }
    }

    private func send(_ text: String, _ client: Int32) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
    }
}
