import Glibc

/// A program in a terminal of its own, whose output is read as fast as it comes. It is ended with the session.
final class Session {
    static let rows = 30
    static let columns = 100

    let process: pid_t
    /// When it was started.
    let start: Double
    private(set) var screen = VirtualScreen(rows: Session.rows, columns: Session.columns)
    /// The number of bytes so far, and when the last of them came.
    private(set) var received = 0
    private(set) var lastArrival: Double

    private let name: String
    private let pty: Pty
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var isEnded = false
    private var isReaped = false

    init(_ command: Command) throws {
        pty = try Pty(rows: Session.rows, columns: Session.columns)
        name = command.arguments.joined(separator: " ")
        start = Stopwatch.now
        lastArrival = start
        process = try command.start(.terminal(pty.path))
    }

    deinit { end() }

    /// Ends the program, by force if it does not end by itself.
    func end() {
        guard !isReaped else { return }
        isReaped = true
        kill(process, SIGTERM)
        let deadline = Stopwatch.now + 3
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            if Stopwatch.now > deadline { kill(process, SIGKILL) }
            // A program that is ending may have more to write, and waits for room.
            if !isEnded { _ = try? read(within: 0.005) } else { Stopwatch.sleep(0.005) }
        }
    }

    func type(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(pty.master, $0.baseAddress, $0.count) }
            guard written > 0 || errno == EINTR else { throw Failure("\(name): takes no keys any more") }
            rest = rest.dropFirst(max(0, written))
        }
    }

    /// Reads until the screen shows something.
    /// - Returns: when the bytes came that showed it.
    @discardableResult
    func wait(
        for what: String, within seconds: Double = 30, until isSeen: (VirtualScreen) -> Bool
    ) throws -> Double {
        let deadline = Stopwatch.now + seconds
        while !isSeen(screen) {
            let left = deadline - Stopwatch.now
            guard left > 0 else {
                throw Timeout(description: "\(name): no \(what) in \(Int(seconds)) s\n\(screen.dump)")
            }
            _ = try read(within: left)
            if isEnded, !isSeen(screen) { throw Failure("\(name): has ended without \(what)\n\(screen.dump)") }
        }
        return lastArrival
    }

    /// Reads until no bytes have come for some time.
    /// - Returns: when the last bytes came and their number; nil if there were none.
    func burst(first: Double = 1, quiet: Double = 0.003) throws -> (end: Double, bytes: Int)? {
        let before = received
        guard try read(within: first) else { return nil }
        while try read(within: quiet) {}
        return (lastArrival, received - before)
    }

    /// Reads until nothing has come for some time.
    func settle(quiet: Double = 0.3, within seconds: Double = 60) throws {
        let deadline = Stopwatch.now + seconds
        while Stopwatch.now < deadline, try read(within: quiet) {}
    }

    /// Starts to count the bytes again.
    func resetTally() { screen.tally = Tally() }

    /// Makes all rows count as scrolling, with nothing around them.
    func removeFrame() { screen.frame = (top: 0, bottom: 0, right: 0) }

    /// Waits for bytes, and draws them.
    private func read(within seconds: Double) throws -> Bool {
        guard !isEnded else { return false }
        var request = pollfd(fd: pty.master, events: Int16(POLLIN), revents: 0)
        let ready = poll(&request, 1, Int32((seconds * 1_000).rounded(.up)))
        guard ready > 0 else { return ready < 0 && errno == EINTR }
        let count = Glibc.read(pty.master, &buffer, buffer.count)
        lastArrival = Stopwatch.now
        guard count > 0 else {
            // No program has the terminal any more; before one has opened it, it looks the same.
            if lastArrival - start > 0.5 || waitid(P_PID, id_t(process), nil, WEXITED | WNOHANG | WNOWAIT) != 0 {
                isEnded = true
            } else {
                Stopwatch.sleep(0.0002)
            }
            return false
        }
        received += count
        screen.feed(buffer[..<count])
        let answers = screen.takeAnswers()
        if !answers.isEmpty { try type(answers) }
        return true
    }
}

/// Something that did not happen in time.
struct Timeout: Error, CustomStringConvertible {
    let description: String
}
