internal import CCurl
internal import Files
internal import Glibc
internal import Helper
internal import Matrix
internal import Synchronization
internal import Threads

/// Sends requests: by HTTP, or as a test says.
package protocol Requester: Sendable {
    typealias Completion = @Sendable (Result<HTTPResponse, RequestError>) -> Void
    /// Receives the number of bytes that the file of a request has taken.
    typealias Progress = @Sendable (Int64) -> Void

    /// Begins a request, and returns its number. `completion` is called once, on any thread.
    func start(_ request: HTTPRequest, progress: Progress?, _ completion: @escaping Completion) -> Int
    func cancel(_ number: Int)
}

extension Requester {
    /// Sends a request and waits for its response.
    package func send(_ request: HTTPRequest) -> Result<HTTPResponse, RequestError> {
        let response = Monitor<Result<HTTPResponse, RequestError>?>(nil)
        _ = start(request, progress: nil) { result in response.change { $0 = result } }
        return response.wait { $0 }
    }
}

/// Sends requests, any number at a time, by a thread of its own that sleeps while nothing happens.
package final class HTTPClient: Requester {

    /// The next work of the thread, and the requests whose responses are awaited.
    private struct State: ~Copyable {
        var awaited: [Int: (completion: Completion, progress: Progress?)] = [:]
        var new: [(number: Int, request: HTTPRequest)] = []
        var cancelled: [Int] = []
        var number = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let curl: Curl
    private let thread: SerialThread

    /// - Throws: if no thread can be started or there is no memory.
    package init() throws(RequestError) {
        guard let curl = Curl() else { throw RequestError("libcurl cannot be initialised") }
        guard let thread = SerialThread.started() else { throw RequestError("no thread can be started") }
        (self.curl, self.thread) = (curl, thread)
        thread.run { [self] in work() }
    }

    /// Begins a request. `completion` is called once, on the thread of the client.
    /// - Parameter progress: called there as well, while the response goes into a file.
    /// - Returns: its ID, for `cancel`.
    @discardableResult
    package func start(
        _ request: HTTPRequest, progress: Progress? = nil, _ completion: @escaping Completion
    ) -> Int {
        let number = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.number += 1
            state.awaited[state.number] = (completion, progress)
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

    /// Cancels a request: its completion is called with an error, unless it has been called.
    package func cancel(_ number: Int) {
        state.withLock { $0.cancelled.append(number) }
        curl.wake()
    }

    /// Cancels all requests, also later ones. The thread ends.
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
                end(number, .failure(RequestError("libcurl rejects the request")))
            }
            for number in cancelled {
                curl.remove(number)
                end(number, .failure(.cancelled))
            }
            if isOver { break }
            curl.run { [self] number, step in
                switch step {
                case .moved(let received): state.withLock { $0.awaited[number]?.progress }?(received)
                case .ended(let result): end(number, result)
                }
            }
        }
        let left = state.withLock { state in
            defer { state.awaited = [:] }
            return state.awaited
        }
        for number in left.keys { curl.remove(number) }
        for (completion, _) in left.values { completion(.failure(.cancelled)) }
    }

    private func end(_ number: Int, _ result: Result<HTTPResponse, RequestError>) {
        state.withLock { $0.awaited.removeValue(forKey: number)?.completion }?(result)
    }
}

/// The transfers of libcurl. All functions but `wake` belong to the thread of the client.
final class Curl: @unchecked Sendable {
    // libcurl allows curl_multi_wakeup on any thread; the pointer never changes.
    private let all: OpaquePointer

    /// In milliseconds.
    private static let connectLimit = 20_000

    init?() {
        guard let all = ccurl_create() else { return nil }
        self.all = all
    }

    deinit { ccurl_destroy(all) }

    func wake() { ccurl_wake(all) }

    /// - Parameter number: not 0.
    func add(_ http: HTTPRequest, _ number: Int) -> Bool {
        let request = http.request
        let texts = ([request.method.rawValue, http.address] + http.headers).map { Array($0.utf8CString) }
        return Curl.withPointers(texts) { pointers in
            pointers.dropFirst(2).withUnsafeBufferPointer { headers in
                (request.body ?? []).withUnsafeBytes { body in
                    var raw = ccurl_request()
                    raw.method = pointers[0]
                    raw.url = pointers[1]
                    raw.headers = headers.baseAddress
                    if request.body != nil { raw.body = body.assumingMemoryBound(to: CChar.self).baseAddress }
                    raw.body_length = body.count
                    raw.connect_limit = Curl.connectLimit
                    raw.whole_limit = request.limit
                    raw.silence_limit = request.longestSilence ?? 0
                    raw.longest_body = request.longestResponse
                    raw.file = http.file
                    raw.follows = !request.isAuthorized && request.method == .get
                    return ccurl_add(all, &raw, UnsafeMutableRawPointer(bitPattern: number))
                }
            }
        }
    }

    func remove(_ number: Int) { ccurl_remove(all, UnsafeMutableRawPointer(bitPattern: number)) }

    enum Step {
        /// The number of bytes that the file of the transfer has taken.
        case moved(Int64)
        case ended(Result<HTTPResponse, RequestError>)
    }

    /// Advances all transfers, reports their steps, and sleeps until one can advance.
    func run(_ take: (Int, Step) -> Void) {
        var steps: [(Int, Step)] = []
        withUnsafeMutablePointer(to: &steps) { list in
            ccurl_run(
                all, list,
                { list, context, received in Curl.note(.moved(Int64(received)), of: context, in: list) },
                { list, context, end in
                    if let end { Curl.note(.ended(Curl.result(end.pointee)), of: context, in: list) }
                })
        }
        for (number, step) in steps { take(number, step) }
    }

    private static func note(_ step: Step, of context: UnsafeMutableRawPointer?, in list: UnsafeMutableRawPointer?) {
        list?.assumingMemoryBound(to: [(Int, Step)].self).pointee.append((Int(bitPattern: context), step))
    }

    private static func result(_ end: ccurl_end) -> Result<HTTPResponse, RequestError> {
        let body: ResponseBody
        defer { if end.body_file >= 0 { close(end.body_file) } }
        do throws(FileError) {
            body =
                end.body_file < 0
                ? ResponseBody(end.body, count: end.body_length) : try ResponseBody(file: end.body_file)
        } catch {
            return .failure(RequestError(error.description, isOfResponse: true))
        }
        if let refusal = end.refusal {
            return .failure(RequestError(String(cString: refusal), isFinal: true, isOfResponse: true))
        }
        guard end.code == 0 else {
            let reason = end.reason.map { String(cString: $0) } ?? "error \(end.code) of libcurl"
            // Partial file, operation timed out, nothing received, failure to receive, error of a stream of HTTP/2.
            let isOfResponse = [18, 28, 52, 56, 92].contains(end.code)
            return .failure(RequestError(reason, isOfResponse: isOfResponse, isSilence: end.code == 28))
        }
        return .success(
            HTTPResponse(
                status: Int(end.status), body: body, retryAfter: end.retry_after.map { String(cString: $0) }))
    }

    private static func withPointers<Value>(
        _ texts: [[CChar]], _ body: ([UnsafePointer<CChar>?]) -> Value
    ) -> Value {
        // One block of memory, so that all pointers are valid together.
        let joined = Array(texts.joined())
        return joined.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for text in texts {
                pointers.append(buffer.baseAddress.map { $0 + offset })
                offset += text.count
            }
            return body(pointers + [nil])
        }
    }
}
