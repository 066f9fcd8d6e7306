internal import Messages
internal import Threads

extension SerialThread {
    /// Starts a thread for reading files. An actor on it may block without occupying the cooperative pool.
    /// - Throws: `unavailable` if the system cannot start a thread.
    static func forReading() throws(StoreError) -> SerialThread {
        do throws(NoThread) {
            return try started()
        } catch {
            throw .unavailable("no thread for reading the archive: \(error); try again")
        }
    }
}
