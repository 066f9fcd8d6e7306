internal import CNcurses
internal import Glibc

/// Writes bytes to the terminal without ncurses. They follow everything that ncurses has written: each of its calls that a screen
/// makes (`newterm`, `doupdate`, `endwin`) flushes its buffer before it returns.
struct TerminalOutput {
    let descriptor: Int32

    /// The time, in milliseconds, to wait for a terminal that accepts no bytes before giving up.
    private static let delay: Int32 = 1_000

    /// Writes to the terminal, unless the program is to end.
    func send(_ bytes: [UInt8]) {
        guard cn_begin_output() else { return }
        write(bytes)
        _ = cn_end_output()
    }

    /// Call this between `cn_begin_output` and `cn_end_output`.
    func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, cn_errno() == EINTR { continue }
                if count < 0, cn_errno() == EAGAIN, waitForRoom() { continue }
                // The terminal is gone, which the next read reports.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    private func waitForRoom() -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var ready = poll(&request, 1, TerminalOutput.delay)
        while ready < 0 && cn_errno() == EINTR { ready = poll(&request, 1, TerminalOutput.delay) }
        return ready > 0 && request.revents & Int16(POLLOUT) != 0
    }

    /// A sequence of terminfo, by its name; empty if the terminal has none.
    static func sequence(_ name: String) -> [UInt8] {
        cn_key_sequence(name).map { withoutPauses(Array(String(cString: $0).utf8)) } ?? []
    }

    private static let pauseStart = Array("$<".utf8)

    /// Removes terminfo's `$<20>`, which stands for a pause.
    static func withoutPauses(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: pauseStart),
                let end = bytes[index...].firstIndex(of: UInt8(ascii: ">"))
            {
                index = end + 1
            } else {
                kept.append(bytes[index])
                index += 1
            }
        }
        return kept
    }
}
