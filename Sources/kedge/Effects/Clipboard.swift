import Glibc
import Settings
import Terminal
import Threads

/// The user's clipboard. Both ways are tried each time, since no terminal reports which of them worked.
///
///     text → Screen → (tmux, screen) → terminal → clipboard
///         └→ tmux load-buffer → tmux → terminal → clipboard
///
/// The second way is for tmux with its default settings (`set-clipboard external`): it takes a clipboard from its own command,
/// and not from the programs that run in it.
final class Clipboard {
    private let multiplexer = Multiplexer(environment: Environment.variables)
    private let buffer =
        Environment.variables["TMUX"]?.isEmpty == false ? TmuxBuffer(environment: Environment.variables) : nil

    /// Copies text, without control characters other than line feed and tab. Nothing is copied when it is more than 1 MiB.
    func copy(_ text: String, by screen: borrowing Screen) {
        guard let text = ClipboardText(text) else { return }
        screen.copy(text, through: multiplexer)
        buffer?.load(text.string)
    }

    /// Call this before the program ends, after the screen is closed. A text on its way to tmux gets a second, so that
    /// it does not arrive cut in two.
    func finish() { buffer?.finish() }
}

/// The newest paste buffer of tmux, written by `tmux load-buffer`. With `-w` tmux also sets the clipboard of its terminal.
/// Nothing happens where tmux is missing or refuses.
final class TmuxBuffer: Sendable {
    private let program: String
    private let environment: [String: String]
    /// Texts are loaded one after another on this thread, so that the last one stays. It may block.
    private let thread = SerialThread()

    /// In milliseconds. A slower tmux is killed.
    private static let patience: Int32 = 5_000

    /// - Parameter program: a path, or a name to be found by PATH.
    init(environment: [String: String], program: String = "tmux") {
        self.program = program
        self.environment = environment
    }

    /// Returns at once.
    func load(_ text: String) {
        thread.run { [self] in
            // Before tmux 3.2 there is no -w.
            if run(["load-buffer", "-w", "-"], input: text) == false { _ = run(["load-buffer", "-"], input: text) }
        }
    }

    /// Waits at most a second for the text that is being loaded.
    func finish() { thread.finish(within: .seconds(1)) }

    /// Runs the program. Returns true if it succeeded; nil when it cannot be started.
    private func run(_ arguments: [String], input: String) -> Bool? {
        var ends: [Int32] = [-1, -1]
        // Not a pipe: a write to a pipe that nobody reads ends Kedge by a signal.
        let kind = Int32(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        let process = try? Child.start(program, arguments, environment: environment, reading: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        guard let process else { return nil }
        send(input, to: ends[0])
        shutdown(ends[0], Int32(SHUT_WR))
        // The program closes the other end when it ends.
        if !isReady(ends[0], for: POLLIN) { kill(process, SIGKILL) }
        return Child.wait(for: process) == 0
    }

    private func send(_ text: String, to end: Int32) {
        var text = text
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty, isReady(end, for: POLLOUT) {
                let count = Glibc.send(end, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    private func isReady(_ end: Int32, for event: Int32) -> Bool {
        var request = pollfd(fd: end, events: Int16(event), revents: 0)
        var ready = poll(&request, 1, TmuxBuffer.patience)
        while ready < 0, errno == EINTR { ready = poll(&request, 1, TmuxBuffer.patience) }
        return ready > 0
    }
}
