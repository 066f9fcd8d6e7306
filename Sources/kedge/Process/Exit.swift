import Archive
import Glibc

/// The end of the process.
enum Exit {
    /// Ends the process without the handlers of `exit`. Those destroy objects of libraries that other threads still use: a
    /// thread that builds the index would abort the process with simdjson's "pure virtual method called". No output is lost,
    /// since `Output` and ncurses do not leave any in the buffers of stdio.
    static func now(_ status: Int32) -> Never {
        TemporaryIndexes.removeAll()
        _exit(status)
    }
}
