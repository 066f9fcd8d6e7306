import Glibc

/// A program without a terminal, from its start to its end.
struct Run {
    let seconds: Double
    /// Its output on stdout.
    let output: [UInt8]
    /// Its exit status; above 128 it was ended by a signal.
    let status: Int32

    init(_ command: Command, within limit: Double = 120) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure("there is no pipe to be had") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let start = Stopwatch.now
        let process: pid_t
        do {
            defer { close(ends[1]) }
            process = try command.start(.descriptor(ends[1]))
        }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isLate = false
        while true {
            var request = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
            let left = start + limit - Stopwatch.now
            if left <= 0 || poll(&request, 1, Int32(left * 1_000) + 1) == 0 {
                isLate = true
                kill(process, SIGKILL)
                break
            }
            let count = read(ends[0], &buffer, buffer.count)
            if count > 0 { output += buffer[..<count] }
            if count == 0 || (count < 0 && errno != EINTR) { break }
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        seconds = Stopwatch.now - start
        self.output = output
        self.status = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
        if isLate {
            throw Timeout(description: "\(command.arguments.joined(separator: " ")): not done in \(Int(limit)) s")
        }
    }
}
