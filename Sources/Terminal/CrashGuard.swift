internal import CNcurses
internal import Display

/// Leaves the terminal as it was found when the program crashes, with a line in the log and one on stderr.
package enum CrashGuard {
    /// Makes the signals of a crash (SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE, SIGSYS) give the terminal back
    /// and report the crash before they end the process as they would have. Call it once, before there are other
    /// threads.
    /// - Parameter log: the path of the log, which is created when it does not exist; nil for none.
    package static func install(log: String?) {
        cn_guard_crashes(log ?? "", log.map { Substitutes.ascii(CleanText($0).string) } ?? "")
    }
}
