internal import Messages
internal import Threads

extension SerialThread {
    /// Starts a thread for reading files. An actor on it may block without occupying the cooperative pool.
    /// - Throws: `unavailable` if the system cannot start a thread.
    static func forReading() throws(StoreError) -> SerialThread {
        let thread = SerialThread()
        try thread.startForReading()
        return thread
    }

    /// - Throws: `unavailable` when the system gives no thread.
    func startForReading() throws(StoreError) {
        do throws(NoThread) {
            try start()
        } catch {
            throw .unavailable("no thread for reading the archive: \(error); try again")
        }
    }
}
