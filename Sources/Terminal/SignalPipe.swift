internal import CNcurses
internal import Display

/// A signal from the system to a program on a terminal.
package enum Signal: Hashable, Sendable {
    case resize
    /// To end; with the number of the signal.
    case terminate(Int32)
    /// To continue after a stop. The screen may show anything by now.
    case continued
    /// To stop, as by ^Z; the receiver must stop the process.
    case stop
}

/// Signals as a descriptor to poll. Create it before the screen: ncurses leaves signals alone that already have a handler, and its
/// own handlers would end the process with another status than the signal's. Only one at a time; the previous handlers are restored
/// when it is released.
package final class SignalPipe {
    /// Readable when a signal has come.
    package let fileDescriptor: Int32
    private let writeDescriptor: Int32
    private let formerDescriptor: Int32
    private var former: [(number: Int32, action: sigaction)] = []
    /// The signals that the thread blocked before realtime signals were delayed; nil if they are not.
    private var formerMask: sigset_t?

    // All signals that can end a program: each of them would leave the terminal as ncurses has it.
    private static let usual = [
        SIGWINCH, SIGCONT, SIGTSTP, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
        SIGXCPU, SIGIO, SIGPWR, SIGSTKFLT, SIGPIPE,
    ]
    /// SIGRTMIN and SIGRTMAX are no constants.
    private static let realtime: ClosedRange<Int32> = 34...64

    /// - Parameter delaysRealtime: true to let realtime signals wait until `watchRealtime`. Hardly any program sends one, and to
    ///   watch them takes a system call for each. All other threads must block them.
    package init(delaysRealtime: Bool = false) throws(TerminalError) {
        var ends: [Int32] = [-1, -1]
        guard cn_private_pipe(&ends) else {
            throw TerminalError("a pipe for signals cannot be created: \(String(cString: strerror(cn_errno())))")
        }
        fileDescriptor = ends[0]
        writeDescriptor = ends[1]
        formerDescriptor = cn_set_signal_descriptor(writeDescriptor)
        watch(Self.usual)
        if delaysRealtime { delayRealtime() } else { watch(Self.realtime) }
    }

    private func watch(_ numbers: some Sequence<Int32>) {
        for number in numbers {
            var action = sigaction()
            cn_watch_signal(number, &action)
            former.append((number, action))
        }
    }

    private func delayRealtime() {
        var signals = sigset_t()
        var mask = sigset_t()
        sigemptyset(&signals)
        for number in Self.realtime { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, &mask)
        formerMask = mask
    }

    /// Watches realtime signals too, if they are delayed: those that have come meanwhile come now. Call this on the thread that has
    /// made this object.
    package func watchRealtime() {
        guard var mask = formerMask else { return }
        formerMask = nil
        watch(Self.realtime)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
    }

    deinit {
        if var formerMask { pthread_sigmask(SIG_SETMASK, &formerMask, nil) }
        for (number, action) in former {
            withUnsafePointer(to: action) { _ = sigaction(number, $0, nil) }
        }
        cn_set_signal_descriptor(formerDescriptor)
        close(fileDescriptor)
        close(writeDescriptor)
    }

    /// True if a signal has come.
    package var isReadable: Bool {
        var request = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) > 0
    }

    /// The signals since the last call, in order, without adjacent repeats. Never waits.
    package func pending() -> [Signal] {
        var signals: [Signal] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(fileDescriptor, &buffer, buffer.count)
            if count < 0 && cn_errno() == EINTR { continue }
            guard count > 0 else { return signals }
            for number in buffer.prefix(count) {
                let signal = Self.signal(Int32(number))
                if signals.last != signal { signals.append(signal) }
            }
        }
    }

    private static func signal(_ number: Int32) -> Signal {
        switch number {
        case SIGWINCH: .resize
        case SIGCONT: .continued
        case SIGTSTP: .stop
        default: .terminate(number)
        }
    }
}

/// Leaves the terminal as it was found when the program crashes, with a line in the log and one on stderr.
package enum CrashGuard {
    /// Makes the signals of a crash (SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSYS) give the terminal back
    /// and report the crash before they end the process as they would have. Call it once, before there are other
    /// threads.
    /// - Parameter log: the path of the log, which is created when it does not exist; nil for none.
    package static func install(log: String?) {
        cn_guard_crashes(log ?? "", log.map { Transliteration.ascii(CleanText($0).string) } ?? "")
    }
}
