internal import Messages
internal import Threads

extension SerialThread {
    /// A thread on which files may be read: an actor runs there, and not on the cooperative pool.
    /// - Throws: `unavailable` when the system gives no thread.
    static func forReading() throws(StoreError) -> SerialThread {
        do throws(NoThread) {
            return try started()
        } catch {
            throw .unavailable("no thread for reading the archive: \(error); try again")
        }
    }
}
