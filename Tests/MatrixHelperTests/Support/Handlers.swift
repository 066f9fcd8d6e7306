import Files
import Foundation
import Helper
import Matrix
import Relay
import TestSupport
import Threads

@testable import MatrixHelper

/// What handlers share, without a server and without a thread: a test says when which response comes.
final class Handlers {
    /// Keeps the requests until the test responds.
    private final class Requests: Requester {
        let started = Monitor<[(request: HTTPRequest, completion: Requester.Completion)]>([])

        func start(_ request: HTTPRequest, progress: Requester.Progress?, _ completion: @escaping Completion) -> Int {
            started.withLock { started in
                started.append((request, completion))
                return started.count
            }
        }

        func cancel(_ number: Int) {}
    }

    let scratch: Scratch
    let context: SyncContext
    let now = ContinuousClock.now
    private let queue = SyncQueue()
    private let requests = Requests()
    private let heard = Monitor<[RelayNews]>([])
    private var answered = 0

    init(_ goal: SyncGoal = SyncGoal(hasHistory: false, follows: true, serves: true)) throws {
        scratch = try Scratch()
        let archive = try AccountArchive(path: scratch.path, me: "@me:e.org")
        let pace = SyncPace(now: { [now] in now }, jitter: { 0 })
        context = SyncContext(
            archive, Server(requests, base: "https://e.org", token: "t"), goal, pace,
            RelayDesk { [heard] news, _ in heard.change { $0.append(news) } }, queue)
    }

    deinit { context.cancelAll() }

    /// The paths of the requests so far, after the version of the API.
    var paths: [String] {
        requests.started.withLock { started in
            started.map { String($0.request.address.prefix { $0 != "?" }.split(separator: "/").last ?? "") }
        }
    }

    /// What Kedges were told so far.
    var news: [RelayNews] { heard.withLock { $0 } }

    /// The response that the first Kedge has got to a request.
    func response(to number: Int) -> RelayResponse? {
        for case .response(number, let response) in news { return response }
        return nil
    }

    /// Responds to the oldest request that waits.
    func respond(_ body: String, status: Int = 200) throws(SyncEnd) {
        let bytes = strdup(body)
        let response = HTTPResponse(status: status, body: ResponseBody(bytes, count: body.utf8.count), retryAfter: nil)
        requests.started.withLock { $0[answered].completion }(.success(response))
        answered += 1
        guard case .response(let number, let result)? = queue.next(within: .zero) else { return }
        try context.take(result, of: number)
    }

    /// Writes a response to /sync into the archive.
    func write(_ sync: String) throws {
        let reader = SyncReader(events: context.archive.events)
        var sync = sync
        let isRead = try sync.withUTF8 { bytes in
            let body = UnsafeRawBufferPointer(bytes)
            return try reader.read(body, facts: { context.archive.facts($0) }) { response throws(FileError) in
                try context.archive.apply(response, since: nil, isReplay: false)
            }
        }
        guard isRead else { throw SyncEnd.refused(sync) }
    }
}
