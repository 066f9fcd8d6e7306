import Messages
import Synchronization

/// The page of the first frame, which the store reads while the program makes all else ready.
final class FirstPage: Sendable {
    typealias Reply = Result<Page, StoreError>

    private enum State {
        case asked
        case wanted(@Sendable (Reply) -> Void)
        case known(Reply)
    }

    let request: PageRequest
    private let state = Mutex(State.asked)

    /// Asks for it.
    init(_ request: PageRequest, of store: any MessageStore) {
        self.request = request
        Task.detached(executorPreference: PromptTasks.shared) { await self.receive(store.answer(request)) }
    }

    /// Calls `body` with the page: before this returns if the page has arrived, else on the thread of the store when it arrives.
    func take(_ body: @escaping @Sendable (Reply) -> Void) {
        let known: Reply? = state.withLock { state in
            if case .known(let reply) = state { return reply }
            state = .wanted(body)
            return nil
        }
        if let known { body(known) }
    }

    private func receive(_ reply: Reply) {
        let wanted: (@Sendable (Reply) -> Void)? = state.withLock { state in
            defer { state = .known(reply) }
            if case .wanted(let body) = state { return body }
            return nil
        }
        wanted?(reply)
    }
}
