internal import CCurl
internal import Synchronization
internal import Threads

/// Sends requests, any number at a time, by a thread of its own that sleeps while nothing happens.
package final class HTTPClient: Sendable {
    package typealias Completion = @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
    /// Receives the number of bytes that the file of a request has taken.
    package typealias Progress = @Sendable (Int64) -> Void

    /// The next work of the thread, and the requests whose responses are awaited.
    private struct State: ~Copyable {
        var completions: [Int: Completion] = [:]
        var progresses: [Int: Progress] = [:]
        var new: [(number: Int, request: HTTPRequest)] = []
        var cancelled: [Int] = []
        var number = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let curl: Curl
    private let thread: SerialThread

    /// - Throws: a failure when the system gives no thread or no memory.
    package init() throws(HTTPFailure) {
        guard let curl = Curl() else { throw HTTPFailure("libcurl cannot begin") }
        self.curl = curl
        do {
            thread = try .started()
        } catch {
            throw HTTPFailure("the system gives no thread")
        }
        thread.run { [self] in work() }
    }

    /// Begins a request. `completion` is called once, on the thread of the client.
    /// - Parameter progress: is called there as well, as long as the response goes into a file.
    /// - Returns: its number, for `cancel`.
    @discardableResult
    package func start(
        _ request: HTTPRequest, progress: Progress? = nil, _ completion: @escaping Completion
    ) -> Int {
        let number = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.number += 1
            state.completions[state.number] = completion
            state.progresses[state.number] = progress
            state.new.append((state.number, request))
            return state.number
        }
        guard let number else {
            completion(.failure(.cancelled))
            return 0
        }
        curl.wake()
        return number
    }

    /// Gives a request up: its completion is called with a failure, unless it has been called.
    package func cancel(_ number: Int) {
        state.withLock { $0.cancelled.append(number) }
        curl.wake()
    }

    /// Sends a request and waits for its response.
    package func send(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPFailure> {
        let response = Monitor<Result<HTTPResponse, HTTPFailure>?>(nil)
        start(request) { result in response.change { $0 = result } }
        return response.wait { $0 }
    }

    /// Gives all requests up, also those that are begun from now on. The thread ends.
    package func stop() {
        state.withLock { $0.isOver = true }
        curl.wake()
    }

    // MARK: - The thread

    private func work() {
        while true {
            let (new, cancelled, isOver) = state.withLock { state in
                defer { (state.new, state.cancelled) = ([], []) }
                return (state.new, state.cancelled, state.isOver)
            }
            for (number, request) in new where !curl.add(request, number) {
                end(number, .failure(HTTPFailure("libcurl does not take the request")))
            }
            for number in cancelled {
                curl.remove(number)
                end(number, .failure(.cancelled))
            }
            if isOver { break }
            curl.run { [self] number, step in
                switch step {
                case .moved(let received): state.withLock { $0.progresses[number] }?(received)
                case .ended(let result): end(number, result)
                }
            }
        }
        let left = state.withLock { state in
            defer { (state.completions, state.progresses) = ([:], [:]) }
            return state.completions
        }
        curl.removeAll(Array(left.keys))
        for completion in left.values { completion(.failure(.cancelled)) }
    }

    private func end(_ number: Int, _ result: Result<HTTPResponse, HTTPFailure>) {
        let completion = state.withLock { state in
            state.progresses[number] = nil
            return state.completions.removeValue(forKey: number)
        }
        completion?(result)
    }
}
