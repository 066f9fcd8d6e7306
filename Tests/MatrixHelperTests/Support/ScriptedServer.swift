import Glibc
import Threads

/// A server on this machine that responds as a test says. It serves one connection after another.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let method: String
        /// Path and query, as they came.
        let target: String
        /// By their names in small letters.
        let headers: [String: String]
        let body: String

        var path: String { String(target.prefix { $0 != "?" }) }

        /// Whether it asks for sliding sync, or for the token before it.
        var isFirstLook: Bool {
            path.hasSuffix("org.matrix.simplified_msc3575/sync") || target.contains("%22rooms%22%3A%5B%5D")
        }

        /// Whether it asks for spaces and invitations.
        var isForRelations: Bool { target.contains("m.space.child") && method == "GET" }

        /// A parameter of the query, with only its blanks and colons decoded.
        func parameter(_ name: String) -> String? {
            target.drop { $0 != "?" }.dropFirst().split(separator: "&").first { $0.hasPrefix(name + "=") }.map {
                String($0.dropFirst(name.count + 1)).replacing("%20", with: " ").replacing("%3A", with: ":")
            }
        }
    }

    struct Response: Sendable {
        var status = 200
        var headers: [String] = []
        var body: [UInt8]
        /// How many bytes of the body are sent before the connection ends; nil for all.
        var cut: Int?
        /// Nil to send the response at once; else the connection stays open without it, as for a long poll, until a later request
        /// meets this condition.
        var release: (@Sendable (Request) -> Bool)?

        static var held: Response { Response("").held { _ in false } }

        func held(until release: @escaping @Sendable (Request) -> Bool) -> Response {
            var response = self
            response.release = release
            return response
        }

        init(_ body: String, status: Int = 200, headers: [String] = [], cut: Int? = nil) {
            self.init(Array(body.utf8), status: status, headers: headers, cut: cut)
        }

        init(_ body: [UInt8], status: Int = 200, headers: [String] = [], cut: Int? = nil) {
            (self.body, self.status, self.headers, self.cut) = (body, status, headers, cut)
        }
    }

    let port: UInt16
    private let listener: CInt
    private let thread = SerialThread()
    private let seen = Monitor<[Request]>([])

    /// The requests so far.
    var requests: [Request] { seen.withLock { $0 } }
    var address: String { "http://127.0.0.1:\(port)" }

    struct NoSocket: Error {}

    /// - Parameters:
    ///   - hasSlidingSync: whether it is asked for a first look. Otherwise it does not know such requests, and they are not among
    ///     `requests`.
    ///   - relations: the response to the request for spaces and invitations, which is not among `requests`.
    ///   - response: the response to a request; nil to end the connection without one.
    init(
        hasSlidingSync: Bool = false, relations: Response = Response(#"{"next_batch":"r"}"#),
        _ response: @escaping @Sendable (Request) -> Response?
    ) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isOpen = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(listener, place, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, place, &length) == 0
            }
        }
        guard listener >= 0, isOpen else { throw NoSocket() }
        (self.listener, port) = (listener, UInt16(bigEndian: place.sin_port))
        thread.run { [seen] in
            var held: [(connection: CInt, response: Response)] = []
            defer { for (connection, _) in held { close(connection) } }
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    // Here and not in `deinit`: this thread would accept the connections of the next server with this number.
                    close(listener)
                    return
                }
                if let request = ScriptedServer.request(on: connection) {
                    if request.isFirstLook, !hasSlidingSync {
                        ScriptedServer.send(
                            Response(#"{"errcode":"M_UNRECOGNIZED","error":"?"}"#, status: 404), to: connection)
                        close(connection)
                        continue
                    }
                    if request.isForRelations {
                        ScriptedServer.send(relations, to: connection)
                        close(connection)
                        continue
                    }
                    seen.change { $0.append(request) }
                    held.removeAll { connection, response in
                        guard let release = response.release, release(request) else { return false }
                        ScriptedServer.send(response, to: connection)
                        close(connection)
                        return true
                    }
                    let response = response(request)
                    if let response, response.release != nil {
                        held.append((connection, response))
                        continue
                    }
                    if let response { ScriptedServer.send(response, to: connection) }
                }
                close(connection)
            }
        }
    }

    deinit { shutdown(listener, CInt(SHUT_RDWR)) }

    /// Waits until the requests meet a condition.
    func wait(until condition: ([Request]) -> Bool) -> Bool { seen.wait(atMost: .seconds(30), until: condition) }

    /// Waits until a number of requests have come.
    func wait(for count: Int) -> Bool { seen.wait(atMost: .seconds(30)) { $0.count >= count } }

    private static func request(on connection: CInt) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var body: Int?
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.utf8.firstRange(of: "\r\n\r\n".utf8) else { continue }
            let lines = text[..<end.lowerBound].split(separator: "\r\n")
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 { headers[parts[0].lowercased()] = String(parts[1].dropFirst()) }
            }
            body = Int(headers["content-length"] ?? "0")
            let rest = text[end.upperBound...]
            let words = (lines.first ?? "").split(separator: " ")
            guard words.count == 3, let body else { return nil }
            if rest.utf8.count < body { continue }
            return Request(
                method: String(words[0]), target: String(words[1]), headers: headers, body: String(rest))
        }
    }

    private static func send(_ response: Response, to connection: CInt) {
        let head = [
            "HTTP/1.1 \(response.status) X", "Content-Length: \(response.body.count)", "Connection: close",
        ]
        let text = (head + response.headers).joined(separator: "\r\n") + "\r\n\r\n"
        let body = response.body.prefix(response.cut ?? .max)
        let bytes = Array(text.utf8) + body
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}
