import Threads

enum WorkThread {
    /// The thread where the tasks of the program run between the waits that they are made of. They never block it.
    static let tasks = SerialThread()
}
