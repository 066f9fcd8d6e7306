import Files
import Foundation
import Glibc
import Messages
import Relay
import Testing
import Threads

@testable import Helper
@testable import MatrixHelper

struct RelayServerTests {
    private let scratch: Scratch
    private let asked = Monitor<[Asker]>([])
    private let idle = Monitor(0)

    init() throws { scratch = try Scratch() }

    private var place: (folder: String, path: String) { (scratch.path + "/run", scratch.path + "/run/socket") }

    private func server(patience: Duration = .seconds(600)) throws -> RelayServer {
        let server = try RelayServer(place, patience: patience)
        server.begin(
            ask: { [asked] asker, _ in asked.change { $0.append(asker) } }, idle: { [idle] in idle.change { $0 += 1 } })
        return server
    }

    private func connect() throws -> CInt { try #require(RelaySocket.connected(to: place.path)) }

    private func send(_ bytes: [UInt8], by client: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// All that comes until a line feed, or until the end of the connection.
    private func line(_ client: CInt) -> String {
        var (bytes, byte) = ([UInt8](), UInt8(0))
        while recv(client, &byte, 1, 0) == 1, byte != 0x0A { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func waitForAsker(_ number: Int) -> Asker? {
        _ = asked.wait(atMost: .seconds(30)) { $0.contains { $0.number == number } }
        return asked.withLock { $0.first { $0.number == number } }
    }

    @Test func `only the owner can reach the socket`() throws {
        let server = try server()
        let modes = [place.folder, place.path].map { path in
            (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]) as? Int
        }
        #expect(modes == [0o700, 0o600])
        #expect(RunningHelper.isAlive(place.path))
        server.stop()
        #expect(!RunningHelper.isAlive(place.path) && scratch.names("run").isEmpty)
    }

    @Test func `each client has the responses to its own requests, and all have the notices`() throws {
        let server = try server()
        let clients = try [connect(), connect()]
        for (index, client) in clients.enumerated() { send(RelayRequest(index, .hello(version: 1)).line, by: client) }
        for number in 0...1 {
            let asker = try #require(waitForAsker(number))
            server.send(.response(number, .version(number)), to: asker.client)
        }
        server.send(.reach(.online), to: nil)
        for (index, client) in clients.enumerated() {
            #expect(line(client) == "{\"n\":\(index),\"version\":\(index)}" && line(client) == "{\"state\":\"online\"}")
            close(client)
        }
        server.stop()
    }

    @Test func `a long line goes through in both directions`() throws {
        let (server, client) = (try server(), try connect())
        let text = String(repeating: "x", count: 900_000)
        let post = Post(
            id: MessageID("1"), at: Timestamp(milliseconds: 0), sender: PersonID("a"),
            content: .message(text: text, replyTo: nil, thread: nil))
        send(RelayRequest(5, .send(ConversationID("r"), post)).line, by: client)
        let asker = try #require(waitForAsker(5))
        server.send(.response(5, .failed(reason: text, retry: nil)), to: asker.client)
        #expect(line(client).utf8.count > text.utf8.count)
        close(client)
        server.stop()
    }

    @Test(arguments: ["{\"n\":1,\"fly\":1}\n", "\u{0}\n", String(repeating: "x", count: RelayLines.longest + 1)])
    func `a client that sends something else is left, and the others are not`(text: String) throws {
        let server = try server()
        let good = try connect()
        let bad = try connect()
        send(Array(text.utf8), by: bad)
        #expect(line(bad).isEmpty)
        send(RelayRequest(3, .hello(version: 1)).line, by: good)
        #expect(waitForAsker(3) != nil)
        close(good)
        close(bad)
        server.stop()
    }

    @Test func `a socket that a killed helper has left is replaced`() throws {
        try FileManager.default.createDirectory(atPath: place.folder, withIntermediateDirectories: true)
        let left = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        #expect(RelaySocket.withAddress(place.path) { bind(left, $0, $1) } == 0)
        close(left)
        let server = try server()
        #expect(RunningHelper.isAlive(place.path))
        server.stop()
    }

    @Test func `a server without clients says that it is idle, and one with a client does not`() throws {
        let busy = try RelayServer(place, patience: .milliseconds(1))
        let client = try connect()
        let isIdle = Monitor(false)
        busy.begin(ask: { _, _ in }, idle: { isIdle.change { $0 = true } })
        close(client)
        #expect(isIdle.wait(atMost: .seconds(30)) { $0 })
        busy.stop()
    }

    @Test func `a path that is too long for a socket is refused`() throws {
        let name = String(repeating: "x", count: RelaySocket.longestPath)
        #expect(throws: FileError.self) {
            _ = try RelayServer((scratch.path, scratch.path + "/" + name), patience: .seconds(1))
        }
    }
}
