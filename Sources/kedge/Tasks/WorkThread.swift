import Threads

enum WorkThread {
    /// The thread on which the program's tasks run between their waits. They never block it.
    static let tasks = SerialThread()
}
