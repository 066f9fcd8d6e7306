import Archive
import Glibc

/// The end of the process.
enum Exit {
    /// At once, without what libraries do at `exit`: their destructors take away what other threads still use, and a thread
    /// that makes the index meanwhile would abort the process, with simdjson's "pure virtual method called". No text waits
    /// in the buffers of stdio: `Output` and ncurses write out what they have.
    static func now(_ status: Int32) -> Never {
        TemporaryIndexes.removeAll()
        _exit(status)
    }
}
