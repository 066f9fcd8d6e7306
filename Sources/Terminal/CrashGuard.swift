internal import CNcurses
internal import Display

/// What a crash leaves behind: a terminal as it was found, a line in the log and one on stderr.
package enum CrashGuard {
    /// Lets the signals of a crash (SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSYS) give the terminal back and
    /// tell of it, before they end the process as they would have. To be called once, before there are other threads.
    /// - Parameter log: the path of the log, which is made when it is not there; nil for none.
    package static func install(log: String?) {
        cn_guard_crashes(log ?? "", log.map { Substitutes.ascii(CleanText($0).string) } ?? "")
    }
}
