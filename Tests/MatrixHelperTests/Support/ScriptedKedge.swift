import Helper
import MatrixHelper
import Relay
import Threads

/// A Kedge that asks a mirror as a test says.
final class ScriptedKedge: Sendable {
    private let onRequest: @Sendable (Asker, RelayRequest.Content) -> Void
    private let news: Monitor<[RelayNews]>
    private let number = Monitor(0)

    /// - Parameter news: all that the mirror has sent so far.
    init(_ news: Monitor<[RelayNews]>, _ onRequest: @escaping @Sendable (Asker, RelayRequest.Content) -> Void) {
        (self.news, self.onRequest) = (news, onRequest)
    }

    /// Sends a request.
    /// - Returns: its number.
    @discardableResult
    func ask(_ request: RelayRequest.Content) -> Int {
        let number = number.withLock { number in
            number += 1
            return number
        }
        onRequest(Asker(client: 1, number: number), request)
        return number
    }

    /// Waits for the response to a request.
    func response(to number: Int) -> RelayResponse? {
        var found: RelayResponse?
        _ = news.wait(atMost: .seconds(30)) { news in
            for case .response(number, let response) in news { found = response }
            return found != nil
        }
        return found
    }

    /// Sends a request and waits for its response.
    func result(of request: RelayRequest.Content) -> RelayResponse? { response(to: ask(request)) }

    /// Whether something was sent so far.
    func hasHeard(_ isMeant: (RelayNews) -> Bool) -> Bool { news.withLock { $0.contains(where: isMeant) } }

    /// Waits for a notice.
    func wait(for notice: RelayNews) -> Bool { news.wait(atMost: .seconds(30)) { $0.contains(notice) } }
}
