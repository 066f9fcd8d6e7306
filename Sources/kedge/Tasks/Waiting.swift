import Messages
import Threads

/// Asks the store, and blocks the calling thread until the reply is there: a command that prints has nothing else to do.
func waiting<Value: Sendable>(
    for work: @escaping @Sendable () async throws(StoreError) -> Value
) throws -> Value {
    try Inquiry(on: WorkThread.tasks, work).wait()
}

/// A question to the store. The store begins at once; the thread that needs the reply waits for it later.
struct Inquiry<Value: Sendable>: Sendable {
    private let reply = Monitor<Result<Value, StoreError>?>(nil)

    /// - Parameter executor: runs the parts of the work that belong neither to the store nor to the waiting thread.
    init(
        on executor: any TaskExecutor = PromptTasks.shared,
        _ work: @escaping @Sendable () async throws(StoreError) -> Value
    ) {
        Task.detached(executorPreference: executor) { [reply] in
            do throws(StoreError) {
                let value = try await work()
                reply.change { $0 = .success(value) }
            } catch {
                reply.change { $0 = .failure(error) }
            }
        }
    }

    /// Waits for the reply.
    func wait() throws -> Value { try reply.wait { $0 }.get() }
}
