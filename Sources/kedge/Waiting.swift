import Dispatch
import Messages
import Synchronization

/// Waits on the main thread for an answer of the store: commands that print have nothing else to do meanwhile.
func waiting<Value: Sendable>(
    for work: @escaping @Sendable () async throws(StoreError) -> Value
) throws -> Value {
    let answer = Answer<Value>()
    Task.detached(executorPreference: WorkThread.tasks) {
        do throws(StoreError) {
            answer.give(.success(try await work()))
        } catch {
            answer.give(.failure(error))
        }
    }
    return try answer.wait().get()
}

/// A result that one task gives and one thread waits for.
private final class Answer<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, StoreError>?>(nil)
    private let given = DispatchSemaphore(value: 0)

    func give(_ result: Result<Value, StoreError>) {
        self.result.withLock { $0 = result }
        given.signal()
    }

    func wait() -> Result<Value, StoreError> {
        while true {
            given.wait()
            if let result = result.withLock({ $0 }) { return result }
        }
    }
}
