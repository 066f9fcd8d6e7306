import Messages
import Threads

/// Asks the store and waits on the calling thread for its reply: a command that prints has nothing else to do meanwhile.
func waiting<Value: Sendable>(
    for work: @escaping @Sendable () async throws(StoreError) -> Value
) throws -> Value {
    try Inquiry(on: WorkThread.tasks, work).wait()
}

/// A question to the store. The store works on it from the beginning; the thread that needs the reply waits for it later.
struct Inquiry<Value: Sendable>: Sendable {
    private let reply = Monitor<Result<Value, StoreError>?>(nil)

    /// - Parameter executor: runs what is neither the store's nor the waiting thread's.
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
