import Helper
import Matrix
import Testing
import Threads

@testable import MatrixHelper

struct HTTPClientTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    private func ask(
        _ server: ScriptedServer, _ request: MatrixRequest = .whoAmI, token: String? = "secret"
    ) -> Result<HTTPResponse, RequestError> {
        client.send(HTTPRequest(request, at: server.address, token: token))
    }

    private func response(_ result: Result<HTTPResponse, RequestError>) throws -> HTTPResponse { try result.get() }

    private func failure(_ result: Result<HTTPResponse, RequestError>) -> RequestError? {
        if case .failure(let failure) = result { failure } else { nil }
    }

    @Test func `a long body is a file, and has the same bytes`() throws {
        let body = (0..<(5 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 11) }
        let server = try ScriptedServer { _ in .init(body) }
        let response = try response(ask(server, .sync(since: nil, wait: 0)))
        #expect(response.body.isFile && response.bytes == body)
        response.body.withUnsafeBytes { response.body.release($0) }
        #expect(response.bytes == body)
        let short = try ScriptedServer { _ in .init(Array(body.prefix(1 << 20))) }
        #expect(try self.response(ask(short, .sync(since: nil, wait: 0))).body.isFile == false)
    }

    @Test func `of an error the beginning is read, however long it is`() throws {
        let server = try ScriptedServer { _ in .init(String(repeating: "x", count: 5 << 20), status: 502) }
        let response = try response(ask(server))
        #expect(response.status == 502 && 0 < response.bytes.count && response.bytes.count <= 64 << 10)
    }

    @Test func `headers without an end are given up, and an encoding that was not asked for`() throws {
        let headers = (0..<64).map { "X-\($0): " + String(repeating: "y", count: 8_000) }
        let endless = try ScriptedServer { _ in .init("{}", headers: headers) }
        #expect(failure(ask(endless))?.description == "the headers of the response are too long")
        let packed = try ScriptedServer { _ in .init("{}", headers: ["Content-Encoding: gzip, zstd"]) }
        #expect(failure(ask(packed))?.description == "the response is packed in a way that was not asked for")
    }

    @Test func `a request brings its token, and a response its status and its body`() throws {
        let server = try ScriptedServer { _ in .init("body", status: 418, headers: ["Retry-After:  7 "]) }
        let response = try response(ask(server))
        #expect(response.status == 418 && response.bytes == Array("body".utf8) && response.retryAfter == "7")
        #expect(server.requests.first?.headers["authorization"] == "Bearer secret")
    }

    @Test func `a body is sent as it is`() throws {
        let server = try ScriptedServer { _ in .init("{}") }
        _ = ask(server, .login(user: "@ana:e.org", password: "päss", name: "kedge"))
        #expect(server.requests.first?.method == "POST")
        #expect(server.requests.first?.body.contains("päss") == true)
        #expect(server.requests.first?.headers["authorization"] == nil)
    }

    @Test func `a request with a token follows no redirect`() throws {
        let other = try ScriptedServer { _ in .init("stolen") }
        let server = try ScriptedServer { _ in .init("", status: 302, headers: ["Location: \(other.address)/"]) }
        #expect(try response(ask(server)).status == 302)
        #expect(other.requests.isEmpty)
    }

    @Test func `the request for the homeserver of a domain follows redirects, without a token`() throws {
        let other = try ScriptedServer { _ in .init("found") }
        let server = try ScriptedServer { _ in .init("", status: 302, headers: ["Location: \(other.address)/x"]) }
        #expect(try response(ask(server, .wellKnown)).bytes == Array("found".utf8))
        #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    }

    @Test func `redirects that never end are given up`() throws {
        let server = try ScriptedServer { _ in .init("", status: 302, headers: ["Location: /again"]) }
        guard case .failure = ask(server, .wellKnown) else {
            Issue.record("it was followed for ever")
            return
        }
        #expect(server.requests.count <= 6)
    }

    @Test func `a response that is too long is given up`() throws {
        let server = try ScriptedServer { _ in .init(String(repeating: "x", count: 100_000)) }
        #expect(
            failure(ask(server, .wellKnown))
                == RequestError("the response is too long", isFinal: true, isOfResponse: true))
    }

    /// Raw deflate (RFC 1951, section 3.2.6: fixed codes): one letter, then copies of it, 258 at a time.
    private static func packed(letters: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var count = 0
        func add(_ bits: String) {
            for bit in bits {
                if count % 8 == 0 { bytes.append(0) }
                if bit == "1" { bytes[count / 8] |= 1 << UInt8(count % 8) }
                count += 1
            }
        }
        // The last block, with fixed codes; the letter A.
        add("110" + "01110001")
        for _ in 0..<(letters - 1) / 258 { add("11000101" + "00000") }
        add("0000000")
        return bytes
    }

    @Test func `a response that unpacks to far more than its size is given up, and a short one is not`() throws {
        let headers = ["Content-Encoding: deflate"]
        let bomb = try ScriptedServer { _ in .init(Self.packed(letters: 6 << 20), headers: headers) }
        let sync = MatrixRequest.sync(since: nil, wait: 0)
        #expect(
            failure(ask(bomb, sync)) == RequestError("the response is too long", isFinal: true, isOfResponse: true))
        let short = try ScriptedServer { _ in .init(Self.packed(letters: 3 << 20), headers: headers) }
        let body = try response(ask(short, sync)).bytes
        #expect(body.count > 3_000_000 && body.allSatisfy { $0 == UInt8(ascii: "A") })
    }

    @Test func `a body that is cut off is no response`() throws {
        let server = try ScriptedServer { _ in .init("{\"a\":1}", cut: 3) }
        guard case .failure = ask(server) else {
            Issue.record("a cut response was taken for a whole one")
            return
        }
    }

    @Test func `a connection that ends without a response, or never begins, is a failure`() throws {
        let silent = try ScriptedServer { _ in nil }
        guard case .failure = ask(silent) else {
            Issue.record("an empty connection was taken for a response")
            return
        }
        let closed = client.send(HTTPRequest(.loginFlows, at: "http://127.0.0.1:1", token: nil))
        guard case .failure(let failure) = closed else {
            Issue.record("a server responded that is not there")
            return
        }
        #expect(!failure.description.isEmpty && !failure.isCancelled)
    }

    @Test(arguments: ["file:///etc/passwd", "gopher://127.0.0.1", "ftp://127.0.0.1"])
    func `other protocols than those of the web are refused`(base: String) {
        guard case .failure = client.send(HTTPRequest(.loginFlows, at: base, token: nil)) else {
            Issue.record("\(base) was read")
            return
        }
    }

    @Test func `a request that is given up ends, and the others go on`() throws {
        let isOpen = Monitor(false)
        let slow = try ScriptedServer { _ in
            isOpen.wait { $0 ? () : nil }
            return .init("late")
        }
        let fast = try ScriptedServer { _ in .init("fast") }
        let end = Monitor<Result<HTTPResponse, RequestError>?>(nil)
        let number = client.start(HTTPRequest(.loginFlows, at: slow.address, token: nil)) { result in
            end.change { $0 = result }
        }
        #expect(slow.wait(for: 1))
        #expect(try response(ask(fast)).bytes == Array("fast".utf8))
        client.cancel(number)
        #expect(failure(end.wait { $0 }) == .cancelled)
        isOpen.change { $0 = true }
    }

    @Test func `a client that is stopped gives all requests up`() throws {
        let isOpen = Monitor(false)
        let slow = try ScriptedServer { _ in
            isOpen.wait { $0 ? () : nil }
            return nil
        }
        let end = Monitor<Result<HTTPResponse, RequestError>?>(nil)
        client.start(HTTPRequest(.loginFlows, at: slow.address, token: nil)) { result in end.change { $0 = result } }
        #expect(slow.wait(for: 1))
        client.stop()
        #expect(failure(end.wait { $0 }) == .cancelled)
        #expect(failure(client.send(HTTPRequest(.loginFlows, at: slow.address, token: nil))) == .cancelled)
        isOpen.change { $0 = true }
    }
}

extension HTTPResponse {
    fileprivate var bytes: [UInt8] { body.withUnsafeBytes { Array($0) } }
}
