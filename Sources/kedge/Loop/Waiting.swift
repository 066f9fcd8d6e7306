import Interface
import Messages
import Synchronization
import Threads

/// Asks the store, and blocks the calling thread until the reply: a command that prints has nothing else to do.
func waiting<Value: Sendable>(
    for work: @escaping @Sendable () async throws(StoreError) -> Value
) throws -> Value {
    try Inquiry(on: WorkThread.tasks, work).wait()
}

/// A question to the store, which works on it at once; the thread that needs the reply waits for it later.
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

/// The page of the first frame, which the store reads while the program starts up.
final class FirstPage: Sendable {
    private enum State {
        case asked
        case wanted(@Sendable (Result<Page, StoreError>) -> Void)
        case known(Result<Page, StoreError>)
    }

    let request: PageRequest
    private let state = Mutex(State.asked)

    /// Requests the page.
    init(_ request: PageRequest, of store: any MessageStore) {
        self.request = request
        Task.detached(executorPreference: PromptTasks.shared) { await self.receive(store.answer(request)) }
    }

    /// Calls `body` with the page: before this returns if the page has arrived, else on the thread of the store when it arrives.
    func take(_ body: @escaping @Sendable (Result<Page, StoreError>) -> Void) {
        let known: Result<Page, StoreError>? = state.withLock { state in
            if case .known(let page) = state { return page }
            state = .wanted(body)
            return nil
        }
        if let known { body(known) }
    }

    private func receive(_ page: Result<Page, StoreError>) {
        let wanted: (@Sendable (Result<Page, StoreError>) -> Void)? = state.withLock { state in
            defer { state = .known(page) }
            if case .wanted(let body) = state { return body }
            return nil
        }
        wanted?(page)
    }
}

/// The events that other threads send to the event loop, and the descriptor that wakes it.
final class Mailbox: Sendable {
    private let events = Mutex<[Event]>([])
    private let wakeUp: WakeUp
    /// Readable while events wait.
    var fileDescriptor: Int32 { wakeUp.descriptor }

    /// Nil when the process has no free descriptor.
    init?() {
        guard let wakeUp = WakeUp() else { return nil }
        self.wakeUp = wakeUp
    }

    func post(_ event: Event) {
        let isFirst = events.withLock { events in
            events.append(event)
            return events.count == 1
        }
        if isFirst { wakeUp.ring() }
    }

    func takeAll() -> [Event] {
        // Silenced before the events are taken: an event that comes after that rings again.
        wakeUp.silence()
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

extension MessageReading {
    func answer(_ request: PageRequest) async -> Result<Page, StoreError> {
        do throws(StoreError) {
            return .success(try await page(request))
        } catch {
            return .failure(error)
        }
    }
}

/// Runs each part of a task at once, on the thread that makes it ready to run. It is for tasks that only ask the store
/// and forward its reply: such a task begins on the thread of its caller and ends on the thread of the store. Another
/// executor would have to start a third thread, and to wake it twice.
final class PromptTasks: TaskExecutor {
    static let shared = PromptTasks()

    func enqueue(_ job: consuming ExecutorJob) {
        UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

enum WorkThread {
    /// The thread that runs the program's tasks between their waits. They never block it.
    static let tasks = SerialThread()
}
