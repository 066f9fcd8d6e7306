import CNcurses
import Testing

@testable import Terminal

extension TerminalTests {
    @Suite
    struct SignalTests {
        @Test func `Signals are read from the pipe, and former handlers return`() throws {
            let mask = unblockSignals()
            defer { restoreSignals(mask) }
            var before = sigaction()
            sigaction(SIGWINCH, nil, &before)
            do {
                let signals = try SignalPipe()
                #expect(signals.pending() == [])
                raise(SIGWINCH)
                raise(SIGWINCH)
                raise(SIGTERM)
                raise(SIGTSTP)
                raise(SIGCONT)
                var request = pollfd(fd: signals.fileDescriptor, events: Int16(POLLIN), revents: 0)
                #expect(poll(&request, 1, 0) == 1)
                #expect(signals.pending() == [.resize, .terminate(SIGTERM), .stop, .continued])
                #expect(signals.pending() == [])
            }
            var after = sigaction()
            sigaction(SIGWINCH, nil, &after)
            let handlers = [before, after].map { action in
                withUnsafeBytes(of: action.__sigaction_handler) { Array($0) }
            }
            #expect(handlers[0] == handlers[1])
        }

        @Test func `ncurses takes no signal that is watched`() throws {
            let mask = unblockSignals()
            defer { restoreSignals(mask) }
            let pty = try Pty()
            let signals = try SignalPipe()
            let screen = try Screen(color: false, input: pty.slave, output: pty.slave, term: "xterm-256color")
            raise(SIGTERM)
            raise(SIGWINCH)
            #expect(signals.pending() == [.terminate(SIGTERM), .resize])
            screen.close()
        }

        @Test func `More signals than the pipe holds do no harm`() throws {
            let mask = unblockSignals()
            defer { restoreSignals(mask) }
            let signals = try SignalPipe()
            for _ in 0..<70_000 { raise(SIGWINCH) }
            #expect(signals.pending() == [.resize])
            #expect(signals.pending() == [])
        }

        /// Threads that run tests may block signals.
        private func unblockSignals() -> sigset_t {
            var wanted = sigset_t()
            sigemptyset(&wanted)
            for number in [SIGWINCH, SIGTERM, SIGTSTP, SIGCONT] { sigaddset(&wanted, number) }
            var former = sigset_t()
            pthread_sigmask(SIG_UNBLOCK, &wanted, &former)
            return former
        }

        private func restoreSignals(_ mask: sigset_t) {
            withUnsafePointer(to: mask) { _ = pthread_sigmask(SIG_SETMASK, $0, nil) }
        }
    }
}
