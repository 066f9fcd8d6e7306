import Synchronization
import Threads

/// The thread on which the archive of this start is read. The system needs as long to make a thread as the program to read its
/// arguments, so the one begins before the other.
enum EarlyThread {
    private static let thread = Mutex<SerialThread?>(nil)

    /// When the system gives no thread, opening the archive tries again, and says why.
    static func start() {
        let started = try? SerialThread.started()
        thread.withLock { $0 = started }
    }

    /// The thread, for its only user; nil when none was started.
    static func take() -> SerialThread? { thread.withLock { $0.take() } }
}
