import Messages
import Threads

/// Waits on the main thread for an answer of the store: commands that print have nothing else to do meanwhile.
func waiting<Value: Sendable>(
    for work: @escaping @Sendable () async throws(StoreError) -> Value
) throws -> Value {
    let answer = Monitor<Result<Value, StoreError>?>(nil)
    Task.detached(executorPreference: WorkThread.tasks) {
        do throws(StoreError) {
            let value = try await work()
            answer.change { $0 = .success(value) }
        } catch {
            answer.change { $0 = .failure(error) }
        }
    }
    return try answer.wait { $0 }.get()
}
