import Foundation
import Glibc
import Messages
import Relay
import Served
import Synchronization

/// A helper that says what a test tells it to. It serves one connection after another, on a thread of its own.
final class ScriptedHelper: Sendable {
    typealias Script = @Sendable (RelayRequest) -> [RelayNews]

    let path: String
    private let descriptor: CInt
    private let script: Script
    private let client = Mutex<CInt?>(nil)
    /// The requests so far, but for `hello`.
    let requests = Mutex<[RelayRequest.Content]>([])

    /// - Parameters:
    ///   - greeting: the lines after the request `hello`, as they are.
    ///   - script: the response to each other request; none ends the connection.
    init(
        greeting: String = #"{"n":1,"version":\#(RelayRequest.version)}"# + "\n" + #"{"state":"online"}"# + "\n",
        _ script: @escaping Script = { _ in [] }
    ) throws {
        let folder = "/tmp/kedge-served-\(UUID().uuidString.prefix(8))"
        mkdir(folder, 0o700)
        path = folder + "/socket"
        self.script = script
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { [path] in $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0, listen(descriptor, 4) == 0 else { throw POSIXError(.EADDRINUSE) }
        let thread = Thread { [weak self] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                self?.serve(client, greeting)
                close(client)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(descriptor, CInt(SHUT_RDWR))
        close(descriptor)
        unlink(path)
        rmdir((path as NSString).deletingLastPathComponent)
    }

    /// Ends the connection, as a helper that is killed does.
    func hangUp() {
        client.withLock { client in
            if let client { shutdown(client, CInt(SHUT_RDWR)) }
        }
    }

    func say(_ text: String) {
        client.withLock { client in
            if let client { _ = text.withCString { send(client, $0, strlen($0), CInt(MSG_NOSIGNAL)) } }
        }
    }

    private func serve(_ client: CInt, _ greeting: String) {
        self.client.withLock { $0 = client }
        defer { self.client.withLock { $0 = nil } }
        var lines = RelayLines()
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var goesOn = true
        while goesOn {
            let count = read(client, &bytes, bytes.count)
            guard count > 0 else { return }
            try? bytes[..<count].withUnsafeBytes { buffer in
                try lines.take(buffer) { line in
                    guard let request = RelayRequest(line: line) else { return }
                    if case .hello = request.content { return say(greeting) }
                    requests.withLock { $0.append(request.content) }
                    if case .follow = request.content { return }
                    let news = script(request)
                    for news in news { say(String(decoding: news.line, as: UTF8.self)) }
                    if news.isEmpty { goesOn = false }
                }
            }
        }
    }
}

extension Helper {
    /// A helper that runs already.
    convenience init(_ scripted: ScriptedHelper) {
        self.init(path: scripted.path, restarts: Restarts(unit: .zero)) { .failure(RelayError("it was started again")) }
    }

    /// Waits until the helper has told whether the server can be reached.
    func reached() async -> StoreReach {
        let (reaches, continuation) = AsyncStream.makeStream(of: StoreReach.self)
        let stop = watch { news in if case .reach(let reach) = news { continuation.yield(reach) } }
        defer { stop() }
        connect()
        for await reach in reaches { return reach }
        return .offline(reason: "cancelled")
    }
}
