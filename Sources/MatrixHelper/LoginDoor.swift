package import Files
internal import Glibc
internal import Matrix

/// The address on this machine at which a login in the browser ends: it brings the token for the login.
package struct LoginDoor: ~Copyable {
    private let listener: CInt
    private let port: UInt16
    /// A secret in the address, so that no other page can send a token.
    private let secret: String

    /// The address to which the browser returns after the login.
    package var address: String { "http://127.0.0.1:\(port)/\(secret)" }

    package init() throws(FileError) {
        (listener, port) = try LoginDoor.opened()
        secret = String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
    }

    private static func opened() throws(FileError) -> (listener: CInt, port: UInt16) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw FileError(.read, "127.0.0.1", code: errno) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &place) { place -> CInt in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                guard bind(listener, place, length) == 0, listen(listener, 4) == 0,
                    getsockname(listener, place, &length) == 0
                else { return errno }
                return 0
            }
        }
        guard code == 0 else {
            close(listener)
            throw FileError(.read, "127.0.0.1", code: code)
        }
        return (listener, UInt16(bigEndian: place.sin_port))
    }

    deinit { close(listener) }

    /// Waits until the browser brings the token.
    package func token() throws(FileError) -> String {
        while true {
            let browser = accept(listener, nil, nil)
            if browser < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard browser >= 0 else { throw FileError(.read, "127.0.0.1", code: errno) }
            defer { close(browser) }
            let token = LoginDoor.firstLine(of: browser).flatMap { LoginDoor.token(in: $0, secret: secret) }
            LoginDoor.say(token != nil, to: browser)
            if let token { return token }
        }
    }

    /// The token in the first line of a request: `GET /secret?loginToken=abc HTTP/1.1`.
    static func token(in line: String, secret: String) -> String? {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "GET" else { return nil }
        let parts = words[1].split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0] == "/" + secret else { return nil }
        for pair in parts[1].split(separator: "&") where pair.hasPrefix("loginToken=") {
            return Percent.decoded(String(pair.dropFirst("loginToken=".count))).flatMap { $0.isEmpty ? nil : $0 }
        }
        return nil
    }

    private static func firstLine(of socket: CInt) -> String? {
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < 64 << 10 {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
            // Reads the whole request: otherwise the browser would not show the response.
            if bytes.suffix(4).elementsEqual([13, 10, 13, 10]), let end = bytes.firstIndex(of: 13) {
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
        }
        return nil
    }

    private static func say(_ isDone: Bool, to socket: CInt) {
        let text = isDone ? "Kedge is logged in. You can close this page." : "This is not the page of a login."
        let response =
            "HTTP/1.1 \(isDone ? "200 OK" : "404 Not Found")\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(text.utf8.count)\r\nConnection: close\r\nReferrer-Policy: no-referrer\r\n\r\n\(text)"
        _ = send(socket, response, response.utf8.count, CInt(MSG_NOSIGNAL))
    }
}
